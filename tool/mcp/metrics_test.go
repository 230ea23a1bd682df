package mcp

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// Metrics are for whoever has the token, and only where they are wanted.
func TestMetrics(t *testing.T) {
	shown := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "numbers") })
	cases := []struct {
		name    string
		metrics http.Handler
		token   string
		want    int
		says    string
	}{
		{"wanted", shown, secret, http.StatusOK, "numbers"},
		{"no token", shown, "", http.StatusUnauthorized, "TOKEN"},
		{"not wanted", nil, secret, http.StatusNotFound, Path},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := &guard{
				server: serverOf(t, newHeld().query, func(o *Options) { o.Metrics = c.metrics }),
				access: Access{Token: secret},
			}
			request := httptest.NewRequest(http.MethodGet, "http://localhost"+MetricsPath, nil)
			request.Header.Set("Authorization", "Bearer "+c.token)
			recorder := httptest.NewRecorder()
			g.ServeHTTP(recorder, request)
			require.Equal(t, c.want, recorder.Code)
			require.Contains(t, recorder.Body.String(), c.says)
		})
	}
}
