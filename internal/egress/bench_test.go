package egress

import (
	"context"
	"io"
	"net/http"
	"testing"
)

// What the rules cost: the same small answer through net/http alone, and through a client.
func BenchmarkRequest(b *testing.B) {
	l := &lab{names: map[string][][]string{"code.example.com": {{public}}}}
	s := serve(b, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "ok") })
	l.servers = map[string]string{public + ":80": s.Listener.Addr().String()}

	b.Run("net/http", func(b *testing.B) {
		for b.Loop() {
			r, err := s.Client().Get(s.URL)
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, r.Body)
			_ = r.Body.Close()
		}
	})
	b.Run("egress", func(b *testing.B) {
		c, err := l.network().Client([]Rule{{URL: "http://code.example.com/api/", Headers: map[string]string{"Authorization": "x"}}})
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		p := make([]byte, 100)
		for b.Loop() {
			r, err := c.Do(context.Background(), Request{Method: "GET", URL: "http://code.example.com/api/x?q"})
			if err != nil {
				b.Fatal(err)
			}
			for err == nil {
				_, err = r.Read(context.Background(), p)
			}
			r.Close()
		}
	})
}
