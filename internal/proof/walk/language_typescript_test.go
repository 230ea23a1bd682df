package walk

import (
	"path"
	"strings"
)

func typescript(string) language {
	return language{
		library: ".ts", extension: ".ts", comment: "//", leavesOut: true,
		print: func(t *text, f *file) {
			library := strings.Repeat("../", strings.Count(path.Dir(t.file), "/")+1) + "lib/"
			for _, name := range f.used() {
				t.line("import { <<m:" + name + ">> } from \"" + library + name + "\";")
			}
			if f.declares != "" {
				typescriptLibrary(t, f)
				return
			}
			t.line("export const " + f.id + " = 1;")
			for _, name := range f.implements {
				t.line("export class <<i:" + name + ":" + implementerOf(f, name) + ">> implements <<m:" + name + ">> {")
				t.line("  do" + name + "(): void {}")
				t.line("}")
			}
			for _, name := range f.calls {
				t.line("/* é😀 */ <<c:" + name + ">>(1);")
			}
		},
		project: func(w *world) map[string]string {
			exclude := ""
			if w.leftOut {
				exclude = `, "exclude": ["` + aside + `"]`
			}
			return map[string]string{"tsconfig.json": `{"compilerOptions": {"strict": true, "noEmit": true, "target": "es2020", "module": "commonjs", "types": []}, "include": ["**/*.ts"]` + exclude + "}\n"}
		},
	}
}

func typescriptLibrary(t *text, f *file) {
	t.line("/** It is " + f.stamp() + ". */")
	if f.abstract {
		t.line("export interface <<d:" + f.declares + ">> {")
		t.line("  do" + f.declares + "(): void;")
		t.line("}")
		return
	}
	t.line("export function <<d:" + f.declares + ">>(" + f.stamp() + ": number): string {")
	for _, name := range f.calls {
		t.line("  \"é😀\" + <<c:" + name + ">>(1);")
	}
	t.line("  return \"\";")
	t.line("}")
}
