package walk

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// language prints the files of a world.
type language struct {
	library   string // extension of the files that declare
	extension string // and of the others
	comment   string
	print     func(t *text, f *file)
	project   func(w *world) map[string]string
}

// A call has characters before it that are more than one UTF-16 unit, or more than one byte.
func golang() language {
	return language{
		".go", ".go", "//",
		func(t *text, f *file) {
			if f.declares != "" {
				t.line("package lib")
				t.line("")
				t.line("// " + f.declares + " is " + version(f.version) + ".")
				t.line("func <<d:" + f.declares + ">>() string {")
				for _, name := range f.calls {
					t.line("\t_ = \"é😀\" + <<c:" + name + ">>()")
				}
				t.line("\treturn \"\"")
				t.line("}")
				return
			}
			t.line("package use")
			t.line("")
			t.line("import \"example.com/walk/lib\"")
			t.line("")
			t.line("func " + f.id + "() {")
			t.line("\t_ = lib.Anchor")
			for _, name := range f.calls {
				t.line("\t_ = \"é😀\" + lib.<<c:" + name + ">>()")
			}
			t.line("}")
		},
		func(*world) map[string]string {
			return map[string]string{"go.mod": "module example.com/walk\n\ngo 1.21\n", "lib/anchor.go": "package lib\n\n// Anchor keeps the import used.\nconst Anchor = 1\n"}
		},
	}
}

func typescript() language {
	return language{
		".ts", ".ts", "//",
		func(t *text, f *file) {
			if f.declares != "" {
				for _, name := range f.distinct() {
					t.line("import { <<m:" + name + ">> } from \"./" + name + "\";")
				}
				t.line("/** It is " + version(f.version) + ". */")
				t.line("export function <<d:" + f.declares + ">>(): string {")
				for _, name := range f.calls {
					t.line("  \"é😀\" + <<c:" + name + ">>();")
				}
				t.line("  return \"\";")
				t.line("}")
				return
			}
			for _, name := range f.distinct() {
				t.line("import { <<m:" + name + ">> } from \"../../lib/" + name + "\";")
			}
			t.line("export const " + f.id + " = 1;")
			for _, name := range f.calls {
				t.line("/* é😀 */ <<c:" + name + ">>();")
			}
		},
		func(*world) map[string]string {
			return map[string]string{"tsconfig.json": `{"compilerOptions": {"strict": true, "noEmit": true, "target": "es2020", "module": "commonjs", "types": []}, "include": ["**/*.ts"]}` + "\n"}
		},
	}
}

func python() language {
	return language{
		".py", ".py", "#",
		func(t *text, f *file) {
			if f.declares != "" {
				t.line("def <<d:" + f.declares + ">>() -> str:")
				t.line("    \"\"\"It is " + version(f.version) + ".\"\"\"")
				for _, name := range f.distinct() {
					t.line("    from lib." + name + " import <<m:" + name + ">>")
				}
				for _, name := range f.calls {
					t.line("    print(\"é😀\", <<c:" + name + ">>())")
				}
				t.line("    return \"\"")
				return
			}
			for _, name := range f.distinct() {
				t.line("from lib." + name + " import <<m:" + name + ">>")
			}
			t.line(f.id + " = 1")
			for _, name := range f.calls {
				t.line("print(\"é😀\", <<c:" + name + ">>())")
			}
		},
		func(*world) map[string]string {
			return map[string]string{"pyrightconfig.json": "{\"pythonVersion\": \"3.11\"}\n", "lib/__init__.py": ""}
		},
	}
}

func cpp(root string) language {
	return language{
		".h", ".cpp", "//",
		func(t *text, f *file) {
			if f.declares != "" {
				t.line("#pragma once")
			}
			for _, name := range f.distinct() {
				t.line("#include \"" + name + ".h\"")
			}
			if f.declares != "" {
				t.line("/// It is " + version(f.version) + ".")
				t.line("inline int <<d:" + f.declares + ">>() {")
			} else {
				t.line("int " + f.id + "() {")
			}
			for _, name := range f.calls {
				t.line("  /* é😀 */ <<c:" + name + ">>();")
			}
			t.line("  return 0;")
			t.line("}")
		},
		func(w *world) map[string]string {
			var commands []string
			for _, path := range w.users() {
				name := filepath.ToSlash(filepath.Join(root, path+".cpp"))
				commands = append(commands, fmt.Sprintf(`{"directory": %s, "file": %s, "arguments": ["clang++", "-std=c++17", "-I", "lib", "-c", %s]}`,
					strconv.Quote(root), strconv.Quote(name), strconv.Quote(name)))
			}
			return map[string]string{"compile_commands.json": "[" + strings.Join(commands, ",\n") + "]\n"}
		},
	}
}

func rust() language {
	return language{
		".rs", ".rs", "//",
		func(t *text, f *file) {
			if f.declares != "" {
				t.line("/// It is " + version(f.version) + ".")
				t.line("pub fn <<d:" + f.declares + ">>() -> i32 {")
			} else {
				t.line("pub fn run() -> i32 {")
			}
			for _, name := range f.calls {
				t.line("    /* é😀 */ crate::" + name + "_rs::<<c:" + name + ">>();")
			}
			t.line("    0")
			t.line("}")
		},
		func(w *world) map[string]string {
			var main strings.Builder
			for _, path := range w.paths() {
				module := w.files[path].id
				if name := w.files[path].declares; name != "" {
					module = name + "_rs"
				}
				fmt.Fprintf(&main, "#[path = \"../%s.rs\"]\npub mod %s;\n", path, module)
			}
			return map[string]string{
				"Cargo.toml": "[package]\nname = \"walk\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
				"Cargo.lock": "version = 3\n\n[[package]]\nname = \"walk\"\nversion = \"0.1.0\"\n",
				"src/lib.rs": main.String(),
			}
		},
	}
}
