package main

import (
	"context"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool/mcp"
)

// tokenVariable has the token that clients over HTTP must have.
const tokenVariable = "NAVSEAM_MCP_TOKEN"

// minTokenLength keeps out what can be guessed.
const minTokenLength = 16

func (c *console) serveHTTP(ctx context.Context, options mcpOptions) error {
	token, err := c.token(options.tokenFile)
	if err != nil {
		return err
	}
	listener, err := listen(ctx, options.http)
	if err != nil {
		return err
	}
	live := c.startLive(options.config)
	defer live.close(ctx)
	// Where this process was started says nothing of where its clients work.
	folders := mcp.Folders{Named: c.folders(options).Named}
	serving := c.mcpServer(live, folders)
	if options.metrics {
		serving.Metrics = metricsHandler(live.status)
	}
	server := mcp.New(serving)
	defer server.Close()
	c.complain("navseam: answering at http://" + listener.Addr().String() + mcp.Path)
	if !isLocal(listener.Addr()) {
		c.complain("navseam: other machines can reach it, and the token goes over the network as it is: put it behind a proxy with TLS")
	}
	return server.ServeListener(ctx, listener, mcp.Access{Token: token, Hosts: options.hosts, Origins: options.origins})
}

// listen takes a port of this machine, unless the address names another interface.
func listen(ctx context.Context, address string) (net.Listener, error) {
	if !strings.Contains(address, ":") {
		address = ":" + address
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, usagef("--http %q is no address: write a port such as 7007, or HOST:PORT", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, usagef("--http: %w: name a free port", err)
	}
	return listener, nil
}

func isLocal(address net.Addr) bool {
	at, err := netip.ParseAddrPort(address.String())
	return err == nil && at.Addr().IsLoopback()
}

// token reads the secret that clients over HTTP share with the server.
func (c *console) token(file string) (string, error) {
	const advice = `: make one with "openssl rand -hex 32", and put it into a file that only you can read for --token-file, or into ` + tokenVariable
	token, where := c.getenv(tokenVariable), tokenVariable
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", asUsage(seam.Errorf(seam.CodeInvalidConfig, "the token cannot be read: %w", err))
		}
		c.warnOfReaders(file)
		token, where = string(text), file
	}
	token = strings.TrimSpace(token)
	switch {
	case token == "":
		return "", usagef("there is no token, and whoever reaches a server over HTTP can read your code through it" + advice)
	case len(token) < minTokenLength || strings.ContainsAny(token, " \t\r\n"):
		return "", usagef("the token in %s is shorter than %d characters, or not one word%s", where, minTokenLength, advice)
	}
	return token, nil
}

func (c *console) warnOfReaders(file string) {
	info, err := os.Stat(file)
	if err == nil && runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		c.complain("navseam: others can read the token in " + file + `: "chmod 600" keeps it yours`)
	}
}
