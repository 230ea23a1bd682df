//go:build !unix

package trace

// noFollow: this system has no such flag. A link was looked for before.
const noFollow = 0
