// Package survivors proves that nothing outlives its owner: however and whenever a host ends, no
// process of its language servers is left, nor of theirs.
package survivors
