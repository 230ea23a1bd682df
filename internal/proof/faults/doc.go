// Package faults proves that every row of testdata/faults, a language server that misbehaves,
// comes out as the row says: with the answer or the code that is expected, with its caller
// back at its deadline and the next one served, and with nothing left when the host is closed.
package faults
