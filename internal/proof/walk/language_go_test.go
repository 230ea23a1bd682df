package walk

func golang(string) language {
	return language{
		library: ".go", extension: ".go", comment: "//", leavesOut: true,
		print: func(t *text, f *file) {
			if f.declares != "" {
				golangLibrary(t, f)
				return
			}
			t.line("package use")
			t.line("")
			t.line("import \"example.com/walk/lib\"")
			t.line("")
			for _, name := range f.implements {
				t.line("type <<i:" + name + ":" + implementerOf(f, name) + ">> struct{}")
				t.line("")
				t.line("func (" + implementerOf(f, name) + ") Do" + name + "() {}")
				t.line("")
				t.line("var _ lib.<<m:" + name + ">> = " + implementerOf(f, name) + "{}")
				t.line("")
			}
			t.line("func " + f.id + "() {")
			t.line("\t_ = lib.Anchor")
			for _, name := range f.calls {
				t.line("\t_ = \"é😀\" + lib.<<c:" + name + ">>(1)")
			}
			t.line("}")
		},
		project: func(w *world) map[string]string {
			texts := map[string]string{
				"go.mod":        "module example.com/walk\n\ngo 1.21\n",
				"lib/anchor.go": "package lib\n\n// Anchor keeps the import used.\nconst Anchor = 1\n",
			}
			if w.leftOut { // a module of its own
				texts[aside+"/go.mod"] = "module example.com/aside\n\ngo 1.21\n"
			}
			return texts
		},
	}
}

func golangLibrary(t *text, f *file) {
	t.line("package lib")
	t.line("")
	t.line("// " + f.declares + " is " + f.stamp() + ".")
	if f.abstract {
		t.line("type <<d:" + f.declares + ">> interface{ Do" + f.declares + "() }")
		return
	}
	t.line("func <<d:" + f.declares + ">>(" + f.stamp() + " int) string {")
	for _, name := range f.calls {
		t.line("\t_ = \"é😀\" + <<c:" + name + ">>(1)")
	}
	t.line("\treturn \"\"")
	t.line("}")
}
