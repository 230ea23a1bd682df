package walk

import (
	"encoding/json"
	"path"
	"path/filepath"
)

func cpp(root string) language {
	return language{
		library: ".h", extension: ".cpp", comment: "//",
		print: func(t *text, f *file) {
			if f.declares != "" {
				t.line("#pragma once")
			}
			for _, name := range f.used() {
				t.line("#include \"" + name + ".h\"")
			}
			for _, name := range f.implements {
				t.line("struct <<i:" + name + ":" + implementerOf(f, name) + ">> : <<m:" + name + ">> {")
				t.line("  void do" + name + "() override {}")
				t.line("};")
			}
			switch {
			case f.abstract:
				t.line("/// It is " + f.stamp() + ".")
				t.line("struct <<d:" + f.declares + ">> {")
				t.line("  virtual void do" + f.declares + "() = 0;")
				t.line("};")
				return
			case f.declares != "":
				t.line("/// It is " + f.stamp() + ".")
				t.line("inline int <<d:" + f.declares + ">>(int " + f.stamp() + ") {")
			default:
				t.line("int " + f.id + "() {")
			}
			for _, name := range f.calls {
				t.line("  /* é😀 */ <<c:" + name + ">>(1);")
			}
			t.line("  return 0;")
			t.line("}")
		},
		project: func(w *world) map[string]string {
			type command struct {
				Directory string   `json:"directory"`
				File      string   `json:"file"`
				Arguments []string `json:"arguments"`
			}
			var commands []command
			for _, user := range w.users() {
				file := path.Join(filepath.ToSlash(root), user+".cpp")
				commands = append(commands, command{root, file, []string{"clang++", "-std=c++17", "-I", "lib", "-c", file}})
			}
			database, _ := json.MarshalIndent(commands, "", " ") // of strings: it cannot fail
			return map[string]string{"compile_commands.json": string(database) + "\n"}
		},
	}
}
