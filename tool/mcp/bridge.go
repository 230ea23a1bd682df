package mcp

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/navseam/navseam/seam"
)

// Bridge joins a client on standard input and output to a server that many share. It passes
// messages on as they are, both ways, and says which folder its client works in.
type Bridge struct {
	URL     string // of the server
	Token   string
	Folders Folders
	Log     *slog.Logger // nil discards it
}

// Run ends when the client has sent all and has all its answers, when ctx ends, or when the
// server is lost: then each call that is under way is answered with an error, and so is Run.
func (b Bridge) Run(ctx context.Context, stdio Stdio) error {
	target, err := b.target()
	if err != nil {
		return err
	}
	if b.Log == nil {
		b.Log = slog.New(slog.DiscardHandler)
	}
	transport := &http.Transport{ // and no proxy: the token is for one server
		DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		MaxIdleConnsPerHost: 16,
		IdleConnTimeout:     time.Minute, // before the server ends them
	}
	defer transport.CloseIdleConnections()
	r := &relay{
		bridge: b,
		target: target,
		conn:   newLineConn(stdio),
		client: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		cancels: map[jsonrpc.ID]context.CancelCauseFunc{},
	}
	defer r.conn.finish()
	return r.run(ctx)
}

// target is the URL that is asked.
func (b Bridge) target() (string, error) {
	u, err := url.Parse(b.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", seam.Errorf(seam.CodeInvalidArgs, "%q is no URL of a server: write http://127.0.0.1:PORT%s", b.URL, Path)
	case u.User != nil:
		return "", seam.Errorf(seam.CodeInvalidArgs, "the URL of the server has a password in it, which others can see: give the token in a file")
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = Path
	}
	return u.String(), nil
}
