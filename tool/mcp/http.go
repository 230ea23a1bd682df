package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// sessionLimit ends sessions that no request came for, so that clients which vanish
	// leave nothing. It is long: an agent may sit for a night, and not know how to begin again.
	sessionLimit = 24 * time.Hour

	// drainLimit is how long calls that are under way may take at the end.
	drainLimit = 10 * time.Second
)

// ServeListener answers clients over HTTP until ctx ends: then nothing new is begun, and what is
// under way has a while to get its answer. It closes the listener.
func (s *Server) ServeListener(ctx context.Context, listener net.Listener, access Access) error {
	g := &guard{server: s, access: access, next: s.streamable()}
	server := &http.Server{
		Handler:           g,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		s.end(errEnding())
		s.closeSessions()
		return fmt.Errorf("the server cannot go on: %w", err)
	case <-ctx.Done():
	}
	g.ending.Store(true)
	_ = listener.Close()
	if !s.requests.drained(drainLimit) {
		s.options.Log.Warn("calls that take too long are cancelled")
	}
	s.end(errEnding())
	s.requests.drained(endLimit)
	s.closeSessions() // which also ends the streams that wait for news
	_ = server.Close()
	<-failed
	return nil
}

// streamable speaks both generations of the protocol: the older one has sessions, the newer
// one has none.
func (s *Server) streamable() http.Handler {
	mine := func(*http.Request) *sdk.Server { return s.sdk }
	options := sdk.StreamableHTTPOptions{
		SessionTimeout:             s.sessionLimit,
		DisableLocalhostProtection: true, // the guard knows which names are allowed besides
		MaxRequestBodyBytes:        maxMessageBytes,
		Logger:                     slog.New(quiet{s.options.Log.Handler()}),
	}
	older := sdk.NewStreamableHTTPHandler(mine, &options)
	options.Stateless, options.PropagateRequestCancellation = true, true
	newer := sdk.NewStreamableHTTPHandler(mine, &options)
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.Header.Get(versionHeader) >= firstWithoutRequests {
			newer.ServeHTTP(w, request)
			return
		}
		older.ServeHTTP(w, request)
	})
}

const versionHeader = "Mcp-Protocol-Version"

// closeSessions waits for no longer than calls may take to end.
func (s *Server) closeSessions() {
	var closing sync.WaitGroup
	for session := range s.sdk.Sessions() {
		closing.Go(func() { _ = session.Close() }) // it is over, whatever it says
	}
	waitFor(&closing, endLimit)
}
