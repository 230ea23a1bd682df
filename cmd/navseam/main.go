// Command navseam asks language servers and modules where code is defined, used and implemented, and
// what is known of it. Run it without arguments for what it can do.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(run(interruptible(), os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// interruptible is a context that ends at the first signal. From then on signals do what
// they do by themselves: the second one ends the process at once.
func interruptible() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		first := <-signals
		signal.Stop(signals)
		cancel(fmt.Errorf("%s signal", first))
	}()
	return ctx
}

// run runs a command and returns the exit status.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &console{getenv: getenv, stdin: stdin, stdout: stdout, stderr: stderr}
	if len(args) == 0 {
		c.complain(overview())
		return statusUsage
	}
	name, args := args[0], args[1:]
	if wantsHelp(name) {
		return help(ctx, c, args)
	}
	command, found := commandNamed(name)
	if !found {
		return c.report(unknownCommand(name))
	}
	return command.run(ctx, c, args)
}
