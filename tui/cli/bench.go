package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/models"
	"dgplab/session/bench"
)

// benchFlags are the flags of dgplab bench. Lists are text with commas.
type benchFlags struct {
	families, inducing, layers, width string
	options                           bench.Options
	json                              bool
}

func (c *console) benchCommand() *cobra.Command {
	f := &benchFlags{options: bench.Defaults()}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure what a training step costs on this machine",
		Long: `Measure what a training step costs on this machine: for each family and size the
time of a step (median and minimum, after a warm-up), its floating-point
operations as counted from the model, the rate achieved and its share of the
machine's peak (its own matrix product, measured before and after), and what a
step allocates. Where the sweep has several M, L or widths, the exponents by
which the time grows are fitted, beside those of the theory.

Whatever else runs on the machine is in the times. Steps are taken on synthetic
data; nothing is kept. With --json, standard output has one JSON object per cell
and last a summary.

Ctrl-C prints what there is and exits with status 130. The status is 1 when a
cell could not be measured, for example because it does not fit in memory; the
others are measured nevertheless.`,
		Example: `  dgplab bench
  dgplab bench --families star --inducing 64,128 --width 2,4,8 --seconds 5
  dgplab bench --inducing 128 --json > bench.jsonl`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.bench(cmd, f) },
	}
	f.register(cmd)
	return cmd
}

// register adds the flags to a command, with the defaults of f.options.
func (f *benchFlags) register(cmd *cobra.Command) {
	o, flags := &f.options, cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.families, "families", strings.Join(o.Families, ","), "model families, `names` of \"dgplab families\"")
	flags.StringVar(&f.inducing, "inducing", joined(o.Inducing), "inducing points M of every layer, a `list`")
	flags.StringVar(&f.layers, "layers", joined(o.Layers), "layers L, the output layer included, a `list`")
	flags.StringVar(&f.width, "width", joined(o.Widths), "GPs of every hidden layer (tau), a `list`")
	flags.IntVar(&o.Batch, "batch", o.Batch, "points of a minibatch")
	flags.IntVar(&o.Samples, "samples", o.Samples, "Monte Carlo samples of a step")
	flags.IntVar(&o.Inputs, "inputs", o.Inputs, "inputs D of the synthetic data")
	flags.StringVar(&o.Preset, "preset", "", "`name` of a preset that all families have, for all other hyperparameters")
	flags.Float64Var(&o.Seconds, "seconds", o.Seconds, "time to measure each cell for, at least three steps")
	flags.BoolVar(&f.json, "json", false, "print JSON lines")
	completeFlags(cmd, map[string]cobra.CompletionFunc{"families": completeList(noFiles, familyNames)})
}

// bench carries out dgplab bench.
func (c *console) bench(cmd *cobra.Command, f *benchFlags) error {
	plan, err := f.plan(cmd)
	if err != nil {
		return err
	}
	gentle, _, release := c.watchSignals(cmd.Context(), stopHint)
	defer release()
	line := c.newStatusLine()
	result, interrupted := plan.Run(gentle, func(p bench.Progress) { line.show(benchProgress(p)) })
	line.end()
	for _, cell := range result.Cells {
		if cell.Err != nil {
			c.say("%s: %s", cell.Setting, oneLine(cell.Err))
		}
	}
	if f.json {
		err = c.benchJSON(plan, result, interrupted != nil)
	} else {
		err = c.benchText(plan, result)
	}
	return errors.Join(err, benchVerdict(plan, result, interrupted))
}

// benchVerdict returns the error of a sweep that is not complete.
func benchVerdict(plan *bench.Benchmark, r bench.Result, interrupted error) error {
	if errors.Is(interrupted, context.Canceled) {
		return &interruptedError{fmt.Sprintf("interrupted after %d of %s", len(r.Cells), plural(plan.Len(), "cell"))}
	}
	if failed := r.Failed(); failed > 0 {
		return fmt.Errorf("%d of %s could not be measured", failed, plural(plan.Len(), "cell"))
	}
	return interrupted
}

// plan turns the flags into a plan, or into a usage error.
func (f *benchFlags) plan(cmd *cobra.Command) (*bench.Benchmark, error) {
	o := f.options
	o.Families = splitList(f.families)
	for _, name := range o.Families {
		if err := checkFamily(cmd, name); err != nil {
			return nil, err
		}
	}
	for _, list := range []struct {
		name, text string
		values     *[]int
	}{
		{"inducing", f.inducing, &o.Inducing}, {"layers", f.layers, &o.Layers}, {"width", f.width, &o.Widths},
	} {
		values, ok := wholeNumbers(list.text)
		if !ok {
			return nil, usage(cmd, "bad value: --%s=%s; want whole numbers separated by commas", list.name, list.text)
		}
		*list.values = values
	}
	plan, err := bench.New(o)
	var value *models.ValueError
	if errors.As(err, &value) {
		return nil, usage(cmd, "bad value: --%s", oneLine(err))
	}
	return plan, err
}

// splitList cuts a list at its commas; empty parts are left out.
func splitList(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// wholeNumbers reads a list of them.
func wholeNumbers(text string) ([]int, bool) {
	var list []int
	for _, part := range splitList(text) {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, false
		}
		list = append(list, n)
	}
	return list, true
}

// joined writes a list of whole numbers.
func joined(list []int) string {
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ",")
}

// benchProgress says what is measured now.
func benchProgress(p bench.Progress) string {
	if p.Setting == nil {
		return "measuring the machine's peak"
	}
	return fmt.Sprintf("%d of %s: %s", p.Done+1, plural(p.Total, "cell"), p.Setting)
}
