package egress

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

const maxURLBytes = 8 << 10 // as written, and in its plain form

// target is a URL in its one plain form. It is what rules are matched against, and what is sent is
// made of it alone.
type target struct {
	scheme string // http or https
	host   string // in lower case; IPv6 without brackets
	port   uint16
	path   string // clean, as cleanPath says
	query  string // not matched, sent as it is
}

// parts are those of a URL as it was written.
type parts struct{ scheme, authority, path, query, fragment string }

// parseTarget reads an absolute URL. A fragment is left out: it is never sent.
func parseTarget(raw string) (target, error) {
	p, err := split(raw)
	if err != nil {
		return target{}, err
	}
	t := target{scheme: strings.ToLower(p.scheme), query: encodeForeign(p.query)}
	if t.scheme != "http" && t.scheme != "https" {
		return target{}, fmt.Errorf("%w: the scheme %s: only http and https are served", ErrNotAllowed, quote(p.scheme))
	}
	if t.host, t.port, err = parseAuthority(p.authority, t.defaultPort()); err != nil {
		return target{}, err
	}
	if t.path, err = cleanPath(p.path); err != nil {
		return target{}, err
	}
	return t, checkLength(len(t.scheme) + len("://") + len(t.authority()) + len(t.path) + len("?") + len(t.query))
}

func checkLength(n int) error {
	if n > maxURLBytes {
		return fmt.Errorf("%w: a URL of %d bytes: %d are the most", ErrOverLimit, n, maxURLBytes)
	}
	return nil
}

func split(raw string) (parts, error) {
	if err := checkLength(len(raw)); err != nil {
		return parts{}, err
	}
	for i := range len(raw) {
		if c := raw[i]; c <= ' ' || c == 0x7f || c == '\\' {
			return parts{}, fmt.Errorf("%w: the URL holds %q: write %%%02X", ErrBadRequest, c, c)
		}
	}
	var p parts
	rest, absolute := "", false
	if p.scheme, rest, absolute = strings.Cut(raw, "://"); !absolute || strings.ContainsAny(p.scheme, "/?#") {
		return parts{}, fmt.Errorf("%w: the URL %s: write scheme://host/path", ErrBadRequest, quote(raw))
	}
	rest, p.fragment, _ = strings.Cut(rest, "#")
	rest, p.query, _ = strings.Cut(rest, "?")
	p.authority = rest
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		p.authority, p.path = rest[:slash], rest[slash:]
	}
	return p, nil
}

func parseAuthority(authority string, standard uint16) (host string, port uint16, err error) {
	if strings.Contains(authority, "@") {
		return "", 0, fmt.Errorf("%w: the URL names a user: send credentials in a header", ErrBadRequest)
	}
	host, digits := authority, ""
	if colon := strings.LastIndexByte(authority, ':'); colon > strings.LastIndexByte(authority, ']') {
		host, digits = authority[:colon], authority[colon+1:]
	}
	port = standard
	if digits != "" {
		n, err := strconv.ParseUint(digits, 10, 16)
		if err != nil || n == 0 {
			return "", 0, fmt.Errorf("%w: the port %s: write a number from 1 to 65535", ErrBadRequest, quote(digits))
		}
		port = uint16(n)
	}
	host, err = parseHost(host)
	return host, port, err
}

// parseHost accepts each address in one spelling only, so that no resolver gets to read 127.1 or
// 0x7f000001 in its own way.
func parseHost(host string) (string, error) {
	if inner, bracket := strings.CutPrefix(host, "["); bracket {
		inner, closed := strings.CutSuffix(inner, "]")
		address, err := netip.ParseAddr(inner)
		if !closed || err != nil || !address.Is6() || address.Zone() != "" {
			return "", fmt.Errorf("%w: the host %s: write an IPv6 address without a zone in brackets", ErrBadRequest, quote(host))
		}
		return address.String(), nil
	}
	host = strings.ToLower(host)
	if len(host) > 253 {
		return "", fmt.Errorf("%w: the host %s is too long", ErrBadRequest, quote(host))
	}
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", fmt.Errorf("%w: the host %s: write labels of letters, digits, - and _ with single dots between them, "+
				"other letters in their xn-- form", ErrBadRequest, quote(host))
		}
	}
	if last := labels[len(labels)-1]; !isNumber(last) {
		return host, nil
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return "", fmt.Errorf("%w: the host %s: write an IPv4 address as four decimal numbers", ErrBadRequest, quote(host))
	}
	return address.String(), nil
}

// isNumber reports what some resolver reads as a part of an IPv4 address.
func isNumber(label string) bool {
	hex, isHex := strings.CutPrefix(label, "0x")
	if isHex {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

func (t target) defaultPort() uint16 {
	if t.scheme == "https" {
		return 443
	}
	return 80
}

func (t target) sameOrigin(o target) bool {
	return t.scheme == o.scheme && t.host == o.host && t.port == o.port
}

// authority is what the Host header says.
func (t target) authority() string {
	host := t.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if t.port == t.defaultPort() {
		return host
	}
	return host + ":" + strconv.Itoa(int(t.port))
}

// url gives the same path in both of its fields, so that net/http has nothing to encode.
func (t target) url() (*url.URL, error) {
	decoded, err := url.PathUnescape(t.path)
	u := &url.URL{Scheme: t.scheme, Host: t.authority(), Path: decoded, RawPath: t.path, RawQuery: t.query}
	if err != nil || u.EscapedPath() != t.path {
		return nil, fmt.Errorf("%w: the path %s cannot be sent as it was checked", ErrBadRequest, quote(t.path))
	}
	return u, nil
}

// String is for messages: a query may hold secrets of a module, and is left out.
func (t target) String() string {
	return shorten(t.scheme + "://" + t.authority() + t.path)
}

const maxQuoted = 200

func quote(s string) string { return strconv.Quote(shorten(s)) }

func shorten(s string) string {
	if len(s) > maxQuoted {
		return s[:maxQuoted] + "…"
	}
	return s
}
