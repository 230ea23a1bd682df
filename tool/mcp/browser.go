package mcp

import (
	"net/http"
	"slices"
	"strings"
)

// What pages of an allowed origin may send and read, beside what every page may.
const (
	sharedMethods = "GET, POST, DELETE"
	sharedHeaders = "Authorization, Content-Type, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id, Navseam-Folder, Navseam-Workspace"
	shownHeaders  = "Mcp-Session-Id, WWW-Authenticate"
)

// preflight answers the question that a browser asks before a request of another origin, and which
// carries no token. It reports whether it did.
func (a Access) preflight(w http.ResponseWriter, request *http.Request) bool {
	if request.Method != http.MethodOptions || request.Header.Get("Access-Control-Request-Method") == "" || !a.admits(request) {
		return false
	}
	a.share(w, request)
	header := w.Header()
	header.Set("Access-Control-Allow-Methods", sharedMethods)
	header.Set("Access-Control-Allow-Headers", sharedHeaders)
	header.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// share lets the page that asked read the answer.
func (a Access) share(w http.ResponseWriter, request *http.Request) {
	if !a.admits(request) {
		return
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", request.Header.Get("Origin"))
	header.Set("Access-Control-Expose-Headers", shownHeaders)
	header.Add("Vary", "Origin")
}

// admits reports whether a request comes from one allowed origin, by an allowed name.
func (a Access) admits(request *http.Request) bool {
	origins := request.Header.Values("Origin")
	return len(origins) == 1 && a.allowsHost(request.Host) && !slices.ContainsFunc(origins, func(origin string) bool {
		return strings.ContainsAny(origin, "\r\n") || !a.allowsOrigin(origin)
	})
}
