package mcp

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// newsInterval is how often is looked whether there is news, and how long a call may take
// before there is any.
const newsInterval = 250 * time.Millisecond

// news tells a client that waits what it waits for.
type news struct {
	end  context.CancelFunc
	done chan struct{}
}

// tell begins to tell, if the client asked for it.
func (s *Server) tell(ctx context.Context, request *sdk.CallToolRequest, folders []string) *news {
	token := request.Params.GetProgressToken()
	if token == nil || s.options.Activity == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	n := &news{end: cancel, done: make(chan struct{})}
	go func() {
		defer close(n.done)
		defer s.caught("progress")
		s.follow(ctx, request.Session, token, folders)
	}()
	return n
}

// stop ends the news. A client that is told of progress after the result may be confused.
func (n *news) stop() {
	if n == nil {
		return
	}
	n.end()
	<-n.done
}

func (s *Server) follow(ctx context.Context, session *sdk.ServerSession, token any, folders []string) {
	tick := time.NewTicker(newsInterval)
	defer tick.Stop()
	told := ""
	for step := 1.0; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := s.options.Activity(folders)
		if now == "" || now == told {
			continue
		}
		if err := session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Message: now, Progress: step}); err != nil {
			return // nobody listens
		}
		told = now
		step++ // the total is not known, but it must grow
	}
}
