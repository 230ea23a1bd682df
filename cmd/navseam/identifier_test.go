package main

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func TestFirstIdentifier(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"Go":                  {"// Package main is a program.\npackage main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println() }\n", "main 5:5"},
		"Go method":           {"package a\n\nfunc (t *T) Name() {}\n\ntype T struct{}\nvar xy = 1\n", "xy 5:4"},
		"Go package alone":    {"// Package documents says nothing.\npackage documents\n", "documents 1:8"},
		"TypeScript":          {"import {a} from 'b';\n\nexport class Shop extends Base {}\n", "Shop 2:13"},
		"Python":              {"#!/usr/bin/env python\n\"\"\"def not_this\n\"\"\"\nimport os\n\ndef run(x):\n    pass\n", "run 5:4"},
		"C":                   {"#include <stdio.h>\n/* int not_this\n */ int main(void) { return 0; }\n", "main 2:8"},
		"Rust":                {"#[derive(Debug)]\npub struct Point { x: i32 }\n", "Point 1:11"},
		"Lua":                 {"-- local not_this\nlocal function go_on() end\n", "go_on 1:15"},
		"HTML":                {"<!-- <title> -->\n<html lang=\"de\">\n", "lang 1:6"},
		"YAML":                {"# comment\nname: value\n", "name 1:0"},
		"GraphQL":             {"\"\"\"A type of\nthis\"\"\"\ntype Query { find: Node }\n", "Query 2:5"},
		"SQL":                 {"-- create table no\ncreate table people (id int);\n", "table 1:7"},
		"one letter is short": {"let x = 1\nlet yes = 2\n", "yes 1:4"},
		"no definition":       {"word\n", "word 0:0"},
		"after wide letters":  {"/* 😀 */ let ñandú = 1\n", "ñandú 0:13"},
		"in a string":         {"'let not_this' + \"let nor_this\"\nabc\n", "abc 1:0"},
		"an apostrophe":       {"don't stop\n", "stop 0:6"},
		"a quoted quote":      {`"a \" let no" let yes`, "yes 0:18"},
		"digits":              {"12 34ab 5\n", ""},
		"nothing":             {"", ""},
		"comments alone":      {"// a\n/* b\n c", ""},
		"never closed":        {"/* a\nfunc no()\n", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			symbol, at, ok := firstIdentifier(test.text)
			got := ""
			if ok {
				got = symbol + " " + fmt.Sprintf("%d:%d", at.Line, at.Character)
			}
			require.Equal(t, test.want, got)
		})
	}
}

func FuzzFirstIdentifier(f *testing.F) {
	f.Add("func main() {}\n/* x */ 'a' \"b\\\"\n")
	f.Add("a\r\nlet 😀b\n\"\"\"")
	f.Fuzz(func(t *testing.T, text string) {
		symbol, at, ok := firstIdentifier(text)
		if !ok || !utf8.ValidString(text) { // other texts are never served
			return
		}
		require.NoError(t, seam.CheckPosition(text, at))
		line, _ := seam.NewText(text).Line(at.Line)
		offset, err := seam.NewText(line).Offset(seam.Position{Character: at.Character})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(line[offset:], symbol))
	})
}
