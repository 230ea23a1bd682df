package workspace

import (
	"fmt"
	"runtime"
	"strings"
)

// FileURI returns the file: URI of an absolute path. All bytes that RFC 3986 does
// not allow in a path as they are, are encoded.
func FileURI(path string) string { return native().uri(path) }

// PathOf returns the path that a file: URI names, as the URI spells it. It refuses
// URIs whose path could be taken for another one: with an encoded separator, a NUL, a
// malformed escape, a query or a fragment, or the name of another machine.
func PathOf(uri string) (string, error) { return native().path(uri) }

// PathAs is [PathOf] for Windows or for any other system, whatever this machine is: for
// showing where the URI leads.
func PathAs(onWindows bool, uri string) (string, error) {
	if onWindows {
		return windows.path(uri)
	}
	return posix.path(uri)
}

// style is how an operating system writes paths.
type style int

const (
	posix style = iota
	windows
)

func native() style {
	if runtime.GOOS == "windows" {
		return windows
	}
	return posix
}

func (s style) uri(path string) string {
	host := ""
	if s == windows {
		host, path = splitWindows(path)
	}
	return "file://" + escape(host, "") + escape(path, "/:@")
}

// splitWindows turns a Windows path into the host and the path of a URI.
func splitWindows(path string) (host, rest string) {
	path = strings.ReplaceAll(path, `\`, "/")
	if long, ok := strings.CutPrefix(path, "//?/"); ok { // the form without a limit on the length
		path = long
		if share, ok := strings.CutPrefix(long, "UNC/"); ok {
			path = "//" + share
		}
	}
	if share, ok := strings.CutPrefix(path, "//"); ok {
		host, path, _ = strings.Cut(share, "/")
		return host, "/" + path
	}
	return "", "/" + strings.TrimPrefix(path, "/")
}

func (s style) path(uri string) (string, error) {
	const scheme = "file:"
	if len(uri) < len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return "", fmt.Errorf("%q is not a file: URI", uri)
	}
	rest := uri[len(scheme):]
	if strings.ContainsAny(rest, "?#") {
		return "", fmt.Errorf("URI %q has a query or a fragment: a ? or # of a path is written %%3F or %%23", uri)
	}
	if s == windows {
		rest = strings.ReplaceAll(rest, `\`, "/")
	}
	host := ""
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		end := strings.IndexByte(after+"/", '/')
		host, rest = after[:end], after[end:]
	}
	host, err := s.unescape(host)
	if err != nil {
		return "", fmt.Errorf("URI %q: %w", uri, err)
	}
	path, err := s.unescape(rest)
	if err != nil {
		return "", fmt.Errorf("URI %q: %w", uri, err)
	}
	path, ok := s.join(host, path)
	if !ok {
		return "", fmt.Errorf("URI %q names no absolute path of this machine", uri)
	}
	return path, nil
}

// join makes a path of the host and the path of a URI.
func (s style) join(host, path string) (string, bool) {
	if !strings.HasPrefix(path, "/") {
		return "", false
	}
	local := host == "" || strings.EqualFold(host, "localhost")
	if s == posix {
		return path, local
	}
	if local && isDrive(path[1:]) {
		drive, rest := path[1:3], strings.TrimPrefix(path[3:], "/")
		return drive + `\` + strings.ReplaceAll(rest, "/", `\`), true
	}
	if share, ok := strings.CutPrefix(path, "//"); ok && host == "" { // file:////host/share, an older spelling
		host, path, _ = strings.Cut(share, "/")
		path = "/" + path
	}
	isHost := host != "." && host != "?" && host != "" && !strings.Contains(host, ":") // `\\.\` and `\\?\` are devices
	hasShare := len(path) > 1 && path[1] != '/'
	if !isHost || !hasShare {
		return "", false
	}
	return `\\` + host + strings.ReplaceAll(path, "/", `\`), true
}

// isDrive reports whether a path begins with a drive.
func isDrive(path string) bool {
	return len(path) >= 2 && path[1] == ':' &&
		('a' <= path[0]|0x20 && path[0]|0x20 <= 'z') && (len(path) == 2 || path[2] == '/')
}
