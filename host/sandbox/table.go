package sandbox

import (
	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/internal/engine"
)

// hostFunction is the host's side of an import. The stack holds the arguments, of which it
// overwrites the first with the result. An error ends the guest.
type hostFunction func(g *guest, m memory, stack []uint64) error

// implementations has the host's side of every import of the ABI.
func implementations() [abi.FunctionCount]hostFunction {
	return [abi.FunctionCount]hostFunction{
		abi.Path:        pathOf,
		abi.Error:       lastError,
		abi.Language:    languageOf,
		abi.SourceSize:  sourceSize,
		abi.Source:      source,
		abi.Config:      settings,
		abi.RemainingMs: remaining,
		abi.Locations:   locations,
		abi.Hover:       hover,
		abi.HoverRange:  hoverRange,
		abi.Incomplete:  incomplete,
		abi.Message:     message,
		abi.Log:         logLine,
		abi.FileOpen:    fileOpen,
		abi.FileSize:    fileSize,
		abi.FileRead:    fileRead,
		abi.FileClose:   fileClose,
		abi.FileStat:    fileStat,
		abi.DirRead:     dirRead,
		abi.HTTPRequest: httpRequest,
		abi.HTTPStatus:  httpStatus,
		abi.HTTPHeaders: httpHeaders,
		abi.HTTPRead:    httpRead,
		abi.HTTPClose:   httpClose,
		abi.CacheGet:    cacheGet,
		abi.CachePut:    cachePut,
	}
}

// hostFunctions is what every engine is given: the ABI and WASI. What a module may import
// of it was decided before it was compiled.
func hostFunctions() []engine.Function {
	var all []engine.Function
	bodies := implementations()
	handed := handedOver()
	for i, imported := range abi.Functions() {
		all = append(all, engine.Function{
			Module:    abi.Module,
			Name:      imported.Name,
			Signature: imported.Signature,
			Call:      inPhase(imported, traced(imported.Name, imported.Signature, handed[i], bodies[i])),
		})
	}
	served := wasi()
	for _, f := range abi.WASIFunctions() {
		body := served[f.Name]
		if body == nil {
			body = notServed
		}
		body = traced(abi.WASI+"."+f.Name, f.Signature, 0, body)
		all = append(all, engine.Function{
			Module:    abi.WASI,
			Name:      f.Name,
			Signature: f.Signature,
			Call: func(env any, mem []byte, stack []uint64) error {
				g := env.(*guest)
				if g.ctx.Err() != nil {
					return engine.ErrInterrupted
				}
				return body(g, mem, stack)
			},
		})
	}
	return all
}

// inPhase lets a function be called only when the ABI says that it may be.
func inPhase(imported abi.Import, body hostFunction) func(env any, mem []byte, stack []uint64) error {
	return func(env any, mem []byte, stack []uint64) error {
		g := env.(*guest)
		if g.ctx.Err() != nil { // a row of host calls is no loop, where an engine would look
			return engine.ErrInterrupted
		}
		if g.phase&imported.Phases == 0 {
			return breachf(imported.Name, "it may not be called in %s", phaseName(g.phase))
		}
		return body(g, mem, stack)
	}
}

func phaseName(p abi.Phase) string {
	switch p {
	case abi.InInitialize:
		return "the start function or " + abi.ExportInitialize
	case abi.InLoad:
		return abi.ExportLoad
	case abi.InHover:
		return "hover"
	default:
		return "a navigation operation"
	}
}
