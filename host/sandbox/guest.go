package sandbox

import (
	"context"
	"time"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// guest is one instance as its host functions see it. Only the goroutine that runs the
// guest touches it.
type guest struct {
	space *space

	phase   abi.Phase
	ctx     context.Context // of what runs now
	soft    context.Context // ends a little earlier; made when something waits
	drop    context.CancelFunc
	began   time.Time
	limit   time.Time // when ctx ends
	reason  string    // of the last negative result
	message string

	query    *query // the operation under way
	files    openFiles
	requests openRequests
	output   output
	paths    map[string]located // of locations
	records  []record           // room for those of the next call
}

// query is an operation under way: what was asked and what was handed over.
type query struct {
	operation seam.Operation
	language  string
	position  seam.Position
	document  workspace.Document

	read    bool
	source  workspace.Source
	refused error // why the text cannot be served: the query ends with that

	answer answer
}

// enter prepares the guest for a call that ends at limit.
func (g *guest) enter(ctx context.Context, phase abi.Phase, limit time.Time, q *query) {
	g.phase, g.ctx, g.query = phase, ctx, q
	g.began, g.limit = time.Now(), limit
	g.reason, g.message = "", ""
	if q != nil {
		q.answer.records.all = g.records[:0]
	}
}

// leave ends what lives as long as a call.
func (g *guest) leave() {
	if g.drop != nil {
		g.drop()
	}
	if g.query != nil {
		g.query.answer.judgeHover()
		g.query.answer.items = g.query.answer.records.locations()
		g.records = g.query.answer.records.all[:0]
	}
	g.requests.closeAll()
	g.output.flush(g)
	g.ctx, g.soft, g.drop, g.query = nil, nil, nil, nil
	g.reason = "" // it may be long, and an idle instance should hold little
}

// end ends what lives as long as the instance.
func (g *guest) end() {
	g.files.closeAll()
	g.output.flush(g)
}

// waiting is the context of host functions that wait: it ends early enough for the guest
// to say what happened.
func (g *guest) waiting() context.Context {
	if g.soft == nil {
		g.soft, g.drop = context.WithDeadline(g.ctx, g.softLimit())
	}
	return g.soft
}

func (g *guest) softLimit() time.Time {
	margin := g.limit.Sub(g.began) * abi.SoftMarginTenths / 10
	return g.limit.Add(-min(margin, abi.MaxSoftMarginMs*time.Millisecond))
}

// text reads the document's text when the module first asks for it, and checks the
// position against it.
func (q *query) text(ctx context.Context, documents Documents) (string, error) {
	if !q.read {
		q.read = true
		q.source, q.refused = documents.Read(ctx, q.document.Path)
		if q.refused == nil {
			q.refused = seam.CheckPosition(q.source.Text, q.position)
		}
	}
	return q.source.Text, q.refused
}
