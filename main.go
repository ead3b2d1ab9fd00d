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
	// With SIGPIPE ignored, a write to a closed pipe returns an error instead of killing the
	// process, so a run can save its checkpoint.
	signal.Ignore(syscall.SIGPIPE)
	streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	os.Exit(cli.Run(context.Background(), streams, os.Args[1:]))
}
