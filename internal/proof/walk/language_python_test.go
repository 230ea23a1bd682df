package walk

func python(string) language {
	return language{
		library: ".py", extension: ".py", comment: "#", leavesOut: true,
		print: func(t *text, f *file) {
			if f.declares != "" {
				pythonLibrary(t, f)
				return
			}
			for _, name := range f.used() {
				t.line("from lib." + name + " import <<m:" + name + ">>")
			}
			t.line(f.id + " = 1")
			for _, name := range f.implements {
				t.line("class <<i:" + name + ":" + implementerOf(f, name) + ">>(<<m:" + name + ">>):")
				t.line("    def do_" + name + "(self) -> None: ...")
			}
			for _, name := range f.calls {
				t.line("print(\"é😀\", <<c:" + name + ">>(1))")
			}
		},
		project: func(w *world) map[string]string {
			exclude := `"**/.*"`
			if w.leftOut {
				exclude += `, "` + aside + `"`
			}
			return map[string]string{"pyrightconfig.json": `{"pythonVersion": "3.11", "exclude": [` + exclude + "]}\n", "lib/__init__.py": ""}
		},
	}
}

func pythonLibrary(t *text, f *file) {
	if f.abstract {
		t.line("class <<d:" + f.declares + ">>:")
		t.line("    \"\"\"It is " + f.stamp() + ".\"\"\"")
		t.line("    def do_" + f.declares + "(self) -> None: ...")
		return
	}
	t.line("def <<d:" + f.declares + ">>(" + f.stamp() + ": int) -> str:")
	t.line("    \"\"\"It is " + f.stamp() + ".\"\"\"")
	for _, name := range f.used() {
		t.line("    from lib." + name + " import <<m:" + name + ">>")
	}
	for _, name := range f.calls {
		t.line("    print(\"é😀\", <<c:" + name + ">>(1))")
	}
	t.line("    return \"\"")
}
