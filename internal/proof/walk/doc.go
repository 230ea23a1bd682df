// Package walk proves that an answer is never older than the disk: a walk at random, from a seed,
// over a workspace that it made itself, with questions to a real language server in between. The
// workspace is known at every step, so that the right answers are too.
package walk
