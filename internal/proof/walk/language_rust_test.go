package walk

import (
	"fmt"
	"strings"
)

func rust(string) language {
	return language{
		library: ".rs", extension: ".rs", comment: "//", leavesOut: true,
		print: func(t *text, f *file) {
			for _, name := range f.implements {
				t.line("pub struct " + implementerOf(f, name) + ";")
				t.line("impl " + inCrate("m", name) + " for <<i:" + name + ":" + implementerOf(f, name) + ">> {")
				t.line("    fn do_it(&self) {}")
				t.line("}")
			}
			switch {
			case f.abstract:
				t.line("/// It is " + f.stamp() + ".")
				t.line("pub trait <<d:" + f.declares + ">> {")
				t.line("    fn do_it(&self);")
				t.line("}")
				return
			case f.declares != "":
				t.line("/// It is " + f.stamp() + ".")
				t.line("pub fn <<d:" + f.declares + ">>(" + f.stamp() + ": i32) -> i32 {")
			default:
				t.line("pub fn run() -> i32 {")
			}
			for _, name := range f.calls {
				t.line("    /* é😀 */ " + inCrate("c", name) + "(1);")
			}
			t.line("    0")
			t.line("}")
		},
		project: func(w *world) map[string]string {
			var modules strings.Builder
			for _, path := range w.paths() {
				if w.leftOut && isAside(path) {
					continue
				}
				module := w.files[path].id
				if name := w.files[path].declares; name != "" {
					module = name + "_rs"
				}
				fmt.Fprintf(&modules, "#[path = \"../%s.rs\"]\npub mod %s;\n", path, module)
			}
			return map[string]string{
				"Cargo.toml": "[package]\nname = \"walk\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
				"Cargo.lock": "version = 3\n\n[[package]]\nname = \"walk\"\nversion = \"0.1.0\"\n",
				"src/lib.rs": modules.String(),
			}
		},
	}
}

func inCrate(role, name string) string {
	return "crate::" + name + "_rs::<<" + role + ":" + name + ">>"
}
