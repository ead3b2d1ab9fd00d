package cli

import (
	"errors"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"dgplab/session/sweep"
	"dgplab/tui/report"
)

func (c *console) cancelSweepCommand() *cobra.Command {
	cells := ""
	cmd := &cobra.Command{
		Use:   "cancel NAME",
		Short: "Cancel the runs of a sweep on Slurm",
		Long: `Cancel the pending and running tasks of a sweep on Slurm. Running tasks save a
checkpoint. To continue the runs, use "dgplab sweep retry".`,
		Example: `  dgplab sweep cancel steps-star-inducing-3f09a1
  dgplab sweep cancel steps-star-inducing-3f09a1 --cells 0..3`,
		ValidArgsFunction: completeFirst(sweepNames),
		Args:              exactlyOne("sweep name"),
	}
	cmd.Flags().StringVar(&cells, "cells", "",
		"cancel the tasks of these runs alone: `numbers` from 0, as in \"sweep show\"")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		state, err := openSweep(args[0])
		if err != nil {
			return err
		}
		var some []uint64
		if cmd.Flags().Changed("cells") {
			some, err = sweep.Seeds(cells)
			if err != nil {
				return usage(cmd, "bad value: --cells: %s", err)
			}
		}
		n, err := sweep.CancelTasks(cmd.Context(), state, func(i int) bool {
			return some == nil || slices.Contains(some, uint64(i))
		})
		if err != nil {
			return err
		}
		return c.print("cancelled " + plural(n, "run") + "\n")
	}
	return cmd
}

func (c *console) retrySweepCommand() *cobra.Command {
	f := new(slurmFlags)
	s := submission{console: c, retry: true}
	cmd := &cobra.Command{
		Use:   "retry NAME",
		Short: "Submit the unfinished runs of a sweep again",
		Long: `Resubmit the runs of a sweep to Slurm that are neither done, pending nor
running: failed, cancelled and lost ones, and those with too many time limits.
Interrupted runs continue from their checkpoints. The last submission gives the
options that no flag sets.`,
		Example:           "  dgplab sweep retry steps-star-inducing-3f09a1 --time 2:00:00",
		ValidArgsFunction: completeFirst(sweepNames),
		Args:              exactlyOne("sweep name"),
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&s.dryRun, "dry-run", false, "only print the script and the commands")
	cmd.Flags().BoolVar(&s.json, "json", false, "print JSON lines")
	allowMemoryFlag(cmd, &s.allowMemory)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := f.given(cmd)
		if err != nil {
			return err
		}
		s.state, err = openSweep(args[0])
		if err != nil {
			return err
		}
		before, err := sweep.Submissions(s.state.Name)
		if err != nil {
			return err
		}
		if len(before) == 0 {
			return usage(cmd, "%s was not submitted; to continue it, run: %s --retry", s.state.Name,
				sweepCommandLine(s.state.Name))
		}
		s.allowMemory = s.allowMemory || before[len(before)-1].AllowMemory
		last := before[len(before)-1].Options
		if len(given.Setup) > 0 {
			last.Setup = nil
		}
		if len(given.Sbatch) > 0 {
			last.Sbatch = nil
		}
		s.options = given.Over(last)
		return s.run(cmd.Context(), func(err error) error { return err })
	}
	return cmd
}

func (c *console) throttleSweepCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "throttle NAME N",
		Short: "Change how many tasks of a sweep run at the same time",
		Long: `Change the maximum number of tasks of a sweep that run at the same time on Slurm.
Running tasks are not stopped.`,
		Example:           "  dgplab sweep throttle steps-star-inducing-3f09a1 32",
		ValidArgsFunction: completeFirst(sweepNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage(cmd, "want a sweep name and a number, not %s", plural(len(args), "argument"))
			}
			n, err := strconv.Atoi(args[1])
			if err != nil || n < 1 {
				return usage(cmd, "%q is not a whole number from 1", args[1])
			}
			state, err := openSweep(args[0])
			if err != nil {
				return err
			}
			_, err = sweep.Throttle(cmd.Context(), state, func(int) int { return n })
			if errors.Is(err, sweep.ErrNoTasks) {
				return c.print(oneLine(err) + "\n")
			}
			if err != nil {
				return err
			}
			return c.print("at most " + report.Grouped(n) + " tasks at the same time\n")
		},
	}
}
