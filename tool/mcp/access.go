package mcp

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Access says who may use a server over HTTP: whoever has the token, from a page or program
// that was not lured here by another name.
type Access struct {
	Token   string
	Hosts   []string // names that it is reached by, besides those of this machine itself
	Origins []string // web origins whose pages may use it, besides those of this machine itself
}

// refusal is why a request is not served, or "".
func (a Access) refusal(request *http.Request) (status int, why string) {
	if !a.allowsHost(request.Host) {
		return http.StatusForbidden, "the Host header is " + quoted(request.Host) + ", which is no name of this machine: start navseam with --allow-host to allow it"
	}
	for _, origin := range request.Header.Values("Origin") {
		if !a.allowsOrigin(origin) {
			return http.StatusForbidden, "the Origin header is " + quoted(origin) + ", which may not use this server: start navseam with --allow-origin to allow it"
		}
	}
	scheme, token, _ := strings.Cut(request.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || !a.allowsToken(strings.TrimSpace(token)) {
		return http.StatusUnauthorized, `the header "Authorization: Bearer TOKEN" is missing or has another token than the server`
	}
	return 0, ""
}

// allowsToken takes the same time whatever the token is.
func (a Access) allowsToken(token string) bool {
	want, got := sha256.Sum256([]byte(a.Token)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1 && a.Token != ""
}

// allowsHost compares names, on any port. A browser that was told that some name is this
// machine sends that name.
func (a Access) allowsHost(hostport string) bool {
	host := hostname(hostport)
	return isLoopback(host) || slices.ContainsFunc(a.Hosts, func(allowed string) bool {
		return strings.EqualFold(hostname(allowed), host) && host != ""
	})
}

func (a Access) allowsOrigin(origin string) bool {
	if slices.ContainsFunc(a.Origins, func(allowed string) bool { return strings.EqualFold(strings.TrimSuffix(allowed, "/"), origin) }) {
		return true
	}
	page, err := url.Parse(origin)
	return err == nil && (page.Scheme == "http" || page.Scheme == "https") && isLoopback(page.Hostname())
}

// hostname is the name in a Host header, without its port.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}
