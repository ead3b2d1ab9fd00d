package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets/files"
	"dgplab/datasets/wording"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/probe"
	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
	"dgplab/viz/tables"
)

// compareFlags holds the flags of dgplab compare.
type compareFlags struct {
	metrics   []string
	unmatched bool
	ranksBy   string
	against   string
	svg       string
	joint     bool
	accuracy  float64
	data      string
}

// jointPoints is the maximum number of test points of joint predictions.
const jointPoints = 100

// rankings maps the values of --ranks-by.
var rankings = map[string]compare.Blocks{"dataset": compare.ByDataset, "split": compare.BySplit}

func (c *console) compareCommand() *cobra.Command {
	f := new(compareFlags)
	cmd := &cobra.Command{
		Use:   "compare ID ID... | SWEEP | QUERY",
		Short: "Compare methods: tables, direct comparison, ranks",
		Long: `Compare the methods of runs, of a sweep, or of the runs that match a query (see
"dgplab runs --help"), for example sweep:first or dataset:boston,energy. A method
is a configuration without data set, split and seed. It is labelled with the
values that distinguish it.

For each metric, a table shows the mean and standard error of each method on
each data set, over splits (averaged over their seeds) or over the seeds of a
single split. It marks the best method and the methods not significantly
different from it (paired t-test, level 0.05). Two methods are also compared directly: the
share of test points at which A has the higher log-likelihood, the mean difference,
and its significance. With more methods, --against NAME compares one of them
with each of the others. With two or more data sets, methods are ranked: average
ranks, Friedman test, Nemenyi critical difference. --ranks-by split ranks them
over splits, for which the tests are optimistic.

Methods are compared only on the same test points. Runs on splits that some
method lacks are left out and listed. T-tests over splits are corrected for
shared rows, and tests reported together are Holm-corrected. With a single
split, tests reflect training noise only. Methods that are worse than the
baseline (family linear) are listed.

--to-accuracy 0.05 shows how long each method trains until its validation
log-likelihood is within 0.05 nats of the best of all runs on the same data. Include
runs of several lengths (dgplab sweep --steps 500,1000,2000,4000): the learning rate
falls at the end of each run.

--joint rebuilds the models of two runs and compares their joint predictions at
up to 100 test points, noise included: the Kullback-Leibler divergence of A from
B per point, and the difference of the covariances. Covariances are exact for GP
regression in closed form, and otherwise estimated from 256 joint draws.
` + idHelp,
		Example: `  dgplab compare 20250131-142501 20250131-150210
  dgplab compare star-against-mean-field --metric log_lik,crps --svg ranks.svg
  dgplab compare lengths --to-accuracy 0.05
  dgplab compare 'sweep:kernels -family:linear' --latex`,
		ValidArgsFunction: complete(comparableNames),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(cmd, "missing argument: want runs, a sweep or a query")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.compare(cmd, f, args) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.metrics, "metric", nil,
		"metrics to compare: "+strings.Join(metricKeys(), ", ")+
			" (default: log_lik, rmse, crps and error_rate if measured)")
	dataFlag(cmd, &f.data)
	formFlags(cmd, jsonForm, csvForm, markdownForm, latexForm)
	flags.StringVar(&f.ranksBy, "ranks-by", "dataset",
		"rank methods by `dataset` (averaged over splits) or by split")
	flags.StringVar(&f.against, "against", "",
		"compare this `method` (its label in the tables) directly with each other method")
	flags.BoolVar(&f.unmatched, "unmatched", false,
		"include runs on splits that some method lacks")
	flags.Float64Var(&f.accuracy, "to-accuracy", 0,
		"show the training times until validations are within this number of `nats` of the best")
	flags.BoolVar(&f.joint, "joint", false,
		"compare the joint predictions of two runs, which rebuilds their models")
	flags.StringVar(&f.svg, "svg", "",
		"write the critical-difference diagram of the first metric to this `file`")
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		"metric":   completeList(noFiles, metricKeys),
		"ranks-by": complete(func() []string { return []string{"dataset", "split"} }),
		"svg":      completeOr(orFiles, func() []string { return nil }),
	})
	return cmd
}

// compared is the result of dgplab compare.
type compared struct {
	*compare.Report
	// Direct holds a comparison per data set if there are two methods or --against is set.
	Direct []compare.Comparison `json:"direct,omitempty"`
	// Joint is the distance of the joint predictions of two runs, or nil.
	Joint *probe.JointDistance `json:"joint,omitempty"`
	// Accuracy holds the times to accuracy if --to-accuracy is set.
	Accuracy *compare.Accuracy `json:"to_accuracy,omitempty"`
	// failed lists the direct comparisons that failed, with the reasons.
	failed []string
}

// comparedRun is a compared run in JSON.
type comparedRun struct {
	ID      string `json:"id"`
	Method  string `json:"method"`
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	Seed    uint64 `json:"seed"`
}

// json returns the comparison with its runs.
func (r *compared) json() any {
	runs := []comparedRun{}
	for _, run := range r.Runs {
		runs = append(runs, comparedRun{run.ID, r.Methods[run.Method].Label, r.Datasets[run.Dataset],
			run.Config.Split, run.Config.Seed})
	}
	r.Notes = append(r.Notes, r.failed...)
	return struct {
		*compared
		Runs []comparedRun `json:"runs"`
	}{r, runs}
}

func (c *console) compare(cmd *cobra.Command, f *compareFlags, args []string) error {
	if cmd.Flags().Changed("metric") && len(f.metrics) == 0 {
		return usage(cmd, "missing value: --metric")
	}
	metrics, err := chosenMetrics(cmd, f.metrics)
	if err != nil {
		return err
	}
	if f.accuracy < 0 || math.IsNaN(f.accuracy) {
		return usage(cmd, "bad value: --to-accuracy=%g; want a number of nats from 0", f.accuracy)
	}
	blocks, ok := rankings[f.ranksBy]
	if !ok {
		return usage(cmd, "bad value: --ranks-by=%s; want dataset or split", f.ranksBy)
	}
	runs, err := comparedRuns(cmd, args)
	if err == nil {
		err = relocate(runs, f.data)
	}
	if err != nil {
		return err
	}
	report, err := compare.NewReport(runs, compare.ReportOptions{
		Options: compare.Options{Unmatched: f.unmatched, Blocks: blocks}, Metrics: metrics,
		RanksHint:    ", or --ranks-by split",
		BaselineHint: " (dgplab train --family " + models.BaselineFamily + ", dgplab sweep --baseline)",
	})
	if err != nil {
		return err
	}
	result := &compared{Report: report}
	if err := result.compareDirectly(cmd, f.against); err != nil {
		return err
	}
	if cmd.Flags().Changed("to-accuracy") {
		result.Accuracy, err = result.Set.Accuracy(f.accuracy)
		if err != nil {
			return err
		}
	}
	if f.joint {
		if err := result.compareJointly(cmd); err != nil {
			return err
		}
	}
	if f.svg != "" {
		if err := result.writeDiagram(f.svg); err != nil {
			return err
		}
	}
	err = c.write(cmd, output{
		text:   func() string { return c.comparedText(result) },
		json:   result.json,
		csv:    func(w io.Writer) error { return result.CSV(w, result.Metrics) },
		sheets: result.sheets,
	})
	if form := formOf(cmd); form != textForm && form != jsonForm { // Text and JSON already list them.
		c.sayLeftOut(result)
	}
	return err
}

// metricKeys returns the keys of the metrics that can be compared.
func metricKeys() []string { return metric.Keys(metric.Ranked()) }

// chosenMetrics returns the named metrics, or nil for no names.
func chosenMetrics(cmd *cobra.Command, names []string) ([]metric.Column, error) {
	var list []metric.Column
	for _, name := range names {
		m, ok := metric.Find(name)
		if !ok || m.Better == metric.Neither {
			return nil,
				usage(cmd, "unknown metric: %q%s", name, wording.DidYouMeanOr(name, metricKeys(),
					"known ones are "+strings.Join(metricKeys(), ", ")+", and METRIC.TARGET for one target"))
		}
		list = append(list, m)
	}
	return list, nil
}

// comparedRuns returns the runs of arguments.
func comparedRuns(cmd *cobra.Command, args []string) ([]rundir.Info, error) {
	sweeps, err := sweep.Names()
	if err != nil {
		return nil, err
	}
	var runs []rundir.Info
	for _, arg := range args {
		found, err := runsOf(cmd, arg, sweeps)
		if err != nil {
			return nil, err
		}
		runs = append(runs, found...)
	}
	return runs, nil
}

// runsOf returns the runs of a sweep, the named run, or the runs that match a query.
func runsOf(cmd *cobra.Command, arg string, sweeps []string) ([]rundir.Info, error) {
	if slices.Contains(sweeps, arg) {
		return sweep.Runs(arg)
	}
	info, err := rundir.FindReadOnly(arg)
	switch {
	case err == nil:
		return []rundir.Info{info}, nil
	case !errors.Is(err, rundir.ErrNoRun):
		return nil, err
	case strings.ContainsAny(arg, ":=<> "):
		return matchingRuns(cmd, arg)
	}
	return nil, &usageError{oneLine(err) + wording.DidYouMean(arg, sweeps, ""), "dgplab runs"}
}

// matchingRuns returns the runs that match a query. There must be at least one.
func matchingRuns(cmd *cobra.Command, text string) ([]rundir.Info, error) {
	filter, err := query.Parse(text)
	if err != nil {
		return nil, badQuery(cmd, "query", err)
	}
	all, err := rundir.List()
	if err != nil {
		return nil, err
	}
	runs := filter.Filter(all)
	if len(runs) == 0 {
		return nil, &usageError{"no run matches " + text, "dgplab runs"}
	}
	return runs, nil
}

// compareDirectly compares the named method with every other method. Without a name it compares the methods
// only if there are exactly two.
func (r *compared) compareDirectly(cmd *cobra.Command, label string) (err error) {
	a := 0
	switch {
	case label != "":
		var labels []string
		for _, m := range r.Methods {
			labels = append(labels, m.Label)
		}
		a = slices.Index(labels, label)
		if a < 0 {
			return usage(cmd, "unknown method: --against=%s%s", label, didYouMeanOr(label, labels))
		}
	case len(r.Methods) != 2:
		return nil
	}
	r.Direct, r.failed, err = r.Each(cmd.Context(), a, nil)
	return err
}

// jointRuns returns the indices of the runs A and B of a comparison of two runs. A is the run of the first
// method, or the first run if both have the same method.
func (r *compared) jointRuns() (a, b int) {
	if r.Runs[0].Method > r.Runs[1].Method {
		return 1, 0
	}
	return 0, 1
}

// compareJointly computes the distance of the joint predictions of two runs.
func (r *compared) compareJointly(cmd *cobra.Command) error {
	if len(r.Runs) != 2 {
		return usage(cmd, "--joint compares two runs, not %d", len(r.Runs))
	}
	var of [2]*probe.Joint
	for i, run := range r.Runs {
		var err error
		of[i], err = session.JointAt(cmd.Context(), run.Info, jointPoints)
		if err != nil {
			return fmt.Errorf("joint predictions of %s: %w", run.ID, err)
		}
	}
	a, b := r.jointRuns()
	d, err := of[a].Distance(of[b])
	if err != nil {
		return err
	}
	r.Joint = &d
	return nil
}

// writeDiagram writes the diagram of the first table as SVG. The file is replaced atomically.
func (r *compared) writeDiagram(path string) error {
	picture, ok := tables.RankDiagram{}, false
	if len(r.Tables) > 0 {
		picture, ok = report.Ranks(r.Tables[0])
	}
	if !ok {
		return errors.New("no diagram: " + compare.NoRanks(compare.ByDataset) +
			", or on 2 shared splits with --ranks-by split")
	}
	options := figure.Options{Title: "Average ranks by " + r.Tables[0].Metric.Name}
	err := files.ReplaceAt(files.OS, path, func(w io.Writer) error { return writeSVG(w, picture, options) })
	if err != nil {
		return fmt.Errorf("write the diagram: %w", err)
	}
	return nil
}

// writeSVG writes a picture as SVG.
func writeSVG(w io.Writer, p viz.Picture, o figure.Options) error {
	drawing, err := p.Figure(o)
	if err != nil {
		return err
	}
	return drawing.Write(w, figure.SVG)
}
