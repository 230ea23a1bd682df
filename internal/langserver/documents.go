package langserver

import (
	"context"
	"sync/atomic"

	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// documents are the ones that the server has open. The disk is the only truth: before
// each query every open document is compared with it. One query at a time uses them.
type documents struct {
	server *Server
	open   map[string]*document // by URI
	clock  uint64               // counts queries, for the least recently used
	number atomic.Int64         // len(open), for Status
}

type document struct {
	source   workspace.Source
	language string
	version  int
	used     uint64
}

// present opens the document of a query, or brings it up to date.
func (d *documents) present(q Query) error {
	defer func() { d.number.Store(int64(len(d.open))) }()
	d.clock++
	doc := d.open[q.Source.URI]
	if doc != nil && doc.language != q.LanguageID {
		if err := d.close(q.Source.URI); err != nil {
			return err
		}
		doc = nil
	}
	if doc != nil {
		doc.used = d.clock
		return d.update(q.Source.URI, doc, q.Source)
	}
	if err := d.makeRoom(); err != nil {
		return err
	}
	return d.opened(q)
}

// refreshOthers compares the documents that are not asked about with the disk. It comes before
// the server is told of what changed there: one that has a document open ignores that its file
// changed, so that it would go on with the text of a document that is closed afterwards.
func (d *documents) refreshOthers(ctx context.Context, asked string) error {
	defer func() { d.number.Store(int64(len(d.open))) }()
	uris := make([]string, 0, len(d.open))
	sources := make([]workspace.Source, 0, len(d.open))
	for uri, doc := range d.open {
		if uri != asked {
			uris = append(uris, uri)
			sources = append(sources, doc.source)
		}
	}
	if len(uris) == 0 {
		return nil
	}
	for i, unchanged := range d.server.view.Unchanged(ctx, sources...) {
		if unchanged {
			continue
		}
		if err := d.refresh(ctx, uris[i], d.open[uris[i]]); err != nil {
			return err
		}
	}
	return nil
}

// refresh reads a document again that may have changed. One that cannot be read any more
// is closed, so that the server does not answer from it; so is one that became a link to another
// file, but with the text that it has by now: typescript-language-server goes on with the last
// text of what is closed.
func (d *documents) refresh(ctx context.Context, uri string, doc *document) error {
	current, err := d.server.view.Read(ctx, doc.source.Path)
	if ctxErr := seam.ContextError(ctx); ctxErr != nil {
		return ctxErr
	}
	if err != nil {
		return d.close(uri)
	}
	leads := current.URI != uri
	current.URI = uri
	if err := d.update(uri, doc, current); err != nil || !leads {
		return err
	}
	return d.close(uri)
}

// update gives an open document its text of now, if that is another one.
func (d *documents) update(uri string, doc *document, current workspace.Source) error {
	if doc.source.Text == current.Text {
		doc.source = current
		return nil
	}
	if !d.server.caps.change {
		if err := d.close(uri); err != nil {
			return err
		}
		return d.opened(Query{Source: current, LanguageID: doc.language})
	}
	doc.source = current
	doc.version++
	return d.server.conn.Notify("textDocument/didChange", didChangeParams{
		TextDocument:   versionedIdentifier{URI: uri, Version: doc.version},
		ContentChanges: []fullText{{Text: current.Text}},
	})
}

func (d *documents) opened(q Query) error {
	if d.open == nil {
		d.open = make(map[string]*document)
		close(d.server.opened)
	}
	d.open[q.Source.URI] = &document{source: q.Source, language: q.LanguageID, version: 1, used: d.clock}
	return d.server.conn.Notify("textDocument/didOpen", didOpenParams{textDocumentItem{
		URI: q.Source.URI, LanguageID: q.LanguageID, Version: 1, Text: q.Source.Text,
	}})
}

// makeRoom closes the least recently used documents until one more may be opened.
func (d *documents) makeRoom() error {
	for len(d.open) >= d.server.config.OpenDocuments {
		var oldest string
		for uri, doc := range d.open {
			if oldest == "" || doc.used < d.open[oldest].used {
				oldest = uri
			}
		}
		if err := d.close(oldest); err != nil {
			return err
		}
	}
	return nil
}

func (d *documents) close(uri string) error {
	delete(d.open, uri)
	return d.server.conn.Notify("textDocument/didClose", didCloseParams{textDocumentIdentifier{uri}})
}

// closeAll closes every document. A failure to write is the connection's, and shows
// there: it does not replace an answer that is already there.
func (d *documents) closeAll() {
	for uri := range d.open {
		_ = d.close(uri)
	}
	d.number.Store(0)
}

func (d *documents) count() int { return int(d.number.Load()) }
