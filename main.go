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
	// Writing to a closed pipe should return an error, which lets a run keep its checkpoint,
	// instead of killing the process.
	signal.Ignore(syscall.SIGPIPE)
	streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	os.Exit(cli.Run(context.Background(), streams, os.Args[1:]))
}
