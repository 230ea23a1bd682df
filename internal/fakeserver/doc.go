// Package fakeserver is a scripted language server for tests: it does on demand what real
// ones don't, and misbehaves as no real one should.
//
// It runs as a process of its own, the test binary re-executed:
//
//	func TestMain(m *testing.M) {
//		fakeserver.Main()
//		os.Exit(m.Run())
//	}
//
// or as the command in cmd/fakeserver, for clients in other languages.
//
// [Command] gives the command line for a [Script]; [Run] runs one inside the test. An
// empty script is a well-behaved server. What the server received is in its log, see
// [ReadLog], with a "violation" for each message that breaks the rules of the protocol.
//
// The framing here is its own: a reader that shared code with the project's would share
// its mistakes.
package fakeserver
