// Package wasmsdktest runs the functions that a module exports in an ordinary Go test: without
// WebAssembly, with the debugger, coverage and race detector at hand.
//
//	host := wasmsdktest.Host{Documents: map[string]string{"a.graphql": "type A { b: B }\ntype B"}}
//	answer := host.Ask(t, goToDefinition, "a.graphql", seam.Position{Line: 0, Character: 12})
//
// The host here is made of what the test gives it. It is as strict as the real one about what
// a module hands over, and looser about limits, rules and time: for those there is
// "navseam module test".
package wasmsdktest
