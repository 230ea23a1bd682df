package seam_test

import (
	"context"
	"fmt"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/seam/seamtest"
)

// A registry asks the provider that serves the file's name.
func ExampleRegistry_Query() {
	place := seam.Position{Line: 0, Character: 3}
	registry := seam.NewRegistry()
	release, err := registry.Register(&seamtest.Memory{
		Name:   "notes",
		Served: seam.Routes{Extensions: map[string]string{".txt": "plaintext"}},
		Root:   "/shop",
		Files:  map[string]string{"prices.txt": "tea 3\n"},
		Answers: map[seamtest.Question]seam.Result{
			{Operation: seam.OpHover, FilePath: "prices.txt", Position: place}: seam.HoverResult{Hover: &seam.Hover{Contents: "a hot drink"}},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer release()

	result, err := registry.Query(context.Background(), seam.Request{
		Operation: seam.OpHover, FilePath: "prices.txt", Position: place, WorkspaceRoot: "/shop",
	})
	if err != nil {
		fmt.Println(seam.CodeOf(err), err)
		return
	}
	fmt.Println(result.(seam.HoverResult).Hover.Contents)

	_, err = registry.Query(context.Background(), seam.Request{FilePath: "photo.png", WorkspaceRoot: "/shop"})
	fmt.Println(seam.CodeOf(err))
	// Output:
	// a hot drink
	// LSP_UNAVAILABLE
}

// People count from one; the seam counts from zero, in UTF-16 units.
func ExampleText_Position() {
	text := seam.NewText("tea\n🍵 price\n")
	position, _ := text.Position(len("tea\n🍵 "))
	fmt.Println(position)
	fmt.Println(position.OneBased())
	// Output:
	// {1 3}
	// 2 4
}
