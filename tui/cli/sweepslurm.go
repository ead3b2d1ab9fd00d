package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/slurm"
	"dgplab/session/sweep"
	"dgplab/tui"
	"dgplab/tui/report"
)

// The places where a sweep is trained, as values of --on.
const (
	onLocal = "local"
	onNone  = "none"
	onSlurm = "slurm"
)

// slurmFlags are the flags of submissions to Slurm.
type slurmFlags struct {
	options  slurm.Options
	timeouts int
}

// register adds the flags to a command.
func (f *slurmFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	for _, text := range []struct {
		name, help string
		value      *string
	}{
		{"time", "Slurm: time `limit` of a task, as for sbatch (default twice the estimate)",
			&f.options.Time},
		{"mem", "Slurm: `memory` of a task, as for sbatch (default from the estimate)", &f.options.Mem},
		{"partition", "Slurm: `name` of the partition", &f.options.Partition},
		{"account", "Slurm: `name` of the account", &f.options.Account},
		{"qos", "Slurm: `name` of the quality of service", &f.options.QOS},
		{"constraint", "Slurm: features of nodes, as `text` for sbatch", &f.options.Constraint},
	} {
		flags.StringVar(text.value, text.name, "", text.help)
	}
	flags.IntVar(&f.options.CPUs, "cpus", 0, "Slurm: `number` of cores of a task (default 1)")
	flags.IntVar(&f.options.Parallel, "parallel", 0, fmt.Sprintf(
		"Slurm: maximum `number` of tasks that run at the same time (default %d)", slurm.DefaultParallel))
	flags.IntVar(&f.timeouts, "timeouts", slurm.DefaultTimeouts,
		"Slurm: `number` of times that a task continues after its time limit")
	flags.IntVar(&f.options.Pack, "pack", 0,
		"Slurm: `number` of runs of a task, one after another, for short runs (default 1)")
	flags.StringArrayVar(&f.options.Setup, "setup", nil,
		"Slurm: `line` of shell before the program, such as \"module load go\"; may be repeated")
	flags.StringArrayVar(&f.options.Sbatch, "sbatch", nil,
		"Slurm: another option of sbatch, `key=value`; may be repeated")
}

// slurmFlagNames lists the flags of submissions.
var slurmFlagNames = []string{"time", "mem", "partition", "account", "qos", "constraint", "cpus", "parallel",
	"timeouts", "pack", "setup", "sbatch"}

// given returns the options of the flags that were set.
func (f *slurmFlags) given(cmd *cobra.Command) (slurm.Options, error) {
	o := f.options
	if cmd.Flags().Changed("timeouts") {
		o.Timeouts = &f.timeouts
	}
	for _, name := range []string{"cpus", "parallel", "pack"} {
		flag := cmd.Flags().Lookup(name)
		if n, _ := strconv.Atoi(flag.Value.String()); flag.Changed && n < 1 {
			return o, usage(cmd, "bad value: --%s=%d; want a whole number from 1", name, n)
		}
	}
	if err := o.Check(); err != nil {
		return o, usage(cmd, "bad value: --%s", oneLine(err))
	}
	return o, nil
}

// over returns the options of the flags, with missing values from a profile in the settings file. on is the
// value of --on.
func (f *slurmFlags) over(cmd *cobra.Command, on string) (slurm.Options, error) {
	o, err := f.given(cmd)
	if err != nil {
		return o, err
	}
	profile, err := profileOf(cmd, on)
	return o.Over(profile), err
}

// profileOf returns the profile that a value of --on selects: "slurm.NAME", or the profile "default", if
// there is one, for "slurm".
func profileOf(cmd *cobra.Command, on string) (slurm.Options, error) {
	settings, problems := tui.LoadSettings()
	_, name, chosen := strings.Cut(on, ".")
	if !chosen {
		return settings.Slurm["default"], nil
	}
	profile, ok := settings.Slurm[name]
	if ok {
		return profile, nil
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Where, on) || p.Where == "" {
			return profile, p
		}
	}
	names := slices.Sorted(maps.Keys(settings.Slurm))
	return profile, usage(cmd, "bad value: --on=%s; the settings file has no [slurm.%s]%s", on, name,
		table.DidYouMean(name, names, ""))
}

// place returns where the sweep is trained: the value of --on without its profile.
func (f *sweepFlags) place(cmd *cobra.Command) (string, error) {
	place, _, profiled := strings.Cut(f.on, ".")
	if place != onSlurm && (profiled || place != onLocal && place != onNone) {
		return "", usage(cmd, "bad value: --on=%s; want local, none, slurm or slurm.PROFILE", f.on)
	}
	if place == onSlurm {
		return place, nil
	}
	for _, name := range slurmFlagNames {
		if cmd.Flags().Changed(name) {
			return "", usage(cmd, "--%s needs --on slurm", name)
		}
	}
	return place, nil
}

// submitSweep runs dgplab sweep --on slurm.
func (c *console) submitSweep(cmd *cobra.Command, f *sweepFlags) error {
	options, err := f.slurm.over(cmd, f.on)
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("jobs") {
		return usage(cmd, "--jobs is for --on local; use --parallel")
	}
	state, err := f.state(cmd)
	if err != nil {
		return err
	}
	s := submission{console: c, state: state, options: options, retry: f.retry, dryRun: f.dryRun,
		json: f.json, allowMemory: f.allowMemory}
	return s.run(cmd.Context(), func(err error) error { return f.blame(cmd, err) })
}

// submission is a submission of a sweep by a command.
type submission struct {
	*console
	state                            *sweep.State
	options                          slurm.Options
	retry, dryRun, json, allowMemory bool
}

// run submits the cells that are neither done nor submitted.
func (s *submission) run(ctx context.Context, blame func(error) error) error {
	gentle, _ := s.watchSignals(ctx, "interrupted before the submission")
	placed, err := s.placed(gentle)
	if err != nil {
		return err
	}
	idle := s.state.Idle(placed)
	cells := idle.Left(s.retry)
	estimate, err := sweep.Inspect(gentle, &session.Inspector{AllowMemory: true}, idle, s.retry)
	switch {
	case errors.Is(err, context.Canceled):
		return &interruptedError{"interrupted before the submission"}
	case err != nil:
		return blame(err)
	}
	s.options, err = sweep.Estimated(s.options, estimate, s.allowMemory)
	if err != nil {
		return err
	}
	if err := s.introduce(estimate, placed); err != nil || len(cells) == 0 {
		return err
	}
	plan, err := sweep.NewPlan(gentle, s.state, cells, s.options, s.allowMemory)
	if err != nil {
		return err
	}
	if s.dryRun {
		return s.printPlan(plan)
	}
	made, err := plan.Submit(gentle)
	if err != nil {
		return err
	}
	return s.printSubmitted(made, plan)
}

// placed returns the places of the cells, or nil if the sweep was never submitted. It is an error if
// Slurm does not answer, because cells could be submitted twice.
func (s *submission) placed(ctx context.Context) (*sweep.Placements, error) {
	placed, err := sweep.Placed(ctx, s.state)
	if err != nil || placed == nil {
		return nil, err
	}
	return placed, placed.Err
}

// introduce prints the sweep and what is submitted.
func (s *submission) introduce(e sweep.Estimate, placed *sweep.Placements) error {
	remarks{}.of(s.console, e.Notes, e.Warnings)
	if s.json {
		plan := *s.state
		plan.Phase = ""
		out := sweepFor(&plan, false)
		out.Event, out.Rows, out.Estimate = "plan", nil, &e
		return s.console.json(out)
	}
	text := sweepIntroduction(s.state, e, 1)
	var rows facts
	if placed != nil {
		rows.add("slurm", "%s", report.Places(placed))
	}
	if running := s.state.Count(sweep.Running); running > 0 {
		rows.add("", "%s running now", plural(running, "run"))
	}
	if e.Runs == 0 {
		rows.add("submit", "nothing: all runs are done, failed, pending or running")
	}
	return s.print(text + rows.String())
}

// printPlan prints the script and the commands of a submission.
func (s *submission) printPlan(p *sweep.Plan) error {
	if s.json {
		return s.console.json(map[string]any{"event": "script", "script": p.Script,
			"commands": p.CommandLines()})
	}
	return s.print("\n" + p.Path + ":\n\n" + p.Script + "\n" + strings.Join(p.CommandLines(), "\n") + "\n")
}

// printSubmitted prints the jobs of a submission and how to watch them.
func (s *submission) printSubmitted(made *sweep.Submission, p *sweep.Plan) error {
	if s.json {
		return s.console.json(struct {
			Event string `json:"event"`
			*sweep.Submission
			Script string `json:"script"`
		}{"submitted", made, p.Path})
	}
	tasks := 0
	var jobs []string
	for _, a := range made.Arrays {
		tasks += a.Tasks
		jobs = append(jobs, a.Job)
	}
	var rows facts
	rows.add("submitted", "%s in %s, at most %s at the same time", plural(made.Cells, "run"),
		plural(tasks, "task"), report.Grouped(made.Options.Parallel))
	noun := "job"
	if len(jobs) > 1 {
		noun = "jobs"
	}
	rows.add(noun, "%s", strings.Join(jobs, ", "))
	rows.add("script", "%s", p.Path)
	rows.add("watch", "dgplab sweep show %s", s.state.Name)
	rows.add("cancel", "dgplab sweep cancel %s", s.state.Name)
	return s.print("\n" + rows.String())
}

// saveSweep runs dgplab sweep --on none.
func (c *console) saveSweep(cmd *cobra.Command, f *sweepFlags) error {
	state, err := f.state(cmd)
	if err != nil {
		return err
	}
	gentle, _ := c.watchSignals(cmd.Context(), stopHint)
	estimate, err := sweep.Inspect(gentle, &session.Inspector{AllowMemory: true}, state, f.retry)
	if errors.Is(err, context.Canceled) {
		return &interruptedError{"interrupted before the sweep was saved"}
	}
	if err != nil {
		return f.blame(cmd, err)
	}
	if err := c.newSweepReporter(f.json).begin(state, estimate, 1); err != nil || f.dryRun {
		return err
	}
	if err := sweep.Save(state); err != nil {
		return err
	}
	if f.json {
		return nil
	}
	var rows facts
	rows.add("train", "dgplab sweep task %s --cells N, with N from 0 to %d", state.Name, len(state.Cells)-1)
	return c.print(rows.String())
}
