package mcp

import (
	"context"
	"log/slog"
)

// quiet lets the library's news through only when something is wrong: it reports each
// session and each message that it does not like.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}
