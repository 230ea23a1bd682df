package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/navseam/navseam/providers/wasm-sdk/wasmsdktest"
	"github.com/navseam/navseam/seam"
)

// at is the position of the text between « and » in a document, and the document without them.
func at(t *testing.T, marked string) (document string, p seam.Position) {
	t.Helper()
	before, rest, found := strings.Cut(marked, "«")
	if !found {
		t.Fatalf("no « in %q", marked)
	}
	p, err := seam.NewText(before).Position(len(before))
	if err != nil {
		t.Fatal(err)
	}
	return before + strings.ReplaceAll(rest, "»", ""), p
}

// places is the locations as LINE:CHARACTER-CHARACTER, counted from zero.
func places(answer wasmsdktest.Answer) string {
	var all []string
	for _, l := range answer.Locations {
		all = append(all, fmt.Sprintf("%d:%d-%d", l.Range.Start.Line, l.Range.Start.Character, l.Range.End.Character))
	}
	return strings.Join(all, " ")
}

func TestNavigation(t *testing.T) {
	cases := []struct {
		what, document  string
		definition      string
		references      string
		implementations string
	}{
		{"a type", "type A { a: «A»! }\n", "0:5-6", "0:5-6 0:12-13", ""},
		{"its name", "type «A»", "0:5-6", "0:5-6", ""},
		{"behind its name", "type A«», B", "0:5-6", "0:5-6", ""},
		{"lists", "type A { a: [[«A»!]!]! }", "0:5-6", "0:5-6 0:14-15", ""},
		{"an argument", "type A { b(a: «A»): B }", "0:5-6", "0:5-6 0:14-15", ""},
		{"UTF-16", "type A { \"🦊語\" a: «A» }", "0:5-6", "0:5-6 0:18-19", ""},
		{"CRLF", "# A\r\ntype A\r\n\r\ntype B { a: «A» }", "1:5-6", "1:5-6 3:12-13", ""},
		{"a keyword as a name", "type type { type: «type» }", "0:5-9", "0:5-9 0:18-22", ""},
		{"no name at all", "type A {« a: A }", "", "", ""},
		{"a field", "type A { «A»: B }", "", "", ""},
		{"an enum's value", "enum A { «A» }", "", "", ""},
		{"a default value", "type A { a(b: B = «A»): A }", "", "", ""},
		{"in a default value", "type A { a(b: B = {c: «A»}): A }", "", "", ""},
		{"a directive's argument", "type A @b(c: «A») { a: A }", "", "", ""},
		{"a directive's own argument", "scalar A\ndirective @b(a: «A») on A", "0:7-8", "0:7-8 1:16-17", ""},
		{"a directive", "directive @b on A\ntype A@«b»", "0:10-12", "0:10-12 1:6-8", ""},
		{"a comment", "type A # «A»", "", "", ""},
		{"a string", `"\"type «A»" type A`, "", "", ""},
		{"a string that does not end", "\"«A»\ntype A", "", "", ""},
		{"after one", "\"A\ntype «A»", "1:5-6", "1:5-6", ""},
		{"a block string", `"""type "«A»" \""" A""" type A`, "", "", ""},
		{"a block string that does not end", `type A """ «A»`, "", "", ""},
		{"a keyword alone", "type { b: «A» } type A type", "0:19-20", "0:10-11 0:19-20", ""},
		{"unbalanced", ")}] type A { a: «A» }}}", "0:9-10", "0:9-10 0:16-17", ""},
		{"twice", "type A type A { a: «A» }", "0:5-6 0:12-13", "0:5-6 0:12-13 0:19-20", ""},
		{
			"an interface", "interface «I»\ntype A implements I\nextend type B implements & J & I\ninterface K implements I { i: I }",
			"0:10-11", "0:10-11 1:18-19 2:31-32 3:23-24 3:30-31", "1:5-6 2:12-13 3:10-11",
		},
		{
			"a union", "union «U» = | A | B\ntype A\ntype B\nextend union U = C\nscalar C",
			"0:6-7", "0:6-7 3:13-14", "1:5-6 2:5-6 4:7-8",
		},
		{"a member", "union U = «A» type A", "0:17-18", "0:10-11 0:17-18", ""},
	}
	for _, test := range cases {
		t.Run(test.what, func(t *testing.T) {
			document, p := at(t, test.document)
			host := wasmsdktest.Host{Documents: map[string]string{"a.graphql": document}}
			ask := func(operation func(line, character uint32) int32) string {
				return places(host.Ask(t, operation, "a.graphql", p))
			}
			if got := ask(goToDefinition); got != test.definition {
				t.Errorf("definition: want %q, got %q", test.definition, got)
			}
			if got := ask(findReferences); got != test.references {
				t.Errorf("references: want %q, got %q", test.references, got)
			}
			if got := ask(goToImplementation); got != test.implementations {
				t.Errorf("implementations: want %q, got %q", test.implementations, got)
			}
		})
	}
}

func TestHover(t *testing.T) {
	cases := map[string]string{
		"«A»":                                          "",
		"type A { a: «A» }":                            "```graphql\ntype A\n```",
		"type A # a note\n scalar B @«c»":              "",
		"\"One \\\" two.\" scalar «A» @b":              "```graphql\nscalar A @b\n```\n\nOne \\\" two.",
		"\"\"\"\r\nOne\r\n\"\"\"\r\nenum «A»\r\n{ B }": "```graphql\nenum A\n```\n\nOne",
		`"""Say \""" here.""" union «A» = B`:           "```graphql\nunion A = B\n```\n\nSay \"\"\" here.",
		`"""""" type «A»`:                              "```graphql\ntype A\n```",
		"\"No\" extend type A type «A»":                "```graphql\ntype A\n```",
	}
	for marked, want := range cases {
		document, p := at(t, marked)
		host := wasmsdktest.Host{Documents: map[string]string{"a.graphql": document}}
		answer := host.Ask(t, hover, "a.graphql", p)
		got := ""
		if answer.Hover != nil {
			got = answer.Hover.Contents
		}
		if got != want {
			t.Errorf("%q: want %q, got %q", marked, want, got)
		}
	}
}

// Whatever a document is, an answer is one: places inside of it.
func FuzzDocument(f *testing.F) {
	sample, err := os.ReadFile("sample/schema.graphql")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(sample), 40)
	for _, seed := range []string{"", `"`, `"""`, `\`, "@", "type", "directive @", "type A implements", "(((", "union A =|", "#"} {
		f.Add(seed, 0)
	}
	f.Fuzz(func(t *testing.T, document string, offset int) {
		text := seam.NewText(document)
		p, err := text.Position(offset)
		if err != nil || !utf8.ValidString(document) {
			t.Skip() // no host asks that
		}
		host := wasmsdktest.Host{Documents: map[string]string{"a": document}}
		for _, operation := range []func(line, character uint32) int32{goToDefinition, findReferences, goToImplementation} {
			for _, l := range host.Ask(t, operation, "a", p).Locations {
				if _, err := text.Offset(l.Range.End); err != nil {
					t.Error(err)
				}
			}
		}
		host.Ask(t, hover, "a", p)
	})
}
