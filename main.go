// Dgplab is an interactive terminal workbench for deep Gaussian processes.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"dgplab/tui/cli"
)

func main() {
	// A closed pipe should be a write error, so that a run keeps its checkpoint, and not kill the
	// process.
	signal.Ignore(syscall.SIGPIPE)
	streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	os.Exit(cli.Run(context.Background(), streams, os.Args[1:]))
}
