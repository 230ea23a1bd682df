// Package walk proves that an answer is never older than the disk: a walk at random, from a seed,
// over a workspace that it made itself, with questions to a real language server in between. The
// workspace is known at every step, so that the right answers are too.
//
// A step edits files (open and closed ones, also to a text of the same size in the same second),
// creates, deletes and renames them, does so to folders, makes links, changes branches of git, or
// does something to thousands of files at once. A server that was just started confirms, at
// checkpoints, that the right answers are what this package thinks.
//
// The plain tests walk a few steps with each server. The whole, 1,000 steps with bursts of 10,000
// files and 20 checkpoints, takes hours:
//
//	NAVSEAM_PROVE=1 go test -timeout 0 -v -run TestWalk ./internal/proof/walk
//
// NAVSEAM_SEED takes another walk, NAVSEAM_STEPS and NAVSEAM_BURST another number of steps and of
// files in a burst. A failure names the command that makes it again, and keeps the steps and the workspace.
package walk
