package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dgplab/datasets/wording"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// sweepFlags holds the flags of dgplab sweep. sweep.Expand parses lists of values.
type sweepFlags struct {
	fieldFlags
	jobs                                      int
	name, resume                              string
	retry, retrain, dryRun, json, allowMemory bool
	baseline, yes                             bool
	random, halving, rungs                    int
	on                                        string
	slurm                                     slurmFlags
}

func (c *console) sweepCommand() *cobra.Command {
	f := new(sweepFlags)
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Train all combinations of values",
		Long: `Train a model for every combination of data sets, families, hyperparameters,
splits and seeds, and print a table of test scores: mean and standard error over
splits, or over the seeds of a single split. Without flags, only the plan is
printed; --yes trains it.

Lists of values are separated by commas, or by semicolons if a value contains
commas (--set "width=5;3,4"). Ranges such as 0..9 and standard:0..9 are allowed.
--set svgp.inducing=16 sets the values of a single family. Settings that a family
lacks are left out for it. --random N trains N random combinations of families
and hyperparameters, drawn with the first seed, on all data sets, splits and
seeds. The runs of a sweep are ordinary runs (see "dgplab runs").

--halving 3 trains by successive halving: the settings of each data set and split
compete, and after each rung the third with the best validation log-likelihood
continues. The last rung has all steps, the one before it a third of them, and so
on, but at least a hundredth; --rungs sets their number. Pruned runs are
at the beginning of their whole runs, and their scores are marked.

Repeating the command continues the sweep: finished runs are not trained again,
interrupted runs continue from their checkpoints, and failed runs are retried
only with --retry. --resume NAME does the same without the other flags. With
--name, values can be added to a sweep later. --baseline adds a linear model on
the same data, which takes milliseconds and should be beaten by all others.
Families whose results do not depend on the seed, such as linear and gp, are
trained with the first seed only.

--on slurm submits the runs to Slurm and returns; see "dgplab sweep show" and the
page on clusters. Repeating it submits only runs that are neither done, nor
running, nor awaited by tasks. The folder of runs must be on a file system that
the nodes share.

With --json, standard output has a JSON object for the plan, one for each run
when it ends, starting with those done before, and one for the sweep with its
table.

Ctrl-C stops all runs after their current steps, saves checkpoints, prints the
table of finished runs, and exits with status 130. A second Ctrl-C exits at
once with status 131. Other statuses: 0 success, 1 some runs failed, 2 invalid
command line.`,
		Example: `  dgplab sweep --dataset steps,mountaincar --family mean-field,star --seed 0..2
  dgplab sweep --set inducing=32,64,128 --split interpolation:0..4 --jobs 2
  dgplab sweep --family star --set layers=2,3 --steps 5000 --dry-run
  dgplab sweep --family star,svgp --inducing 32,64 --set svgp.inducing=128
  dgplab sweep --family star --set layers=2,3 --inducing 16..40 --random 27 --halving 3
  dgplab sweep --family star --seed 0..9 --on slurm --partition long --cpus 4
  dgplab sweep show steps-star-inducing-3f09a1`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.sweep(cmd, f) },
	}
	f.register(cmd)
	cmd.AddCommand(c.showSweepCommand(), c.listSweepsCommand(), c.cancelSweepCommand(), c.retrySweepCommand(),
		c.sweepTaskCommand())
	return cmd
}

// register adds the flags to a command.
func (f *sweepFlags) register(cmd *cobra.Command) {
	f.fieldFlags.register(cmd, true)
	flags := cmd.Flags()
	flags.IntVar(&f.jobs, "jobs", 1, "number of runs to train in parallel; they share the cores")
	flags.BoolVar(&f.baseline, "baseline", false,
		"also train the family "+models.BaselineFamily+
			" with its defaults on all data sets and splits")
	flags.IntVar(&f.random, "random", 0,
		"train this `number` of random combinations of families and hyperparameters (default all)")
	flags.IntVar(&f.halving, "halving", 0,
		"successive halving: continue one in `N` settings after each rung, by validation log-likelihood "+
			"(default off)")
	flags.IntVar(&f.rungs, "rungs", 0,
		"`number` of rungs of --halving (default: enough to leave one setting)")
	flags.StringVar(&f.name, "name", "", "`name` of the sweep (default derived from its values)")
	flags.StringVar(&f.resume, "resume", "", "continue the sweep with this `name`")
	flags.BoolVar(&f.retry, "retry", false, "retry failed runs")
	flags.BoolVar(&f.retrain, "retrain", false, "train all runs again, because a data file has changed")
	flags.BoolVar(&f.dryRun, "dry-run", false,
		"only print the number of runs and the estimated time")
	flags.BoolVar(&f.yes, "yes", false, "train even if no other flag says what")
	flags.BoolVar(&f.json, "json", false, "print JSON lines")
	allowMemoryFlag(cmd, &f.allowMemory)
	flags.StringVar(&f.on, "on", onLocal,
		"`place` of the training: local, none (only create the sweep), slurm, or "+
			"slurm.NAME with the options [slurm.NAME] of the settings file")
	f.slurm.register(cmd)
	completeFlags(cmd, map[string]cobra.CompletionFunc{"resume": complete(sweepNames)})
}

// sweep runs dgplab sweep.
func (c *console) sweep(cmd *cobra.Command, f *sweepFlags) error {
	if f.jobs < 1 {
		return usage(cmd, "bad value: --jobs=%d; want a whole number from 1", f.jobs)
	}
	place, err := f.place(cmd)
	if err != nil {
		return err
	}
	switch place {
	case onSlurm:
		return c.submitSweep(cmd, f)
	case onNone:
		return c.saveSweep(cmd, f)
	}
	inspector := &session.Inspector{AllowMemory: f.allowMemory}
	state, err := f.state(cmd, inspector)
	if err != nil {
		return err
	}
	gentle, _ := c.watchSignals(cmd.Context(), stopHint)
	estimate, err := sweep.Inspect(gentle, inspector, state, f.retry)
	switch {
	case errors.Is(err, context.Canceled):
		return &interruptedError{"interrupted before the sweep started"}
	case err != nil:
		return f.blame(cmd, err)
	}
	r := c.newSweepReporter(f.json)
	if err := r.begin(state, estimate, f.jobs); err != nil || f.dryRun {
		return err
	}
	if changedFlag(cmd, "jobs", "retry", "json", "allow-memory", "on") == "" {
		return usage(cmd,
			"nothing is varied; add values, such as --set inducing=32,64, or --yes to train this")
	}
	options := sweep.Options{Name: state.Name, Jobs: f.jobs, Retry: f.retry, AllowMemory: f.allowMemory}
	s, err := sweep.Start(gentle, state.Grid, options)
	if err != nil {
		return err
	}
	return c.followSweep(s, r)
}

// state returns the sweep selected by the flags, with its previous progress.
func (f *sweepFlags) state(cmd *cobra.Command, in *session.Inspector) (*sweep.State, error) {
	if cmd.Flags().Changed("resume") {
		allowed := append([]string{"resume", "jobs", "retry", "retrain", "dry-run", "json", "allow-memory",
			"on"}, slurmFlagNames...)
		name := changedFlag(cmd, allowed...)
		if name != "" {
			return nil, usage(cmd, "--%s cannot be used with --resume: the sweep keeps its values", name)
		}
		if err := f.forget(cmd, in, f.resume); err != nil {
			return nil, err
		}
		return openSweep(f.resume)
	}
	grid, err := f.grid(cmd)
	if err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("name") {
		if err := sweep.CheckName(f.name); err != nil {
			return nil, usage(cmd, "bad value: --name: %s", err)
		}
	}
	state, err := sweep.Preview(cmd.Context(), in, grid, f.name)
	var changed *sweep.ChangedError
	known := ""
	switch {
	case errors.As(err, &changed):
		known = changed.Sweep
	case err == nil && !state.Created.IsZero():
		known = state.Name
	}
	if f.retrain && known != "" {
		if err := f.forget(cmd, in, known); err != nil {
			return nil, err
		}
		state, err = sweep.Preview(cmd.Context(), in, grid, f.name)
	}
	if err != nil {
		return nil, f.blame(cmd, err)
	}
	return state, nil
}

// forget makes a sweep forget its runs if --retrain is set.
func (f *sweepFlags) forget(cmd *cobra.Command, in *session.Inspector, name string) error {
	if !f.retrain {
		return nil
	}
	if f.dryRun {
		return usage(cmd, "--retrain cannot be used with --dry-run")
	}
	return sweep.Retrain(cmd.Context(), in, name, time.Now())
}

// openSweep returns the named sweep.
func openSweep(name string) (*sweep.State, error) {
	if err := sweep.CheckName(name); err != nil {
		return nil, &usageError{oneLine(err), "dgplab sweep list"}
	}
	state, err := sweep.Open(name)
	if errors.Is(err, sweep.ErrNone) {
		return nil, &usageError{oneLine(err) + wording.DidYouMean(name, sweepNames(), ""),
			"dgplab sweep list"}
	}
	return state, err
}

// grid converts the flags to a grid, or returns a usage error.
func (f *sweepFlags) grid(cmd *cobra.Command) (sweep.Grid, error) {
	g := sweep.Grid{Targets: f.targets, Preset: *f.texts[rundir.PresetField], Baseline: f.baseline}
	var err error
	g.Columns, err = f.columns.choices(cmd, g.Columns)
	if err != nil {
		return g, err
	}
	for _, list := range []struct {
		name, usual string
		values      *[]string
	}{
		{rundir.DatasetField, defaultDataset(), &g.Datasets},
		{rundir.FamilyField, models.DefaultFamily, &g.Families}, {rundir.SplitField, "", &g.Splits},
	} {
		text := cmp.Or(*f.texts[list.name], list.usual)
		if text == "" && !cmd.Flags().Changed(list.name) {
			continue
		}
		values, err := sweep.Expand(text)
		if err != nil {
			return g, usage(cmd, "bad value: --%s: %s", list.name, err)
		}
		*list.values = values
	}
	for i, name := range g.Datasets {
		g.Datasets[i] = kit.ExpandPath(name)
	}
	seeds, err := sweep.Seeds(cmp.Or(*f.texts[rundir.SeedField], "0"))
	if err != nil {
		return g, usage(cmd, "bad value: --seed: %s", err)
	}
	g.Seeds = seeds
	if cmd.Flags().Changed("random") {
		if f.random < 1 {
			return g, usage(cmd, "bad value: --random=%d; want a whole number from 1", f.random)
		}
		g.Random, g.RandomSeed = f.random, seeds[0]
	}
	if cmd.Flags().Changed("halving") && f.halving < 2 {
		return g, usage(cmd, "bad value: --halving=%d; want a whole number from 2", f.halving)
	}
	if cmd.Flags().Changed("rungs") && (f.rungs < 2 || f.halving == 0) {
		return g, usage(cmd, "bad value: --rungs=%d; want a whole number from 2, with --halving", f.rungs)
	}
	g.Halving, g.Rungs = f.halving, f.rungs
	g.Set, err = f.axes(cmd)
	if err != nil {
		return g, err
	}
	return g, checkGrid(cmd, g)
}

// axes returns the hyperparameters with their values.
func (f *sweepFlags) axes(cmd *cobra.Command) ([]sweep.Axis, error) {
	pairs, err := f.settings(cmd)
	if err != nil {
		return nil, err
	}
	var axes []sweep.Axis
	for _, pair := range pairs {
		axis, err := sweep.ParseAxis(pair)
		if err != nil {
			return nil, usage(cmd, "bad value: --set %s", err)
		}
		for i, value := range axis.Values {
			set := map[string]string{axis.Name: value}
			if err := pinWarmStart(set); err != nil {
				return nil, err
			}
			axis.Values[i] = set[axis.Name]
		}
		axes = append(axes, axis)
	}
	return axes, nil
}

// checkGrid rejects unknown names and suggests similar ones. A hyperparameter is known if one of the families
// to which it applies has it.
func checkGrid(cmd *cobra.Command, g sweep.Grid) error {
	for _, name := range g.Families {
		if err := checkFamily(cmd, name); err != nil {
			return err
		}
	}
	for _, axis := range g.Set {
		families := g.Families
		if axis.Family != "" {
			if !slices.Contains(g.Families, axis.Family) {
				return usage(cmd, "bad value: --set %s; the family %s is not in the sweep%s", axisText(axis),
					axis.Family, wording.DidYouMean(axis.Family, g.Families, ""))
			}
			families = []string{axis.Family}
		}
		set := map[string]string{axis.Name: axis.Values[0]}
		var unknown error
		for _, name := range families {
			err := checkSet(cmd, rundir.Config{Family: name, Set: set})
			if err == nil {
				unknown = nil
				break
			}
			unknown = cmp.Or(unknown, err)
		}
		if unknown != nil {
			return unknown
		}
	}
	for _, name := range g.Datasets {
		if err := checkDataset(cmd, name); err != nil {
			return err
		}
	}
	return nil
}

// blame classifies the error of an invalid sweep: unavailable data, or a usage error.
func (f *sweepFlags) blame(cmd *cobra.Command, err error) error {
	var value *models.ValueError
	switch {
	case errors.As(err, &value):
		return usage(cmd, "%s", badValue(cmd, value))
	case ofData(err), cmd.Flags().Changed("resume"):
		return err
	}
	return usage(cmd, "%s", oneLine(err))
}

// sweepCommandLine returns the command that continues a sweep.
func sweepCommandLine(name string) string { return report.Program() + " sweep --resume " + name }

// sweepVerdict returns an error if the sweep is incomplete.
func sweepVerdict(s *sweep.State) error {
	done := s.Count(sweep.Done) + s.Count(sweep.Pruned)
	all := len(s.Cells)
	failed := s.Count(sweep.Failed)
	switch {
	case done+failed < all:
		return &interruptedError{fmt.Sprintf("%d of %s done; to continue, run: %s",
			done, plural(all, "run"), sweepCommandLine(s.Name))}
	case failed > 0 && len(s.Left(true)) == 0:
		return fmt.Errorf("%d of %s failed, and their settings did not continue", failed, plural(all, "run"))
	case failed > 0:
		return fmt.Errorf("%d of %s failed; to retry, run: %s --retry",
			failed, plural(all, "run"), sweepCommandLine(s.Name))
	}
	return nil
}

// axisText formats an axis as the value of --set.
func axisText(a sweep.Axis) string {
	return a.Title() + "=" + strings.TrimSuffix(sweep.Join(a.Values), ";")
}
