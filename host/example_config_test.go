package host_test

import (
	"fmt"

	"github.com/navseam/navseam/host"
)

func ExampleParse() {
	config, err := host.Parse(host.Source{Name: "navseam.yaml", Data: []byte(`
servers:
  gopls:
    command: gopls
    args: [serve]
    extensionToLanguage: {".go": go}
`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	gopls := config.Servers["gopls"]
	fmt.Println(gopls.Command, gopls.Args, gopls.KillGraceMs)
	// Output: gopls [serve] 2000
}

func ExampleParse_mistake() {
	_, err := host.Parse(host.Source{Name: "navseam.yaml", Data: []byte(`
servers:
  gopls:
    command: gopls
    extensionToLanguages: {".go": go}
`)})
	fmt.Println(err)
	// Output:
	// navseam.yaml:3:3: servers.gopls.extensionToLanguage: at least one entry is required here or under fileNameToLanguage, such as ".go": go
	//    3 |   gopls:
	//      |   ^
	// navseam.yaml:5:5: servers.gopls.extensionToLanguages: there is no such key: did you mean extensionToLanguage?
	//    5 |     extensionToLanguages: {".go": go}
	//      |     ^
}
