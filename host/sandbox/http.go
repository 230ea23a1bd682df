package sandbox

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/internal/egress"
)

// maxRequests is how many responses a call may have open.
const maxRequests = 16

// openRequests are the responses of a call, by handle less one. Their handles end with it.
type openRequests struct {
	responses []*egress.Response
	open      int
}

func (r *openRequests) closeAll() {
	for _, response := range r.responses {
		if response != nil {
			response.Close()
		}
	}
	r.responses, r.open = r.responses[:0], 0
}

func (r *openRequests) at(handle uint64) *egress.Response {
	n := uint32(handle) - 1
	if uint64(n) >= uint64(len(r.responses)) {
		return nil
	}
	return r.responses[n]
}

func httpRequest(g *guest, m memory, stack []uint64) error {
	var texts [3]string
	for i := range texts {
		text, ok, err := g.text(m, "http_request", stack, stack[2*i], stack[2*i+1])
		if !ok {
			return err
		}
		texts[i] = text
	}
	body, err := m.bytes("http_request", stack[6], stack[7])
	if err != nil {
		return err
	}
	header, ok := headerLines(texts[2])
	switch {
	case !ok:
		g.refuse(stack, abi.BadArgument, "a header is a line 'Name: value' without CR")
		return nil
	case g.requests.open >= maxRequests:
		g.refuse(stack, abi.OverLimit, "too many responses are open: close one")
		return nil
	}
	g.space.trace.Request(texts[0], texts[1])
	response, err := g.space.provider.client.Do(g.waiting(), egress.Request{
		Method: texts[0],
		URL:    texts[1],
		Header: header,
		Body:   body, // which Do copies
	})
	if err != nil {
		g.refuseHTTP(stack, err)
		return nil
	}
	g.requests.responses = append(g.requests.responses, response)
	g.requests.open++
	give(stack, int64(len(g.requests.responses)))
	return nil
}

func headerLines(text string) ([]egress.Field, bool) {
	var fields []egress.Field
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.ContainsAny(line, "\r\n") {
			return nil, false
		}
		fields = append(fields, egress.Field{Name: name, Value: strings.TrimSpace(value)})
	}
	return fields, true
}

func httpStatus(g *guest, _ memory, stack []uint64) error {
	if response := g.response(stack); response != nil {
		give(stack, int64(response.Status))
	}
	return nil
}

func httpHeaders(g *guest, m memory, stack []uint64) error {
	ptr, room := stack[1], stack[2]
	response := g.response(stack)
	if response == nil {
		return nil
	}
	var lines strings.Builder
	for _, field := range response.Header {
		lines.WriteString(strings.ToValidUTF8(field.Name+": "+field.Value, "�") + "\n")
	}
	return m.copyOut("http_headers", stack, strings.TrimSuffix(lines.String(), "\n"), ptr, room)
}

func httpRead(g *guest, m memory, stack []uint64) error {
	into, err := m.bytes("http_read", stack[1], stack[2])
	if err != nil {
		return err
	}
	response := g.response(stack)
	switch {
	case response == nil:
		return nil
	case len(into) == 0:
		give(stack, 0)
		return nil
	}
	n, err := response.Read(g.waiting(), into)
	if n == 0 && err != nil && !errors.Is(err, io.EOF) {
		g.refuseHTTP(stack, err)
		return nil
	}
	give(stack, int64(n))
	return nil
}

func httpClose(g *guest, _ memory, stack []uint64) error {
	if response := g.requests.at(stack[0]); response != nil {
		response.Close()
		g.requests.responses[uint32(stack[0])-1] = nil
		g.requests.open--
	}
	return nil
}

// response returns that of the handle, or gives the guest a negative result.
func (g *guest) response(stack []uint64) *egress.Response {
	response := g.requests.at(stack[0])
	if response == nil {
		g.refuse(stack, abi.BadArgument, badHandle)
	}
	return response
}

func (g *guest) refuseHTTP(stack []uint64, err error) {
	result := abi.CallFailed
	switch {
	case errors.Is(err, egress.ErrNotAllowed):
		result = abi.NotAllowed
	case errors.Is(err, egress.ErrOverLimit):
		result = abi.OverLimit
	case errors.Is(err, egress.ErrBadRequest):
		result = abi.BadArgument
	case errors.Is(err, egress.ErrDeadline), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		result = abi.Deadline
	}
	g.refuse(stack, result, err.Error())
}
