package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/models"
	"dgplab/session/bench"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// benchFlags holds the flags of dgplab bench. Lists are comma-separated.
type benchFlags struct {
	family, rows   string
	axes           map[string]*string // default axes by name
	set            []string           // NAME=V1,V2,...
	batch, samples int
	options        bench.Options
	all, json      bool
	loops          bool
}

func (c *console) benchCommand() *cobra.Command {
	f := &benchFlags{options: bench.Defaults(), axes: map[string]*string{}}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the cost of a training step on this machine",
		Long: `Measure the cost of a training step on this machine. For each family and model
size, the table shows the time per step (median and minimum, after a warm-up),
the number of floating-point operations (counted from the model), their rate,
its share of the machine's peak (the best speed of matrix products of several
shapes, measured before and after), and the memory allocated per step. For each
axis with several values (M, L, width, rows N, or a hyperparameter in --set), the
growth of the time is fitted as a power of the value and shown next to the
theoretical exponent. Families are varied only along axes that they have.

By default, the structured deep GPs are measured, which differ only in their
posteriors. This takes about a minute on an idle machine.

With --all, all families are measured with their defaults, and the table shows
the floor of each: the time of the operations of a step at the speeds that the
machine reaches for matrix products of the family's shape and for elementwise
operations.

With --cores, each cell is measured on several numbers of cores. For more cores
than this machine has, the time is predicted from a step on one core: the
independent parts of loops and products are divided among the cores, and the rest
is serial. The prediction assumes that caches and memory stay as fast, and stands
beside each measured time. * marks the number of cores with the shortest time,
which runs choose by trial.

Times include the effect of other processes. Steps are taken on synthetic data,
and nothing is saved. With --json, standard output has one JSON object per cell
and a final summary.

Ctrl-C prints the results so far and exits with status 130. The status is 1 if
a cell could not be measured, for example because it does not fit in memory.`,
		Example: `  dgplab bench
  dgplab bench --all
  dgplab bench --family star --inducing 64,128 --width 2,4,8 --seconds 5
  dgplab bench --family gp,sgpr,fitc --rows 500,1000,2000
  dgplab bench --family avdgp,dspp,dsdgp --preset meng2024 --inputs 8
  dgplab bench --family gprn,gprn-npv --rows 100,400 --inputs 2 --outputs 3
  dgplab bench --cores 1,2,4,8,16 --inducing 32,128,512
  dgplab bench --inducing 128 --json > bench.jsonl`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.bench(cmd, f) },
	}
	f.register(cmd)
	return cmd
}

// axisHelp holds the help texts of the flags for the default axes.
var axisHelp = []string{"inducing points M, as a `list`", "layers L including the output layer, as a `list`",
	"GPs per hidden layer (tau), as a `list`"}

// register adds the flags to a command, with the defaults in f.options.
func (f *benchFlags) register(cmd *cobra.Command) {
	o, flags := &f.options, cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.family, rundir.FamilyField, "",
		"`names` of model families, see \"dgplab families\" (default "+strings.Join(o.Families, ", ")+")")
	flags.BoolVar(&f.all, "all", false, "measure all families with their defaults, relative to their floors")
	for i, axis := range o.Axes {
		f.axes[axis.Name] = flags.String(axis.Name, strings.Join(axis.Values, ","), axisHelp[i])
	}
	batch, _ := strconv.Atoi(o.Set["batch"])
	samples, _ := strconv.Atoi(o.Set["samples"])
	flags.IntVar(&f.batch, "batch", batch, "minibatch size")
	flags.IntVar(&f.samples, "samples", samples, "Monte Carlo samples per step")
	flags.StringArrayVar(&f.set, "set", nil,
		"set a hyperparameter to one or more values, `name=values`; may be repeated")
	flags.StringVar(&f.rows, "rows", "",
		"rows N of the synthetic data, as a `list` (default 2048, or the batch size or M if larger)")
	flags.IntVar(&o.Inputs, "inputs", o.Inputs, "number of inputs D of the synthetic data")
	flags.IntVar(&o.Outputs, "outputs", o.Outputs, "number of targets P of the synthetic data")
	flags.StringVar(&o.Preset, "preset", "",
		"`name` of a preset that all families have, or \"default\", for all hyperparameters that no flag "+
			"sets")
	flags.Float64Var(&o.Seconds, "seconds", o.Seconds,
		"measuring time per cell; at least three steps are taken")
	flags.IntSliceVar(&o.Cores, "cores", nil,
		"measure on these `numbers` of cores, such as 1,2,4,8,16; beyond the cores of this machine the "+
			"time is predicted")
	flags.BoolVar(&f.loops, "loops", false,
		"with --cores, list the loops and products of a step, their independent parts and their "+
			"predicted times")
	flags.BoolVar(&f.json, "json", false, "print JSON lines")
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		rundir.FamilyField: completeList(noFiles, familyNames), "set": completeSet,
		rundir.PresetField: completePreset,
	})
}

// bench runs dgplab bench.
func (c *console) bench(cmd *cobra.Command, f *benchFlags) error {
	plan, err := f.plan(cmd)
	if err != nil {
		return err
	}
	gentle, _ := c.watchSignals(cmd.Context(), stopHint)
	line := c.newStatusLine()
	result, interrupted := plan.Run(gentle, func(p bench.Progress) { line.show(benchProgress(p)) })
	line.end()
	for _, cell := range result.Cells {
		if cell.Err != nil {
			c.say("%s: %s", cell.Setting, oneLine(cell.Err))
		}
	}
	switch {
	case f.json:
		err = c.benchJSON(plan, result, interrupted != nil)
	case len(plan.Cores) > 0:
		err = c.benchCores(plan, result, f.loops)
	case f.all:
		err = c.benchFloors(plan, result)
	default:
		err = c.benchText(plan, result)
	}
	return errors.Join(err, benchVerdict(plan, result, interrupted))
}

// benchVerdict returns an error if the benchmark is incomplete.
func benchVerdict(plan *bench.Benchmark, r bench.Result, interrupted error) error {
	if errors.Is(interrupted, context.Canceled) {
		return &interruptedError{fmt.Sprintf("interrupted after %d of %s",
			len(r.Cells), plural(plan.Len(), "cell"))}
	}
	if failed := r.Failed(); failed > 0 {
		return fmt.Errorf("could not measure %d of %s", failed, plural(plan.Len(), "cell"))
	}
	return interrupted
}

// plan converts the flags to a benchmark, or returns a usage error.
func (f *benchFlags) plan(cmd *cobra.Command) (*bench.Benchmark, error) {
	o := f.options
	for _, n := range o.Cores {
		if n < 1 || n > 1024 {
			return nil, usage(cmd, "bad value: --cores=%d; want 1 to 1024", n)
		}
	}
	if f.loops && len(o.Cores) == 0 {
		return nil, usage(cmd, "--loops needs --cores")
	}
	if f.all {
		all := bench.All()
		o.Families, o.Preset, o.UsualRows = all.Families, cmp.Or(o.Preset, all.Preset), all.UsualRows
	}
	if cmd.Flags().Changed(rundir.FamilyField) {
		o.Families = splitList(f.family)
	}
	for _, name := range o.Families {
		if err := checkFamily(cmd, name); err != nil {
			return nil, err
		}
	}
	o.Axes = nil
	given := func(flag string) bool { return o.Preset == "" || cmd.Flags().Changed(flag) }
	for _, axis := range f.options.Axes {
		if !given(axis.Name) {
			continue
		}
		if err := addAxis(cmd, &o, axis.Name, *f.axes[axis.Name]); err != nil {
			return nil, err
		}
	}
	o.Set = map[string]string{}
	for name, n := range map[string]int{"batch": f.batch, "samples": f.samples} {
		if given(name) {
			o.Set[name] = strconv.Itoa(n)
		}
	}
	if err := f.addSet(cmd, &o); err != nil {
		return nil, err
	}
	if cmd.Flags().Changed(bench.Rows) {
		if err := addAxis(cmd, &o, bench.Rows, f.rows); err != nil {
			return nil, err
		}
	}
	plan, err := bench.New(o)
	var value *models.ValueError
	if errors.As(err, &value) {
		flag := "--"
		if cmd.Flags().Lookup(value.Name) == nil {
			flag = "--set "
		}
		return nil, usage(cmd, "bad value: %s%s", flag, oneLine(err))
	}
	return plan, err
}

// splitList splits a list at commas and drops empty parts.
func splitList(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part != "" {
			list = append(list, part)
		}
	}
	return list
}

// addAxis adds the axis of a flag that lists integers.
func addAxis(cmd *cobra.Command, o *bench.Options, name, text string) error {
	values := splitList(text)
	for _, v := range values {
		if _, err := strconv.Atoi(v); err != nil {
			return usage(cmd, "bad value: --%s=%s; want whole numbers separated by commas", name, text)
		}
	}
	o.Axes = append(o.Axes, sweep.Axis{Name: name, Values: values})
	return nil
}

// addSet adds the axes in --set. They replace the defaults of flags that were not set.
func (f *benchFlags) addSet(cmd *cobra.Command, o *bench.Options) error {
	for _, text := range f.set {
		axis, err := sweep.ParseAxis(text)
		if err != nil {
			return usage(cmd, "bad value: --set %s", oneLine(err))
		}
		if axis.Family != "" {
			return usage(cmd, "bad value: --set %s; bench does not support values for single families", text)
		}
		i := slices.IndexFunc(o.Axes, func(a sweep.Axis) bool { return a.Name == axis.Name })
		given := cmd.Flags().Lookup(axis.Name)
		switch {
		case i >= 0 && given != nil && !given.Changed:
			o.Axes[i] = axis
			continue
		case given != nil && !given.Changed:
			delete(o.Set, axis.Name)
		}
		o.Axes = append(o.Axes, axis)
	}
	return nil
}

// benchProgress describes the current measurement.
func benchProgress(p bench.Progress) string {
	if p.Setting == nil {
		return "measuring the machine's peak"
	}
	return fmt.Sprintf("%d of %s: %s", p.Done+1, plural(p.Total, "cell"), p.Setting)
}
