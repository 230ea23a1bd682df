//go:build !wasip1

package wasmsdktest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/navseam/navseam/abi"
)

// response is an entry of the handle table of a call; nil once it is closed.
type response struct {
	status int
	header string
	body   *bytes.Buffer
}

func (c *call) HTTPRequest(method, url, headers string, body []byte) int32 {
	if c.host.HTTP == nil {
		return c.refuse(abi.NotAllowed, "http is not granted: set Host.HTTP")
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		return c.refuse(abi.BadArgument, err.Error())
	}
	for line := range strings.Lines(headers) {
		name, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		if !found || strings.Contains(line, "\r") {
			return c.refuse(abi.BadArgument, "a request header is not a line \"Name: value\"")
		}
		request.Header.Add(name, strings.TrimSpace(value))
	}
	recorder := httptest.NewRecorder()
	c.host.HTTP.ServeHTTP(recorder, request)
	var lines strings.Builder
	if err := recorder.Result().Header.Write(&lines); err != nil {
		return c.refuse(abi.CallFailed, err.Error())
	}
	c.bodies = append(c.bodies, &response{recorder.Code, lines.String(), recorder.Body})
	return int32(len(c.bodies))
}

func (c *call) response(handle int32) (*response, int32) {
	if handle < 1 || int(handle) > len(c.bodies) || c.bodies[handle-1] == nil {
		return nil, c.refuse(abi.BadArgument, "there is no response with this handle in this call")
	}
	return c.bodies[handle-1], 0
}

func (c *call) HTTPStatus(handle int32) int32 {
	r, result := c.response(handle)
	if result < 0 {
		return result
	}
	return int32(r.status)
}

func (c *call) HTTPHeaders(handle int32, p []byte) int32 {
	r, result := c.response(handle)
	if result < 0 {
		return result
	}
	return copyOut(p, r.header)
}

func (c *call) HTTPRead(handle int32, p []byte) int32 {
	r, result := c.response(handle)
	if result < 0 {
		return result
	}
	n, _ := r.body.Read(p) // io.EOF comes with 0
	return int32(n)
}

func (c *call) HTTPClose(handle int32) {
	if _, result := c.response(handle); result == 0 {
		c.bodies[handle-1] = nil
	}
}
