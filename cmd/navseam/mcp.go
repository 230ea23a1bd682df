package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool/mcp"
)

const mcpUsage = `navseam mcp [flags]
navseam mcp --http ADDR [flags]
navseam mcp --connect URL [flags]

Serves agents: one tool, lsp, over the Model Context Protocol. On standard input and output
for the client that started it; over HTTP for many clients, which then share the language
servers; or, with --connect, as a bridge from the first to the second.

  -w, --workspace     the folder that calls are about; default: $NAVSEAM_WORKSPACE, then the
                      roots of the client, $CLAUDE_PROJECT_DIR, and the current folder if it
                      may be a project. Over HTTP: the roots of each client, or what its
                      bridge says
  -c, --config        config file; default: $NAVSEAM_CONFIG, then the one in your config folder
  --http ADDR         answer at http://ADDR/mcp; a port alone means this machine only
  --connect URL       pass everything on to a navseam that runs with --http
  --token-file FILE   the token that clients over HTTP must have; default: $NAVSEAM_MCP_TOKEN
  --allow-host HOST   with --http: a name that clients may reach it by, besides localhost
  --allow-origin URL  with --http: a web origin whose pages may use it
  --metrics           with --http: metrics for Prometheus at http://ADDR/metrics, with the same token
  --trace FILE        add to FILE what providers are asked and answer, a line of JSON each, without
                      secrets and texts of documents (docs/troubleshooting.md)

The config file is read again when it changes and on SIGHUP; one that cannot be used is
reported on standard error, and the one before stays. Logs go to standard error too.

  navseam mcp -w ~/project
  NAVSEAM_MCP_TOKEN=$(cat token) navseam mcp --http 7007
  navseam mcp --connect http://127.0.0.1:7007 --token-file token`

// mcpOptions are the flags of the command.
type mcpOptions struct {
	workspace string
	config    string
	http      string
	connect   string
	tokenFile string
	hosts     texts
	origins   texts
	metrics   bool
}

// texts is a flag that may be given more than once.
type texts []string

func (t *texts) String() string { return strings.Join(*t, ", ") }

func (t *texts) Set(value string) error {
	*t = append(*t, value)
	return nil
}

func parseMCPOptions(c *console, args []string) (mcpOptions, error) {
	var m mcpOptions
	o := newOptions("mcp")
	o.text(&m.workspace, "w", "workspace")
	o.text(&m.config, "c", "config")
	o.StringVar(&m.http, "http", "", "")
	o.StringVar(&m.connect, "connect", "", "")
	o.StringVar(&m.tokenFile, "token-file", "", "")
	o.Var(&m.hosts, "allow-host", "")
	o.Var(&m.origins, "allow-origin", "")
	o.BoolVar(&m.metrics, "metrics", false, "")
	o.trace(c)
	if err := o.none(o.parse(c, args)); err != nil {
		return m, err
	}
	switch {
	case m.http != "" && m.connect != "":
		return m, usagef("--http serves, and --connect uses what another serves: give only one of them")
	case m.connect != "" && m.config != "":
		return m, usagef("with --connect the configuration is that of the other navseam: leave -c out")
	case m.connect != "" && c.tracing.file != "":
		return m, usagef("with --connect the providers are those of the other navseam: give --trace to that one")
	case m.http == "" && len(m.hosts)+len(m.origins) > 0:
		return m, usagef("--allow-host and --allow-origin are for --http")
	case m.http == "" && m.metrics:
		return m, usagef("--metrics is for --http")
	case m.http == "" && m.connect == "" && m.tokenFile != "":
		return m, usagef("--token-file is for --http and --connect: on standard input and output nobody else can ask")
	}
	return m, nil
}

func serveMCP(ctx context.Context, c *console, args []string) int {
	options, err := parseMCPOptions(c, args)
	if err != nil {
		return c.report(err)
	}
	unread := newUnread(c.stderr)
	defer unread.close()
	c = c.sayingTo(unread)
	c.log = slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	// A client that is gone is a failure to write, not the end of this process before that
	// of its servers.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)
	if err := c.tracing.open(); err != nil {
		return c.report(err)
	}
	defer c.closeTrace()
	switch {
	case options.connect != "":
		return c.report(c.bridge(ctx, options))
	case options.http != "":
		return c.report(c.serveHTTP(ctx, options))
	default:
		return c.report(c.serveStdio(ctx, options))
	}
}

func (c *console) serveStdio(ctx context.Context, options mcpOptions) error {
	live := c.startLive(options.config)
	defer live.close(ctx)
	server := mcp.New(c.mcpServer(live, c.folders(options)))
	defer server.Close()
	return server.ServeStdio(ctx, c.client())
}

// client is whoever started this process.
func (c *console) client() mcp.Stdio {
	return mcp.Stdio{In: c.stdin, Out: c.stdout, Gone: goneFrom(c.stdout)}
}

func (c *console) mcpServer(live *live, folders mcp.Folders) mcp.Options {
	return mcp.Options{
		Version:  versionNumber(buildInfo()),
		Tool:     live.current,
		Folders:  folders,
		Activity: live.activity,
		Log:      c.log,
	}
}

// folders are the workspaces that this process knows of by itself. Where the home folder or
// the current one are not known, neither is one.
func (c *console) folders(options mcpOptions) mcp.Folders {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	here, err := os.Getwd()
	if err != nil {
		here = ""
	}
	return mcp.FindFolders(options.workspace, c.getenv, here, home)
}

func (c *console) bridge(ctx context.Context, options mcpOptions) error {
	token, err := c.token(options.tokenFile)
	if err != nil {
		return err
	}
	b := mcp.Bridge{URL: options.connect, Token: token, Folders: c.folders(options), Log: c.log}
	err = b.Run(ctx, c.client())
	if seam.CodeOf(err) == seam.CodeInvalidArgs {
		return asUsage(err)
	}
	return err
}
