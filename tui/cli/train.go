package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dgplab/datasets/files"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/tui/report"
)

// trainFlags holds the flags of dgplab train.
type trainFlags struct {
	fieldFlags
	json        bool
	name        string
	resume      string
	repair      bool
	finish      bool
	data        string
	from        string
	allowMemory bool
}

// options returns the session options for the flags.
func (f *trainFlags) options(more ...session.Option) []session.Option {
	if f.allowMemory {
		more = append(more, session.AllowMemory())
	}
	return append(more, session.WithoutLiveDiagnostics())
}

func (c *console) trainCommand() *cobra.Command {
	f := new(trainFlags)
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a model without the workbench",
		Long: `Train a model without the workbench, evaluate it on the test set and print the
result. All files are saved in a run directory (see "dgplab runs").

With --json, standard output has one JSON object per report line and a final
summary. Values that were not measured are null. The line of the last step may
be repeated with its validation score. The summary has the same fields as
summary.json in the run directory.

Ctrl-C stops after the current step, saves a checkpoint, evaluates the model,
and exits with status 130. SIGTERM and SIGHUP save a checkpoint and exit without
evaluation. A second Ctrl-C or SIGTERM exits at once with status 131; the run
then continues from an earlier checkpoint. --resume continues such a run; the
result is the same as without the interruption. If files of the run are
damaged or missing, --resume fails unless --repair is set, which uses the intact
parts.

The learning rate falls over the last steps of a run; --steps continues a run from
its state before. --resume with --finish lets the rate of a stopped run fall from
now on.

--from starts a new run with the values of an existing one, except for those set
by flags. --warm-start initialises the model with the parameters of a run as far
as they match; the posterior of a smaller family is reproduced in a larger one.
--dataset accepts pipes, and - for standard input. Runs on such data cannot be
resumed.

--budget 5m times the first steps and then trains for as many as fit, at most
--steps. The schedule of the learning rate shrinks with the number of steps, and
default inducing points are halved if fewer than 1,000 steps would fit. All of
it is recorded: resumed runs and --from do not depend on time.

Other statuses: 0 success, 1 the run failed, 2 invalid command line.`,
		Example: `  dgplab train --dataset mountaincar --family star --set inducing=64 --steps 2000
  dgplab train --dataset table.csv --target price --family svgp --json > run.jsonl
  dgplab train --dataset table.csv --family fully-coupled --budget 5m
  dgplab train --resume 20250131-142501
  dgplab train --from 20250131-142501 --set inducing=128
  dgplab train --from 20250131-142501 --family fully-coupled --warm-start 20250131-142501`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.train(cmd, f) },
	}
	f.register(cmd, false)
	cmd.Flags().StringVar(&f.name, "name", "", "`name` of the run, which can be used instead of its ID")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON lines")
	cmd.Flags().StringVar(&f.resume, "resume", "",
		"continue this `run`; --steps may raise its limit")
	cmd.Flags().BoolVar(&f.repair, "repair", false,
		"with --resume, continue with the intact parts of damaged files")
	cmd.Flags().BoolVar(&f.finish, "finish", false,
		"with --resume, let the learning rate fall from now on")
	cmd.Flags().StringVar(&f.from, "from", "",
		"fork this `run`, with the values set by other flags")
	dataFlag(cmd, &f.data)
	allowMemoryFlag(cmd, &f.allowMemory)
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		"resume": complete(runNames), "from": complete(runNames),
	})
	return cmd
}

// train runs dgplab train.
func (c *console) train(cmd *cobra.Command, f *trainFlags) error {
	config, err := f.config(cmd)
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("resume") {
		return c.resume(cmd, f)
	}
	switch {
	case f.repair:
		return usage(cmd, "--repair needs --resume")
	case f.finish:
		return usage(cmd, "--finish needs --resume")
	case f.data != "":
		return usage(cmd, "--data needs --resume; --dataset names the data of a new run")
	}
	if cmd.Flags().Changed("from") {
		return c.fork(cmd, f, config)
	}
	return c.start(cmd, withDefaults(config), f, "")
}

// start prints the preface and trains a new run.
func (c *console) start(
	cmd *cobra.Command, config rundir.Config, f *trainFlags, preface string, options ...session.Option,
) error {
	gentle, firm := c.watchSignals(cmd.Context(), stopHint)
	if err := check(cmd, config); err != nil {
		return err
	}
	if err := rundir.CheckName(f.name); err != nil {
		return usage(cmd, "bad value: --name: %s", err)
	}
	if err := c.print(preface); err != nil {
		return err
	}
	var pipe *files.StoredPipe
	if cmd.Flags().Changed("dataset") { // A fork must not read the pipe of its parent.
		var err error
		pipe, err = c.pipedData(gentle, config.Dataset)
		if errors.Is(err, context.Canceled) {
			return interruptedBefore
		}
		if err != nil {
			return err
		}
	}
	if pipe != nil {
		defer pipe.Close()
		c.say("a run on data from a pipe can be neither resumed nor used for predictions")
	}
	// Check the data before a run directory is created.
	inspector := session.Inspector{AllowMemory: f.allowMemory, Pipe: pipe, Once: true}
	preview, err := inspector.Inspect(gentle, config)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return interruptedBefore
		}
		return blame(cmd, config, err)
	}
	said := remarks{}
	said.ofData(c, preview.Notes, preview.Warnings)
	options = append(options, session.WithPipe(pipe), session.WithDataOf(&inspector))
	run, err := session.Start(firm, config, f.options(options...)...)
	if err != nil {
		return err
	}
	if f.name != "" {
		if err := rundir.Annotate(run.ID(), func(n *rundir.Notes) { n.Name = f.name }); err != nil {
			c.say("warning: cannot name the run: %s", oneLine(err))
		}
	}
	return c.follow(gentle, run, c.newReporter(f.json, run, 0), said, &preview)
}

// resume continues an existing run.
func (c *console) resume(cmd *cobra.Command, f *trainFlags) error {
	name := changedFlag(cmd, "resume", "repair", "finish", "steps", "json", "data", "allow-memory")
	if name != "" {
		return usage(cmd, "--%s cannot be used with --resume: the run keeps its configuration; only --steps "+
			"may be raised", name)
	}
	options := f.options()
	data, err := dataPath(f.data)
	if err != nil {
		return err
	}
	options = append(options, session.WithData(data))
	if f.repair {
		options = append(options, session.WithRepair())
	}
	if cmd.Flags().Changed("steps") {
		text := cmd.Flags().Lookup("steps").Value.String()
		steps, err := strconv.Atoi(text)
		if err != nil || steps < 1 {
			return usage(cmd, "bad value: --steps=%s; want a whole number from 1", text)
		}
		options = append(options, session.WithSteps(steps))
	}
	if f.finish {
		options = append(options, session.WithFinish())
	}
	stopped, err := rundir.FindReadOnly(f.resume)
	if err != nil {
		return noRun(err, "dgplab runs")
	}
	gentle, firm := c.watchSignals(cmd.Context(), stopHint)
	run, err := session.Resume(firm, stopped.ID, options...)
	if err != nil {
		return err
	}
	return c.follow(gentle, run, c.newReporter(f.json, run, run.StartStep()), remarks{}, nil)
}

// interruptedBefore is the error of a command that is interrupted before it starts a run.
var interruptedBefore = &interruptedError{"interrupted before the run started"}

const stopHint = "stopping after this step; press Ctrl-C again to stop immediately"

// reporter reports the progress of a run.
type reporter interface {
	// report is called periodically with the newest snapshot.
	report(s *session.Snapshot) error
	// end is called once after report, with the last snapshot.
	end(s *session.Snapshot) error
}

func (c *console) newReporter(json bool, run *session.Run, from int) reporter {
	if json {
		return newJSONReporter(c, run, from)
	}
	return newPlainReporter(c)
}

// reportPeriod is the interval between calls of report.
const reportPeriod = 100 * time.Millisecond

// follow reports the progress of a run until it ends, and returns its error. When gentle is cancelled, the
// run is asked to stop. said holds the remarks written so far. Training does not wait for standard output. If
// writing fails, the run is stopped with a checkpoint.
func (c *console) follow(
	gentle context.Context, run *session.Run, r reporter, said remarks, plan *session.Preview,
) error {
	defer context.AfterFunc(gentle, run.Stop)()
	err := poll(run.Done(), func() error {
		s := run.Latest()
		said.of(c, s.Notes, s.Warnings)
		said.ofTime(c, s, plan)
		return r.report(s)
	})
	if err == nil {
		err = r.end(run.Wait())
	}
	if err != nil {
		run.Stop()
		return outputLost(run.Wait(), err)
	}
	return verdict(run.Latest())
}

// poll calls report periodically until done is closed, and then once more. It stops at the first error.
func poll(done <-chan struct{}, report func() error) error {
	tick := time.NewTicker(reportPeriod)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := report(); err != nil {
				return err
			}
		case <-done:
			return report()
		}
	}
}

// verdict returns an error if the run failed or was interrupted.
func verdict(s *session.Snapshot) error {
	switch s.Stop {
	case rundir.StopFailed:
		return runFailed(s)
	case rundir.StopAsked:
		return &interruptedError{"interrupted at " + place(s)}
	}
	return nil
}

// outputLost returns the error of a run that could not be reported.
func outputLost(s *session.Snapshot, err error) error {
	switch {
	case s.Stop == rundir.StopFailed:
		return runFailed(s)
	case s.Stop != rundir.StopAsked:
		text := "cannot write the result (" + oneLine(err) + "); to see it, run: dgplab runs show " + s.ID
		if withoutReader(err) != "" {
			return &interruptedError{text}
		}
		return errors.New(text)
	case withoutReader(err) != "":
		return &interruptedError{withoutReader(err) + "; stopped at " + place(s)}
	}
	return cannotWrite(err, "stopped at "+place(s))
}

// cannotWrite returns an error about writing to standard output, for example on a full disk. then describes
// the consequence.
func cannotWrite(err error, then string) error {
	return fmt.Errorf("standard output: %s; %s", oneLine(err), then)
}

// runFailed returns the error of a failed run.
func runFailed(s *session.Snapshot) error {
	return fmt.Errorf("run failed: %s; its files are in %s", oneLine(s.Err), s.Dir)
}

// place describes where a run stopped and how to continue it.
func place(s *session.Snapshot) string {
	kept := "no checkpoint yet"
	if s.CheckpointStep >= 0 {
		kept = "checkpoint saved"
	}
	return "step " + report.Grouped(s.Step) + ", " + kept +
		"; to continue, run: " + report.Program() + " train --resume " + s.ID
}

// fork starts a run with the configuration of an existing run. given is the configuration from the flags.
func (c *console) fork(cmd *cobra.Command, f *trainFlags, given rundir.Config) error {
	parent, err := findRun(f.from)
	if err != nil {
		return err
	}
	if parent.State == rundir.Broken {
		return fmt.Errorf("%s cannot be forked: %w", parent.ID, parent.Err)
	}
	// For unknown names, suggest similar ones.
	given.Family = cmp.Or(given.Family, parent.Config.Family)
	if err := cmp.Or(checkFamily(cmd, given.Family), checkSet(cmd, given)); err != nil {
		return err
	}
	if given.Dataset != "" {
		if err := checkDataset(cmd, given.Dataset); err != nil {
			return err
		}
	}
	changes := maps.Clone(given.Set)
	for name := range f.given(cmd) {
		changes[name] = given.Field(name)
	}
	if len(given.Targets) > 0 {
		changes[rundir.TargetsField] = given.Field(rundir.TargetsField)
	}
	if f.columns.given(cmd) {
		chosen := given.Columns
		if given.Dataset == "" {
			chosen, err = f.columns.choices(cmd, parent.Config.Columns)
			if err != nil {
				return err
			}
		}
		changes[rundir.ColumnsField] = rundir.Config{Columns: chosen}.Field(rundir.ColumnsField)
	}
	forked, err := config.Fork(parent, changes)
	if err != nil {
		return refusedValue(cmd, given.Family, err)
	}
	c.say("fork of %s: %s", parent.ID, changeLine(parent, forked))
	return c.start(cmd, forked, f, "", session.WithParent(parent.ID))
}

// changeLine describes in one line the differences between a configuration and its parent's.
func changeLine(parent rundir.Info, forked rundir.Config) string {
	var parts []string
	fork := rundir.Info{ConfigFile: rundir.ConfigFile{Config: forked, Values: forked.Set}}
	for _, d := range config.Differences([]rundir.Info{parent, fork}) {
		parts = append(parts, d.Field+" "+cmp.Or(d.Values[0], "-")+" to "+cmp.Or(d.Values[1], "-"))
	}
	if len(parts) == 0 {
		return "no changes"
	}
	return strings.Join(parts, ", ")
}
