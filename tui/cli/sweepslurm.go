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

	"dgplab/datasets/wording"
	"dgplab/session"
	"dgplab/session/slurm"
	"dgplab/session/sweep"
	"dgplab/tui/report"
	"dgplab/tui/settings"
)

// The places where a sweep is trained, as values of --on.
const (
	onLocal = "local"
	onNone  = "none"
	onSlurm = "slurm"
)

// slurmFlags are the flags of submissions to Slurm.
type slurmFlags struct{ options slurm.Options }

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
		"Slurm: maximum `number` of tasks (default %d)", slurm.DefaultParallel))
	flags.IntVar(&f.options.Pack, "pack", 0,
		"Slurm: `number` of runs for which there is one task, for short runs (default 1)")
	flags.StringArrayVar(&f.options.Setup, "setup", nil,
		"Slurm: `line` of shell before the program, such as \"module load go\"; may be repeated")
	flags.StringArrayVar(&f.options.Sbatch, "sbatch", nil,
		"Slurm: another option of sbatch, `key=value`; may be repeated")
}

// slurmFlagNames lists the flags of submissions.
var slurmFlagNames = []string{"time", "mem", "partition", "account", "qos", "constraint", "cpus", "parallel",
	"pack", "setup", "sbatch"}

// given returns the options of the flags that were set.
func (f *slurmFlags) given(cmd *cobra.Command) (slurm.Options, error) {
	o := f.options
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
	found, problems := settings.Load()
	_, name, chosen := strings.Cut(on, ".")
	if !chosen {
		return found.Slurm["default"], nil
	}
	profile, ok := found.Slurm[name]
	if ok {
		return profile, nil
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Where, on) || p.Where == "" {
			return profile, p
		}
	}
	names := slices.Sorted(maps.Keys(found.Slurm))
	return profile, usage(cmd, "bad value: --on=%s; the settings file has no [slurm.%s]%s", on, name,
		wording.DidYouMean(name, names, ""))
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
	state, err := f.state(cmd, new(session.Inspector))
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

// run submits the cells that are neither done, nor running, nor awaited by tasks. It is an error if Slurm
// does not answer, because cells could be submitted twice.
func (s *submission) run(ctx context.Context, blame func(error) error) error {
	gentle, _ := s.watchSignals(ctx, "interrupted before the submission")
	tasks, err := sweep.AskTasks(gentle, s.state)
	if err == nil && tasks != nil {
		err = tasks.Err
	}
	if err != nil {
		return err
	}
	idle := s.state.Idle(tasks)
	cells := idle.Left(s.retry)
	estimate, err := sweep.Inspect(gentle, &session.Inspector{AllowMemory: true}, idle, s.retry)
	switch {
	case errors.Is(err, context.Canceled):
		return &interruptedError{"interrupted before the submission"}
	case err != nil:
		return blame(err)
	}
	err = s.introduce(estimate, tasks, len(cells))
	if err != nil || len(cells) == 0 {
		return err
	}
	plan, err := sweep.NewPlan(gentle, s.state, cells, estimate, s.options, s.allowMemory)
	if err != nil {
		return err
	}
	if s.dryRun {
		return s.printPlan(plan)
	}
	if err := plan.Submit(gentle); err != nil {
		return err
	}
	return s.printSubmitted(plan)
}

// introduce prints the sweep, its tasks, and why some runs are not submitted.
func (s *submission) introduce(e sweep.Estimate, tasks *sweep.Tasks, submitted int) error {
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
	if tasks != nil {
		rows.add("tasks", "%s", report.Tasks(tasks))
	}
	others := s.notSubmitted(tasks)
	switch {
	case submitted == 0:
		rows.add("submit", "nothing: %s", others)
	case others != "":
		rows.add("submit", "%s, the others are %s", plural(submitted, "run"), others)
	}
	return s.print(text + rows.String())
}

// notSubmitted counts the runs that are not submitted by the reason.
func (s *submission) notSubmitted(tasks *sweep.Tasks) string {
	awaited, failed := 0, 0
	for i := range s.state.Cells {
		c := &s.state.Cells[i]
		switch {
		case tasks.Awaits(c):
			awaited++
		case c.Status == sweep.Failed && !s.retry:
			failed++
		}
	}
	var parts []string
	for _, count := range []struct {
		n    int
		text string
	}{
		{s.state.Count(sweep.Done), "done"}, {s.state.Count(sweep.Running), "running"},
		{awaited, "awaited by tasks"}, {failed, "failed (--retry trains them again)"},
	} {
		if count.n > 0 {
			parts = append(parts, report.Grouped(count.n)+" "+count.text)
		}
	}
	return strings.Join(parts, ", ")
}

// printPlan prints the script and the command of a submission.
func (s *submission) printPlan(p *sweep.Plan) error {
	command := slurm.CommandLine(p.Path, p.Tasks)
	if s.json {
		return s.console.json(map[string]any{"event": "script", "script": p.Script, "command": command})
	}
	return s.print("\n" + p.Path + ":\n\n" + p.Script + "\n" + command + "\n")
}

// printSubmitted prints the job of a submission and how to watch it.
func (s *submission) printSubmitted(p *sweep.Plan) error {
	if s.json {
		return s.console.json(struct {
			Event string `json:"event"`
			*sweep.Submission
			Script string `json:"script"`
		}{"submitted", &p.Submission, p.Path})
	}
	var rows facts
	rows.add("submitted", "%s in %s", plural(p.Cells, "run"), plural(p.Tasks, "task"))
	rows.add("job", "%s", p.Job)
	rows.add("script", "%s", p.Path)
	rows.add("watch", "dgplab sweep show %s", s.state.Name)
	rows.add("cancel", "dgplab sweep cancel %s", s.state.Name)
	return s.print("\n" + rows.String())
}

// saveSweep runs dgplab sweep --on none.
func (c *console) saveSweep(cmd *cobra.Command, f *sweepFlags) error {
	inspector := &session.Inspector{AllowMemory: true}
	state, err := f.state(cmd, inspector)
	if err != nil {
		return err
	}
	gentle, _ := c.watchSignals(cmd.Context(), stopHint)
	estimate, err := sweep.Inspect(gentle, inspector, state, f.retry)
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
	rows.add("train", "dgplab sweep task %s", state.Name)
	return c.print(rows.String())
}

func (c *console) cancelSweepCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "cancel NAME",
		Short: "Cancel the tasks of a sweep on Slurm",
		Long: `Cancel the pending and running tasks of a sweep on Slurm. Running tasks save a
checkpoint. To continue the runs, use "dgplab sweep retry".`,
		Example:           "  dgplab sweep cancel steps-star-inducing-3f09a1",
		ValidArgsFunction: completeFirst(sweepNames),
		Args:              exactlyOne("sweep name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			state, err := openSweep(args[0])
			if err != nil {
				return err
			}
			n, err := sweep.CancelTasks(cmd.Context(), state)
			if err != nil {
				return err
			}
			return c.print("cancelled " + plural(n, "task") + "\n")
		},
	}
}

func (c *console) retrySweepCommand() *cobra.Command {
	f := new(slurmFlags)
	s := submission{console: c, retry: true}
	cmd := &cobra.Command{
		Use:   "retry NAME",
		Short: "Submit the unfinished runs of a sweep again",
		Long: `Resubmit the runs of a sweep to Slurm that are neither done, nor running, nor
awaited by tasks. Interrupted runs continue from their checkpoints, and failed
runs are trained again. The last submission gives the options that no flag sets.`,
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
