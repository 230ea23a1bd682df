package sandbox

import (
	"time"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/seam"
)

// The imports that tell what the question is about.

func pathOf(g *guest, m memory, stack []uint64) error {
	name := g.query.document.Name
	if name == "" {
		name = g.query.document.URI
	}
	return m.copyOut("path", stack, name, stack[0], stack[1])
}

func lastError(g *guest, m memory, stack []uint64) error {
	return m.copyOut("error", stack, g.reason, stack[0], stack[1])
}

func languageOf(g *guest, m memory, stack []uint64) error {
	return m.copyOut("language", stack, g.query.language, stack[0], stack[1])
}

func settings(g *guest, m memory, stack []uint64) error {
	return m.copyOut("config", stack, g.space.provider.settings, stack[0], stack[1])
}

func remaining(g *guest, _ memory, stack []uint64) error {
	give(stack, int64(min(max(time.Until(g.limit).Milliseconds(), 0), abi.MaxSize)))
	return nil
}

func sourceSize(g *guest, _ memory, stack []uint64) error {
	if text, ok := g.source(stack); ok {
		give(stack, int64(len(text)))
	}
	return nil
}

func source(g *guest, m memory, stack []uint64) error {
	offset, ptr, room := uint64(uint32(stack[0])), stack[1], uint64(uint32(stack[2]))
	text, ok := g.source(stack)
	if !ok {
		return nil
	}
	text = text[min(offset, uint64(len(text))):]
	text = text[:min(room, uint64(len(text)))]
	return m.copyOut("source", stack, text, ptr, room)
}

// source returns the text, or gives the guest a negative result.
func (g *guest) source(stack []uint64) (string, bool) {
	text, err := g.query.text(g.ctx, g.space.documents)
	switch seam.CodeOf(err) {
	case "":
		return text, true
	case seam.CodeTimeout, seam.CodeCancelled:
		g.refuse(stack, abi.Deadline, err.Error())
	default:
		g.refuse(stack, abi.CallFailed, err.Error())
	}
	return "", false
}
