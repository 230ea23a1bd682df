package mcp

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// A browser asks without a token whether a page of another origin may ask with one, and shows the
// page no answer that does not name its origin.
func TestPagesOfOtherOrigins(t *testing.T) {
	cases := []struct {
		name, host, origin string
		asks               bool // with Access-Control-Request-Method
		want               int
		shared             bool
	}{
		{"allowed", "localhost:7007", "https://ide.example.com", true, http.StatusNoContent, true},
		{"of this machine", "127.0.0.1:7007", "http://localhost:3000", true, http.StatusNoContent, true},
		{"foreign", "localhost:7007", "https://evil.example.com", true, http.StatusForbidden, false},
		{"by another name", "evil.example.com", "https://ide.example.com", true, http.StatusForbidden, false},
		{"no question of a browser", "localhost:7007", "https://ide.example.com", false, http.StatusUnauthorized, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := &guard{
				server: serverOf(t, newHeld().query),
				access: Access{Token: secret, Origins: []string{"https://ide.example.com"}},
			}
			request := httptest.NewRequest(http.MethodOptions, "http://"+c.host+Path, nil)
			request.Header.Set("Origin", c.origin)
			if c.asks {
				request.Header.Set("Access-Control-Request-Method", http.MethodPost)
			}
			recorder := httptest.NewRecorder()
			g.ServeHTTP(recorder, request)
			require.Equal(t, c.want, recorder.Code)
			want := ""
			if c.shared {
				want = c.origin
			}
			require.Equal(t, want, recorder.Header().Get("Access-Control-Allow-Origin"))
			if c.want == http.StatusNoContent {
				require.Contains(t, recorder.Header().Get("Access-Control-Allow-Headers"), "Authorization")
			}
		})
	}
}
