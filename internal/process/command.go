package process

import (
	"os"
	"os/exec"
)

// command runs argv with these pipes, and with no environment but the one that
// was asked for.
func command(c Command, argv []string, stdio [3]*os.File) *exec.Cmd {
	return &exec.Cmd{
		Path:   argv[0],
		Args:   argv,
		Env:    append([]string{}, c.Env...),
		Dir:    c.Dir,
		Stdin:  stdio[0],
		Stdout: stdio[1],
		Stderr: stdio[2],
	}
}

func argv(c Command) []string { return append([]string{c.Path}, c.Args...) }
