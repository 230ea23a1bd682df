// Package abi is the contract between the host and a WebAssembly provider module, version
// 1: names, signatures, status values and limits, as constants and tables that both sides
// share. It has no code of either side and builds for wasip1.
//
// SPEC.md beside it says the same for people who write modules in any language.
package abi
