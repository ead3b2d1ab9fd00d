package report

import (
	"strings"
	"testing"

	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// A conclusion names what the verdicts support, and says where no conclusion is supported and why.
func TestConclusion(t *testing.T) {
	cell := func(mean, se float64, n int) compare.Cell {
		c := compare.Cell{}
		c.Mean, c.SE, c.N, c.Over = rundir.Number(mean), rundir.Number(se), n, compare.OverSplits
		return c
	}
	table := &compare.Table{Metric: metric.Get("log_lik"), Methods: []string{"star", "svgp", "linear"},
		Datasets: []string{"boston"},
		Cells:    [][]compare.Cell{{cell(-1, 0.1, 3)}, {cell(-2, 0.1, 3)}, {cell(-3, 0.1, 3)}}}
	methods := []compare.Method{{Label: "star", Family: "star"}, {Label: "svgp", Family: "svgp"},
		{Label: "linear", Family: "linear"}}
	set := &compare.Set{Methods: methods, Datasets: []string{"boston"}}
	report := &compare.Report{Set: set, Tables: []*compare.Table{table}}
	against := func(b, verdict string) compare.Comparison {
		return compare.Comparison{Dataset: "boston", A: "star", B: b, N: 3, Over: compare.OverSplits,
			Verdict: verdict}
	}
	unsettled := against("svgp", "~")
	unsettled.Inconclusive = "B"
	single := against("svgp", "~")
	single.Single = true
	for name, c := range map[string]struct {
		direct []compare.Comparison
		want   string
	}{
		"better": {[]compare.Comparison{against("svgp", "A"), against("linear", "A")},
			"On the same test points, star is significantly better than svgp and linear by log-likelihood " +
				"(paired t-test over 3 splits, level 0.05, Holm-corrected)."},
		"better and worse": {[]compare.Comparison{against("svgp", "A"), against("linear", "B")},
			"star is significantly better than svgp and significantly worse than linear by"},
		"one of two": {[]compare.Comparison{unsettled, against("linear", "A")},
			"; no conclusion is supported about svgp: runs had not settled when training ended."},
		"unsettled": {[]compare.Comparison{unsettled},
			"No conclusion is supported: runs had not settled when training ended."},
		"single": {[]compare.Comparison{single},
			"No conclusion is supported: there is one split and one seed."},
		"noise": {[]compare.Comparison{against("svgp", "~")},
			"No conclusion is supported: the differences are within noise."},
		"no predictions": {nil,
			"No conclusion is supported: no methods have predictions of the same test points."},
	} {
		got := Conclusion(report, c.direct)
		if len(got) != 3 || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: the conclusion is %q, want %q", name, got, c.want)
		}
	}
	got := Conclusion(report, nil)
	want := "star has the best mean test log-likelihood on boston, -1.00 (0.10) over 3 splits."
	if got[1] != want {
		t.Errorf("the scores are %q, want %q", got[1], want)
	}
	table.Cells[0][0].Best, table.Cells[1][0].Tied = true, true
	if got := Conclusion(report, nil)[1]; !strings.HasSuffix(got, ", not significantly better than svgp.") {
		t.Errorf("a tie is %q", got)
	}
	table.Cells[0][0].Inconclusive = 1
	if got := Conclusion(report, nil)[1]; !strings.HasSuffix(got, ", but its runs had not settled.") {
		t.Errorf("unsettled runs are %q", got)
	}
	want = "No method has a worse mean test log-likelihood than the linear baseline."
	if got[2] != want {
		t.Errorf("the baseline is %q, want %q", got[2], want)
	}
	table.Below = []compare.Below{{Method: "svgp"}}
	want = "Worse than the linear baseline in mean test log-likelihood: svgp."
	if got := Conclusion(report, nil)[2]; got != want {
		t.Errorf("the baseline is %q, want %q", got, want)
	}
	set.Methods = methods[:2]
	want = "There is no baseline: it is unknown whether the methods beat a linear model."
	if got := Conclusion(report, nil)[2]; got != want {
		t.Errorf("without a baseline: %q, want %q", got, want)
	}
	if got := Conclusion(&compare.Report{Set: set}, nil); len(got) != 1 ||
		got[0] != "No conclusion is supported: no run has test scores." {
		t.Errorf("without scores: %q", got)
	}
}

// The leading method has the best mean on most data sets.
func TestConclusionOnDataSets(t *testing.T) {
	row := func(means ...float64) (list []compare.Cell) {
		for _, mean := range means {
			c := compare.Cell{}
			c.Mean, c.N = rundir.Number(mean), 1
			list = append(list, c)
		}
		return list
	}
	table := &compare.Table{Metric: metric.Get("rmse"), Methods: []string{"star", "svgp"},
		Datasets: []string{"a", "b", "c"}, Cells: [][]compare.Cell{row(1, 5, 5), row(2, 4, 4)}}
	set := &compare.Set{Methods: make([]compare.Method, 2), Datasets: table.Datasets}
	direct := []compare.Comparison{{Dataset: "a", A: "svgp", B: "star", Verdict: "B", N: 3},
		{Dataset: "b", A: "svgp", B: "star", Verdict: "A", N: 3}}
	got := Conclusion(&compare.Report{Set: set, Tables: []*compare.Table{table}}, direct)
	want := "svgp is significantly better than star on b and significantly worse than star on a by"
	if !strings.Contains(got[0], want) {
		t.Errorf("the verdicts are %q, want %q", got[0], want)
	}
	if want := "svgp has the best mean test RMSE on 2 of 3 data sets."; got[1] != want {
		t.Errorf("the scores are %q, want %q", got[1], want)
	}
}
