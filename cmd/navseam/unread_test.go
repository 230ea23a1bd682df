package main

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// What is read comes in order; what nobody reads holds nobody.
func TestUnread(t *testing.T) {
	var all bytes.Buffer
	u := newUnread(&all)
	var want bytes.Buffer
	for i := range 100 {
		fmt.Fprintln(u, i)
		fmt.Fprintln(&want, i)
	}
	u.close()
	require.Equal(t, want.String(), all.String())

	synctest.Test(t, func(t *testing.T) {
		stuck, w := io.Pipe()
		u := newUnread(w)
		for range 2 * unreadLines {
			n, err := io.WriteString(u, "nobody reads this\n")
			require.NoError(t, err)
			require.Equal(t, 18, n)
		}
		u.close() // after a while
		stuck.Close()
		<-u.ended
	})
}
