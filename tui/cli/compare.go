package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/models"
	"dgplab/session/compare"
	"dgplab/session/files"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/viz/figure"
	"dgplab/viz/ranks"
)

// compareFlags are the flags of dgplab compare.
type compareFlags struct {
	metrics   []string
	unmatched bool
	ranksBy   string
	svg       string
}

// rankings are the values of --ranks-by.
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
chance. Over two data sets or more, methods are ranked: average ranks, Friedman
test, Nemenyi critical difference; --ranks-by split ranks them on every split, whose
tests are optimistic.

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
	flags.StringSliceVar(&f.metrics, "metric", nil, "compare by these: "+strings.Join(metricKeys(), ", ")+" (default: what was measured of log_lik, rmse, crps, error_rate)")
	formFlags(cmd, jsonForm, csvForm, markdownForm, latexForm)
	flags.StringVar(&f.ranksBy, "ranks-by", "dataset", "rank methods on every `dataset` (splits averaged) or split")
	flags.BoolVar(&f.unmatched, "unmatched", false, "let runs count that are on splits that not all methods have")
	flags.StringVar(&f.svg, "svg", "", "write the critical-difference diagram of the first metric to this `file`")
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		"metric": completeList(noFiles, metricKeys), "ranks-by": complete(func() []string { return []string{"dataset", "split"} }), "svg": completeOr(orFiles, func() []string { return nil }),
	})
	return cmd
}

// comparison is all that dgplab compare prints.
type comparison struct {
	*compare.Set
	metrics []metric.Metric
	Tables  []*compare.Table `json:"tables"`
	// Direct is per data set, where there are two methods.
	Direct []compare.Comparison `json:"direct,omitempty"`
	// failed says of which data sets there is no direct comparison, and why.
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
func (r *comparison) json() any {
	runs := []comparedRun{}
	for _, run := range r.Runs {
		runs = append(runs, comparedRun{run.ID, r.Methods[run.Method].Label, r.Datasets[run.Dataset], run.Config.Split, run.Config.Seed})
	}
	r.Notes = append(r.Notes, r.failed...)
	return struct {
		*comparison
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
	result, err := compareRuns(runs, metrics, compare.Options{Unmatched: f.unmatched, Blocks: blocks})
	if err != nil {
		return err
	}
	if f.svg != "" {
		if err := result.writeDiagram(f.svg); err != nil {
			return err
		}
	}
	err = c.write(cmd, answer{
		text:   func() string { return c.comparisonText(result) },
		json:   result.json,
		csv:    func(w io.Writer) error { return result.CSV(w, result.metrics) },
		sheets: result.sheets,
	})
	if form != textForm && form != jsonForm { // These say themselves what was left out.
		c.sayLeftOut(result)
	}
	return err
}

// metricKeys are those of the metrics by which methods are compared.
func metricKeys() []string { return metric.Keys(metric.Ranked()) }

// chosenMetrics returns the metrics of some names; none for none.
func chosenMetrics(cmd *cobra.Command, names []string) ([]metric.Metric, error) {
	var list []metric.Metric
	for _, name := range names {
		m, ok := metric.Find(name)
		if !ok || m.Better == metric.Neither {
			return nil, usage(cmd, "unknown metric: %q; there are %s, and rmse.TARGET and the like for one target%s", name, strings.Join(metricKeys(), ", "), didYouMean(name, metricKeys(), ""))
		}
		list = append(list, m)
	}
	return list, nil
}

// comparedRuns returns the runs of arguments: names of sweeps, or of runs.
func comparedRuns(args []string) ([]rundir.Info, error) {
	sweeps, err := sweep.Names()
	if err != nil {
		return nil, err
	}
	var runs []rundir.Info
	for _, arg := range args {
		ids := []string{arg}
		if slices.Contains(sweeps, arg) {
			if ids, err = sweep.RunIDs(arg); err != nil {
				return nil, err
			}
		}
		found, err := readRuns(ids)
		if err != nil {
			return nil, err
		}
		runs = append(runs, found...)
	}
	return runs, nil
}

// usualMetrics are compared when none is named, as far as they were measured.
var usualMetrics = []string{"log_lik", "rmse", "crps", "error_rate"}

// compareRuns does all the arithmetic.
func compareRuns(runs []rundir.Info, metrics []metric.Metric, options compare.Options) (*comparison, error) {
	r := &comparison{Set: compare.Group(runs)}
	if len(r.Runs) == 0 {
		why := ""
		if left := r.LeftOut; len(left) > 0 {
			why = fmt.Sprintf(": %s: %s", left[0].ID, left[0].Why)
		}
		return nil, fmt.Errorf("none of %s can be compared%s", plural(len(runs), "run"), why)
	}
	usual := metrics == nil
	if usual {
		for _, name := range usualMetrics {
			metrics = append(metrics, metric.Get(name))
		}
	}
	for _, m := range metrics {
		table := r.Table(m, options)
		switch {
		case len(table.Datasets) > 0:
			r.add(m, table)
		case table.Metric.Better == metric.Neither:
			return nil, fmt.Errorf("runs cannot be compared by %s where it does not mean the same: they maximise %s", m.Key, strings.Join(r.Objectives(), ", "))
		case !usual:
			return nil, fmt.Errorf("none of the runs has a value of %s", m.Key)
		}
	}
	if len(r.Methods) == 2 {
		r.compareDirectly()
	}
	r.offer(options)
	return r, nil
}

// compareDirectly compares the two methods on all data sets.
func (r *comparison) compareDirectly() {
	for d := range r.Datasets {
		direct, err := r.Set.Direct(0, 1, d)
		switch {
		case err != nil:
			r.failed = append(r.failed, fmt.Sprintf("no direct comparison on %s: %s", r.Datasets[d], oneLine(err)))
		case len(direct.Pairs) > 0:
			r.Direct = append(r.Direct, direct)
		}
	}
	list := make([]*compare.Comparison, len(r.Direct))
	for i := range r.Direct {
		list[i] = &r.Direct[i]
	}
	compare.Together(list)
}

// offer notes what the comparison has not, and how it is had.
func (r *comparison) offer(o compare.Options) {
	if len(r.Tables) == 0 || len(r.Methods) < 2 {
		return
	}
	if first := r.Tables[0]; first.Ranking == nil && o.Blocks == compare.ByDataset && slices.ContainsFunc(first.Cells, func(c []compare.Cell) bool {
		return slices.ContainsFunc(c, func(c compare.Cell) bool { return c.Over == compare.OverSplits })
	}) {
		r.Notes = append(r.Notes, "no ranks: that takes two data sets that all methods have, or --ranks-by split")
	}
	if !r.HasBaseline() {
		r.Notes = append(r.Notes, "no baseline: the family "+models.BaselineFamily+" trains in milliseconds (dgplab train --family "+models.BaselineFamily+", dgplab sweep --baseline)")
	}
}

// add adds the table of a metric, and what it leaves out that others do not.
func (r *comparison) add(m metric.Metric, t *compare.Table) {
	r.metrics, r.Tables = append(r.metrics, m), append(r.Tables, t)
	for _, l := range t.LeftOut {
		if !slices.Contains(r.LeftOut, l) {
			r.LeftOut = append(r.LeftOut, l)
		}
	}
}

// diagram returns the critical-difference diagram of a table; false if there is
// nothing to rank.
func diagram(t *compare.Table) (ranks.Diagram, bool) {
	if t.Ranking == nil {
		return ranks.Diagram{}, false
	}
	return ranks.Diagram{Labels: t.Methods, Ranks: t.Ranking.Ranks, CD: float64(t.Ranking.CD), Groups: t.Ranking.Groups, Note: rankNote(t.Ranking)}, true
}

// rankNote says what the tests find.
func rankNote(r *compare.Ranking) string {
	note := fmt.Sprintf("%d %s; p: Friedman %s", r.N, r.Are, compare.PText(r.CorrectedP))
	if math.IsInf(float64(r.F), 0) {
		note += " (all agree)"
	} else {
		note += ", Iman-Davenport " + compare.PText(r.FP)
	}
	if r.K == 2 {
		note += ", Wilcoxon " + compare.PText(rundir.Number(r.W.P))
	}
	return note
}

// writeDiagram writes the diagram of the first table as SVG, whole or not at all.
func (r *comparison) writeDiagram(path string) error {
	picture, ok := ranks.Diagram{}, false
	if len(r.Tables) > 0 {
		picture, ok = diagram(r.Tables[0])
	}
	if !ok {
		return errors.New("there is nothing to rank, so no diagram: that needs two methods and two data sets that all of them have, or --ranks-by split and two splits")
	}
	options := figure.Options{Title: "Average ranks by " + r.Tables[0].Metric.Name}
	err := files.Replace(files.OS, filepath.Dir(path), filepath.Base(path), func(w io.Writer) error { return figure.CriticalDifference(w, figure.SVG, picture, options) })
	if err != nil {
		return fmt.Errorf("write the diagram: %w", err)
	}
	return nil
}
