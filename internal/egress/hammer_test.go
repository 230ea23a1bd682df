package egress

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Requests, ends of contexts, closed responses and at last a closed client, all at once.
func TestHammerClient(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for range 3 {
			_, _ = w.Write(make([]byte, 1000))
			_ = http.NewResponseController(w).Flush()
		}
	})
	c := local(t, s)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 50 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(20))*time.Millisecond)
				r, err := c.Do(ctx, Request{Method: "GET", URL: s.URL})
				if err == nil {
					closed := make(chan struct{})
					go func() {
						defer close(closed)
						time.Sleep(time.Duration(rand.IntN(3)) * time.Millisecond)
						r.Close()
					}()
					for err == nil {
						_, err = r.Read(ctx, make([]byte, 500))
					}
					if err != io.EOF && !ours(err) {
						t.Errorf("an error without a kind: %v", err)
					}
					<-closed
				}
				cancel()
			}
		})
	}
	time.AfterFunc(200*time.Millisecond, c.Close)
	all.Wait()
	require.Zero(t, c.open.Load())
}
