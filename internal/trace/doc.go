// Package trace writes down what providers are asked and what they answer, so that somebody can
// see why one does not work here, and hand that on: as lines of JSON, without secrets and without
// source text.
//
// A [Log] has one file and one goroutine that writes it. Whoever talks to a provider passes on
// each message and goes on at once: what the disk does not take in time is left out and counted.
// Nothing is redacted by whoever passes it on, so that a query does no more work than that.
package trace
