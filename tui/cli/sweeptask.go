package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"dgplab/session/sweep"
)

// taskFlags are the flags of dgplab sweep task.
type taskFlags struct {
	list, cells        string
	retry, allowMemory bool
}

func (c *console) sweepTaskCommand() *cobra.Command {
	f := new(taskFlags)
	cmd := &cobra.Command{
		Use:   "task NAME",
		Short: "Train runs of a sweep, as one of many tasks",
		Long: `Train runs of a sweep, one after another, until none is left. The scripts of
"dgplab sweep --on slurm" call this command. Other engines can call it as well:
"dgplab sweep --on none" creates a sweep without training it, and its runs are
numbered from 0. Tasks may run at the same time on machines that share the
folder of runs: each takes the next run that no other task trains.

Finished runs are skipped, and interrupted runs continue from their checkpoints.
A Slurm task leaves the runs of other tasks to them. Without Slurm the task waits
for runs that another process trains. Under Slurm the task uses
SLURM_CPUS_PER_TASK cores. On SIGUSR2, which announces the time limit, it saves a
checkpoint and queues itself again. On SIGTERM, SIGINT and SIGHUP it saves a
checkpoint and exits with status 130.

Other statuses: 0 success, 1 a run failed, 2 invalid command line.`,
		Example: `  dgplab sweep task steps-star-3f09a1
  seq 0 29 | parallel dgplab sweep task steps-star-3f09a1 --cells {}`,
		ValidArgsFunction: completeFirst(sweepNames),
		Args:              exactlyOne("sweep name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.sweepTask(cmd, args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.cells, "cells", "", "`numbers` of the runs from 0, such as 7 or 0..3 (default all)")
	flags.StringVar(&f.list, "list", "", "train the runs in this `list` of a submission")
	flags.BoolVar(&f.retry, "retry", false, "retry failed runs")
	allowMemoryFlag(cmd, &f.allowMemory)
	return cmd
}

// sweepTask runs dgplab sweep task.
func (c *console) sweepTask(cmd *cobra.Command, name string, f *taskFlags) error {
	task := sweep.Task{Sweep: name, List: f.list, Retry: f.retry, AllowMemory: f.allowMemory, Log: c.say}
	if cmd.Flags().Changed("list") {
		if cmd.Flags().Changed("cells") {
			return usage(cmd, "--cells cannot be used with --list")
		}
		if err := sweep.CheckName(f.list); err != nil {
			return usage(cmd, "bad value: --list: %s", err)
		}
	}
	if cmd.Flags().Changed("cells") {
		numbers, err := sweep.Seeds(f.cells)
		if err != nil {
			return usage(cmd, "bad value: --cells: %s", err)
		}
		for _, n := range numbers {
			if n > uint64(sweep.MaxCells) {
				return usage(cmd, "bad value: --cells=%s; a sweep has at most %d runs", f.cells,
					sweep.MaxCells)
			}
			task.Positions = append(task.Positions, int(n))
		}
	}
	if n, err := strconv.Atoi(os.Getenv("SLURM_CPUS_PER_TASK")); err == nil && n > 0 {
		runtime.GOMAXPROCS(n)
	}
	ctx, release := taskSignals(cmd.Context())
	defer release()
	defer context.AfterFunc(ctx, c.end)()
	result, err := task.Run(ctx)
	switch {
	case result.Requeued:
		return nil
	case errors.Is(err, sweep.ErrTerminated), errors.Is(err, sweep.ErrTimeLimit):
		return &interruptedError{oneLine(err)}
	case errors.Is(err, sweep.ErrNone):
		return &usageError{oneLine(err), "dgplab sweep list"}
	case err == nil && result.Failed > 0:
		return fmt.Errorf("%s failed", plural(result.Failed, "run"))
	}
	return err
}

// taskSignals returns a context that ends at the first signal, with the cause of the end.
func taskSignals(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	heard := make(chan os.Signal, 4)
	wanted := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
	if timeLimitSignal != nil {
		wanted = append(wanted, timeLimitSignal)
	}
	signal.Notify(heard, wanted...)
	done := make(chan struct{})
	go func() {
		select {
		case <-done:
		case s := <-heard:
			if s == timeLimitSignal {
				cancel(sweep.ErrTimeLimit)
			} else {
				cancel(sweep.ErrTerminated)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(heard)
		close(done)
		cancel(nil)
	}
}
