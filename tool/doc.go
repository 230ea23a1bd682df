// Package tool is where navseam meets people and models: the one-based coordinates that
// they write, the symbols that they name instead, and the text that they read. Behind it
// everything is counted from zero.
//
// It knows questions and answers, and no provider.
package tool
