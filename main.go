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
	// A reader that goes away is an error of the write, not the end of the process:
	// a run then keeps its checkpoint.
	signal.Ignore(syscall.SIGPIPE)
	streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	os.Exit(cli.Run(context.Background(), streams, os.Args[1:]))
}
