package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets/files"
	"dgplab/models"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/comparison"
	"dgplab/viz/figure"
	"dgplab/viz/ranks"
)

// compareFlags are the flags of dgplab compare.
type compareFlags struct {
	metrics   []string
	unmatched bool
	ranksBy   string
	against   string
	svg       string
}

// rankings maps the values of --ranks-by.
var rankings = map[string]compare.Blocks{"dataset": compare.ByDataset, "split": compare.BySplit}

func (c *console) compareCommand() *cobra.Command {
	f := new(compareFlags)
	cmd := &cobra.Command{
		Use:   "compare ID ID... | SWEEP",
		Short: "Compare methods: tables, direct comparison, ranks",
		Long: `Compare the methods of some runs or of a sweep. A method is a configuration
without data set, split and seed, and is called by what tells it from the others.

For each metric there is a table of methods by data sets: mean and standard error
over splits (the seeds of a split averaged first), or over seeds where there is
one split; the best, and those that a paired t-test at 0.05 does not tell from it.
Two methods are compared directly too: on which share of test points A has the
higher log-likelihood, by how much on average, and whether that is more than
chance; of more, --against NAME compares one so with each other. Over two data sets
or more, methods are ranked: average ranks, Friedman test, Nemenyi critical
difference; --ranks-by split ranks them on every split, whose tests are optimistic.

Methods are only compared on the same test points: runs on splits that not all
methods have are left out, and named. Splits of a data set share rows, for which
t-tests over them are corrected; what is tested together is held to Holm's level.
Over the seeds of one split tests measure the noise of training alone. Methods that
do worse than the family linear, where it is among them, are pointed out.
` + idHelp,
		Example: `  dgplab compare 20250131-142501 20250131-150210
  dgplab compare star-against-mean-field --metric log_lik,crps --svg ranks.svg
  dgplab compare star-against-mean-field --latex`,
		ValidArgsFunction: complete(comparableNames),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(cmd, "want runs or a sweep to compare")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.compare(cmd, f, args) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.metrics, "metric", nil,
		"compare by these: "+strings.Join(metricKeys(), ", ")+
			" (default: what was measured of log_lik, rmse, crps, error_rate)")
	formFlags(cmd, jsonForm, csvForm, markdownForm, latexForm)
	flags.StringVar(&f.ranksBy, "ranks-by", "dataset",
		"rank methods on every `dataset` (splits averaged) or split")
	flags.StringVar(&f.against, "against", "",
		"compare this `method`, by its name in the tables, directly with each other one")
	flags.BoolVar(&f.unmatched, "unmatched", false,
		"let runs count that are on splits that not all methods have")
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
	// Direct holds one comparison per data set if there are two methods or --against is set.
	Direct []compare.Comparison `json:"direct,omitempty"`
	// failed lists direct comparisons that failed, with reasons.
	failed []string
}

// comparedRun is a run of a comparison in JSON.
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
	form, err := formOf(cmd)
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("metric") && len(f.metrics) == 0 {
		return usage(cmd, "--metric names no metric")
	}
	metrics, err := chosenMetrics(cmd, f.metrics)
	if err != nil {
		return err
	}
	blocks, ok := rankings[f.ranksBy]
	if !ok {
		return usage(cmd, "bad value: --ranks-by=%s; want dataset or split", f.ranksBy)
	}
	runs, err := comparedRuns(args)
	if err != nil {
		return err
	}
	report, err := compare.NewReport(runs, compare.Wanted{
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
	if f.svg != "" {
		if err := result.writeDiagram(f.svg); err != nil {
			return err
		}
	}
	err = c.write(cmd, answer{
		text:   func() string { return c.comparedText(result) },
		json:   result.json,
		csv:    func(w io.Writer) error { return result.CSV(w, result.Metrics) },
		sheets: result.sheets,
	})
	if form != textForm && form != jsonForm { // Text and JSON list them already.
		c.sayLeftOut(result)
	}
	return err
}

// metricKeys returns the keys of the metrics that can be compared.
func metricKeys() []string { return metric.Keys(metric.Ranked()) }

// chosenMetrics returns the named metrics, or nil if there are no names.
func chosenMetrics(cmd *cobra.Command, names []string) ([]metric.Metric, error) {
	var list []metric.Metric
	for _, name := range names {
		m, ok := metric.Find(name)
		if !ok || m.Better == metric.Neither {
			return nil,
				usage(cmd, "unknown metric: %q; there are %s, and rmse.TARGET and the like for one target%s",
					name, strings.Join(metricKeys(), ", "), didYouMean(name, metricKeys(), ""))
		}
		list = append(list, m)
	}
	return list, nil
}

// comparedRuns returns the runs of arguments, which name sweeps or runs.
func comparedRuns(args []string) ([]rundir.Info, error) {
	sweeps, err := sweep.Names()
	if err != nil {
		return nil, err
	}
	var runs []rundir.Info
	for _, arg := range args {
		var found []rundir.Info
		if slices.Contains(sweeps, arg) {
			found, err = sweep.Runs(arg)
		} else {
			found, err = readRuns([]string{arg})
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, found...)
	}
	return runs, nil
}

// compareDirectly compares the named method with every other method. Without a name it compares the
// methods if there are exactly two.
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
			return usage(cmd, "--against=%s: there is no such method; there are %s%s", label,
				strings.Join(labels, ", "), didYouMean(label, labels, ""))
		}
	case len(r.Methods) != 2:
		return nil
	}
	r.Direct, r.failed, err = r.Each(cmd.Context(), a, nil)
	return err
}

// writeDiagram writes the diagram of the first table as SVG. The file is replaced atomically.
func (r *compared) writeDiagram(path string) error {
	picture, ok := ranks.Diagram{}, false
	if len(r.Tables) > 0 {
		picture, ok = comparison.Ranks(r.Tables[0])
	}
	if !ok {
		return errors.New("there is nothing to rank, so no diagram: that needs two methods and two data " +
			"sets that all of them have, or --ranks-by split and two splits")
	}
	picture.Note = comparison.RankTests(r.Tables[0].Ranking)
	options := figure.Options{Title: "Average ranks by " + r.Tables[0].Metric.Name}
	err := files.ReplaceAt(files.OS, path, func(w io.Writer) error {
		diagram, err := picture.Figure(options)
		if err != nil {
			return err
		}
		return diagram.Write(w, figure.SVG)
	})
	if err != nil {
		return fmt.Errorf("write the diagram: %w", err)
	}
	return nil
}
