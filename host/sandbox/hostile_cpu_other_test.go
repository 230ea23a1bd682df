//go:build !unix

package sandbox_test

import "time"

var processStart = time.Now()

// processTime is the time that has passed: nothing better is at hand.
func processTime() time.Duration { return time.Since(processStart) }
