package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/navseam/navseam/internal/process"
	"github.com/navseam/navseam/internal/rpc"
	"github.com/navseam/navseam/seam"
)

// start spawns the process and shakes hands, within StartTimeout.
func (s *Server) start() error {
	late := &seam.Error{
		Code:      seam.CodeTimeout,
		Message:   fmt.Sprintf("server %q did not finish its handshake within %s: is it a language server on stdio? raise startTimeoutMs if it is only slow", s.config.ID, s.config.StartTimeout),
		Limit:     "startTimeoutMs",
		Retryable: true,
		Err:       context.DeadlineExceeded,
	}
	ctx, cancel := context.WithTimeoutCause(s.stopping, s.config.StartTimeout, late)
	defer cancel()
	if s.stopping.Err() != nil {
		return errStopped(s.config.ID)
	}
	if s.config.Freshness.Follow != nil { // before the server reads anything
		var err error
		if s.freshness.cursor, err = s.config.Freshness.Follow(ctx); err != nil {
			return err
		}
	}
	if err := s.spawn(); err != nil {
		return err
	}
	// A write to a server that does not read ends with the process only.
	release := context.AfterFunc(ctx, s.process.Kill)
	defer release()
	return s.handshake(ctx)
}

func errStopped(id string) error {
	return &seam.Error{Code: seam.CodeUnavailable, Message: fmt.Sprintf("server %q was stopped while it started", id), Retryable: true}
}

func (s *Server) spawn() error {
	p, err := process.Start(process.Command{
		Path:           s.config.Path,
		Args:           s.config.Args,
		Env:            s.config.Env,
		Dir:            s.root.Path(),
		MaxStderrBytes: s.config.MaxStderrBytes,
		Supervisor:     s.config.Supervisor,
		KillGrace:      s.config.KillGrace,
	})
	if err != nil {
		return &seam.Error{
			Code:    seam.CodeProviderFailed,
			Message: fmt.Sprintf("server %q could not be started: %v", s.config.ID, err),
			Reason:  seam.ReasonNotStarted,
			Err:     err,
		}
	}
	s.process = p
	options := rpc.Options{
		MaxMessageBytes: s.config.MaxMessageBytes,
		WriteTimeout:    writeTimeout,
		OnFail:          func(error) { p.Kill() },
		OnRequest:       s.answer,
		OnNotification:  s.notice,
	}
	if wire := s.config.Trace.Wire(s.config.ID, s.root.Path()); wire != nil {
		options.OnMessage = wire.Message
	}
	s.conn = rpc.NewConn(p.Stdout(), p.Stdin(), options)
	go func() { // a helper may hold stdout open after the server is gone
		<-p.Exited()
		_ = s.conn.Close()
	}()
	return nil
}

func (s *Server) handshake(ctx context.Context) error {
	result, err := s.call(ctx, "initialize", initializeParams{
		ClientInfo:            clientInfo{Name: "navseam"},
		RootURI:               s.root.URI(),
		WorkspaceFolders:      s.folders(),
		InitializationOptions: orNull(s.config.InitializationOptions),
		Capabilities:          clientCapabilities(s.config.Freshness.Notify),
	})
	if err != nil {
		return s.handshakeError(ctx, err)
	}
	if s.caps, err = parseInitialize(s.config.ID, result); err != nil {
		return err
	}
	if err := s.conn.Notify("initialized", struct{}{}); err != nil {
		return s.handshakeError(ctx, err)
	}
	if err := s.conn.Notify("workspace/didChangeConfiguration", configurationSettings{s.config.announced()}); err != nil {
		return s.handshakeError(ctx, err)
	}
	return nil
}

const hintNoServer = "\nis it a language server, and started with the right arguments?"

// call is a request that only the server's own life bounds: nobody cancels it.
func (s *Server) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	call, err := s.conn.Call(method, params)
	if err != nil {
		return nil, err
	}
	return call.Wait(ctx)
}

// handshakeError names the failure of a handshake.
func (s *Server) handshakeError(ctx context.Context, err error) error {
	if s.stopping.Err() != nil {
		return errStopped(s.config.ID)
	}
	if ctxErr := seam.ContextError(ctx); ctxErr != nil {
		return s.withStderr(s.withStray(seam.AsError(ctxErr)))
	}
	failed := s.fault("initialize", err)
	if errors.Is(err, rpc.ErrClosed) {
		failed = s.withStray(s.lost(err))
	}
	failed.Message += hintNoServer
	return failed
}

// withStray says what the program wrote to stdout instead of messages: it is another one, or
// wants to be started otherwise.
func (s *Server) withStray(e *seam.Error) *seam.Error {
	stray := s.conn.Counters()
	if stray.StrayBytes == 0 {
		return e
	}
	told := *e
	told.Reason = seam.ReasonNotServer
	told.Message += "\nit wrote text to its standard output, where messages are due: " + stray.StrayText
	return &told
}

// maxToldStderr bounds the part of stderr that an error carries.
const maxToldStderr = 4096

// withStderr adds the end of what the server wrote to stderr, which is often the only
// place where it says what it wants.
func (s *Server) withStderr(e *seam.Error) *seam.Error {
	text := strings.TrimSpace(s.process.Stderr())
	if text == "" {
		return e
	}
	if cut := len(text) - maxToldStderr; cut > 0 {
		text = "… " + strings.ToValidUTF8(text[cut:], "")
	}
	told := *e
	told.Message += "\n" + text
	return &told
}
