// Package expect reads files of questions with their exact answers, and compares. The
// tests against real language servers are such files; testdata/servers/README.md shows
// the format.
package expect
