package compare

import (
	"fmt"
	"strings"
	"testing"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/rundir/rundirtest"
	"dgplab/viz/golden"
)

// randomStudy returns runs of methods on data sets, splits and seeds with random effects. Some runs are
// missing, and some are unusable or have awkward contents.
func randomStudy(r *golden.Filler) []rundir.Info {
	methods := [][]string{
		{"star", "svgp"}, {"star inducing=64", "star inducing=32", "linear"}, {"svgp", "linear", "gone x=1"},
		{"star width=2 steps=50", "star width=3 steps=60", "mean-field width=2", "svgp"}, {"svgp"},
		{"linear", "linear steps=7", "star", "svgp learning_rate=1e-2", "svgp learning_rate=0.02"},
	}[r.IntN(6)]
	datasets := []string{"boston", "energy", "/a/x.csv", "/b/x.csv"}[:1+r.IntN(4)]
	effect := golden.Pick(r, 0, 0.05, 0.3, 1)
	scale := golden.Pick(r, 1, 1, 0.01, 30)
	spread := golden.Pick(r, 0, 0.02, 0.2)
	drifts := golden.Pick(r, 0, 0, 1)
	sized := r.IntN(3)
	runs := grid(methods, datasets, 1+r.IntN(4), uint64(1+r.IntN(2)), func(m, d, s int, _ uint64) float64 {
		return scale * (-1 - float64(d) - effect*float64(m) + 0.1*noise(s, d, 3) + spread*r.NormFloat64())
	})
	var kept []rundir.Info
	missing := golden.Pick(r, 0, 0, 0.05, 0.3)
	odd := golden.Pick(r, 0, 0.03, 0.1)
	for i := range runs {
		run := &runs[i]
		run.Created = golden.Of[rundir.ConfigFile](r).Created
		if sized > 0 {
			run.Summary.Data = rundir.DataFacts{N: 80 + sized, Validation: 10, Test: 10, Rows: 100}
		}
		if drifts > 0 && r.IntN(8) == 0 {
			run.Summary.Drift = &rundir.Drift{Verdict: golden.Of[rundir.Verdict](r)}
		}
		if r.Float64() < odd {
			other := golden.Of[rundir.Info](r)
			other.Config, other.Values, other.Steps = run.Config, run.Values, run.Steps
			*run = other
		}
		if r.Float64() >= missing {
			kept = append(kept, *run)
		}
	}
	return kept
}

// TestRecordedReports compares reports on random runs with recorded ones.
func TestRecordedReports(t *testing.T) {
	r := rundirtest.NewFiller(3)
	var sums golden.Sums
	metrics := []metric.Column{metric.Get("seconds"), metric.Get("coverage95"), metric.Get("objective"),
		metric.Get("rmse"), metric.Get("error_rate"), metric.Get("val.best")}
	for range 50 {
		runs := randomStudy(r)
		o := ReportOptions{Options: Options{Unmatched: r.IntN(3) == 0,
			Blocks: golden.Pick(r, "", ByDataset, BySplit)}, All: r.IntN(4) == 0, RanksHint: " (ranks)",
			BaselineHint: " (baseline)", BaselineToCome: r.IntN(4) == 0}
		if r.IntN(3) == 0 {
			o.Metrics = metrics[r.IntN(3) : 4+r.IntN(3)]
		}
		report, err := NewReport(runs, o)
		if err != nil {
			sums.Add("errors", err.Error())
			continue
		}
		sums.Add("methods", fmt.Sprint(report.Methods, report.Datasets))
		sums.Add("left out", fmt.Sprint(report.LeftOut))
		sums.Add("notes", fmt.Sprint(report.Notes))
		for _, table := range report.Tables {
			sheet := table.Sheet()
			sums.Add("Markdown", sheet.Markdown())
			sums.Add("LaTeX", sheet.LaTeX())
			sums.AddRounded(t, "JSON", table)
			if table.Ranking != nil {
				sums.AddRounded(t, "Wilcoxon", []rundir.Number{rundir.Number(table.Ranking.W.Statistic),
					rundir.Number(table.Ranking.W.P)})
			}
		}
		var csv strings.Builder
		if err := report.CSV(&csv, report.Metrics); err != nil {
			t.Fatal(err)
		}
		sums.Add("CSV", csv.String())
	}
	sums.Check(t, "reports")
}

// TestRecordedDirectComparisons compares direct comparisons of random predictions with recorded ones.
func TestRecordedDirectComparisons(t *testing.T) {
	r := rundirtest.NewFiller(4)
	var sums golden.Sums
	for range 120 {
		targets := 1 + r.IntN(3)
		classes := golden.Pick(r, 0, 0, 2, 3)
		list := make([]Comparison, 1+r.IntN(4))
		for i := range list {
			var pairs []Pair
			for range golden.Pick(r, 0, 1, 1, 2, 5, 12) {
				pair, err := Against(randomPredictions(r, targets, classes))
				if err != nil {
					sums.Add("errors", err.Error())
					continue
				}
				pair.Split = fmt.Sprint("standard:", r.IntN(4))
				pair.Ratio = golden.Pick(r, 0.1, 0.1, 0.25, float64(nan))
				pairs = append(pairs, pair)
				sums.AddRounded(t, "pairs", pair)
			}
			list[i] = Direct(pairs)
			list[i].Dataset, list[i].A, list[i].B = golden.Pick(r, "boston", "a_b"), "star",
				golden.Pick(r, "svgp", "svgp", "linear")
			list[i].Withhold(r.IntN(6) == 0, r.IntN(6) == 0)
		}
		together := make([]*Comparison, len(list))
		for i := range list {
			together[i] = &list[i]
		}
		Together(together)
		for _, c := range list {
			sums.Add("verdicts", fmt.Sprint(c.Verdict, c.Remark, c.Inconclusive, c.Single, c.N, c.Over))
			sums.AddRounded(t, "JSON", c)
		}
		sheet := DirectSheet(list)
		sums.Add("Markdown", sheet.Markdown())
		sums.Add("LaTeX", sheet.LaTeX())
	}
	sums.Check(t, "comparisons")
}

// randomPredictions returns predictions of two models for the same points, and now and then for others.
func randomPredictions(r *golden.Filler, targets, classes int) (a, b *rundir.Predictions) {
	n := golden.Pick(r, 1, 2, 7, 40, 130)
	a = rundirtest.Predictions(r, n, targets, classes)
	if r.IntN(12) == 0 {
		return a, rundirtest.Predictions(r, golden.Pick(r, n, n, 0, 3), 1+r.IntN(2), golden.Pick(r, 0, 2))
	}
	b = rundirtest.Predictions(r, n, targets, classes)
	b.Target = append([]float64(nil), a.Target...)
	shift := golden.Pick(r, 0, 0.1, 1)
	for i := range b.LogLik {
		b.LogLik[i] = a.LogLik[i] + shift + golden.Pick(r, 0, 0.3, 0.3)*r.NormFloat64()
	}
	if r.IntN(8) == 0 {
		a.LogLik[r.IntN(n)] = r.Float()
		b.LogLik[r.IntN(n)] = r.Float()
	}
	if r.IntN(8) == 0 {
		at := r.IntN(len(a.Target))
		a.Target[at] = golden.Pick(r, float64(nan), a.Target[at]*(1+1e-11), a.Target[at]+1)
		b.Target[at] = golden.Pick(r, float64(nan), b.Target[at])
	}
	return a, b
}

// TestRecordedStatistics compares the results of tests and corrections of random values, often tied ones,
// with recorded ones.
func TestRecordedStatistics(t *testing.T) {
	r := golden.NewTypicalFiller(5)
	var digest golden.Digest
	digest.Begin("tests")
	add := func(name string, values ...float64) {
		for _, v := range values {
			digest.Add(t, name, rundir.Number(v), nil)
			if v != v {
				digest.Add(t, name+" that are missing", 1, nil)
			}
		}
	}
	for range 400 {
		d := randomValues(r, golden.Pick(r, 0, 1, 2, 3, 8, 20, 99, 100, 101, 150))
		ratio := golden.Pick(r, 0, 0.1, 0.5)
		for name, test := range map[string]Test{
			"t": PairedT(d), "resampled t": ResampledT(d, ratio), "Wilcoxon": Wilcoxon(d),
		} {
			add(name, float64(test.N), test.Statistic)
			add("p of "+name, test.P)
		}
		add("Holm", Holm(d)...)
		ranks := Ranks(d, r.IntN(2) == 0)
		add("ranks", ranks...)
		for i, group := range Cliques(ranks, golden.Pick(r, 0.3, 1, 2.5, float64(nan))) {
			for _, method := range group {
				add("cliques", float64(1+i+method))
			}
		}
		methods := 1 + r.IntN(6)
		rows := make([][]float64, r.IntN(9))
		for i := range rows {
			rows[i] = randomValues(r, methods)
		}
		f := FriedmanTest(rows, r.IntN(2) == 0)
		add("Friedman ranks", f.Ranks...)
		add("Friedman", f.ChiSquare, f.P, float64(f.Corrected), float64(f.CorrectedP), float64(f.F),
			float64(f.FP))
		if len(rows) == 3 {
			add("critical difference", CriticalDifference(methods, len(rows), golden.Pick(r, 0.05, 0.1,
				0.01)))
		}
		add("ratio", meanRatio(d), Ratio(golden.Of[rundir.DataFacts](r)))
	}
	digest.Check(t, "statistics")
}

// randomValues returns numbers around a random mean. They are rounded, so that some are equal.
func randomValues(r *golden.Filler, n int) []float64 {
	values := make([]float64, n)
	mean := golden.Pick(r, 0, 0.5, 3)
	scale := golden.Pick(r, 0, 1.0, 4, 1000)
	for i := range values {
		values[i] = mean + float64(int(scale*r.NormFloat64()))/max(scale, 1)
		if r.IntN(200) == 0 {
			values[i] = r.Float()
		}
	}
	return values
}

// TestRecordedSheets compares random sheets and numbers in all formats with recorded ones.
func TestRecordedSheets(t *testing.T) {
	r := golden.NewTypicalFiller(6)
	golden.Field(r, "Text", "-", "NaN", "+Inf", "-1.50", "1.2e+12", "3e-05", "star", "a_b|c", "100%")
	golden.Field(r, "SE", "", "", "0.10", "3.0e-05", "+Inf")
	var sums golden.Sums
	for range 300 {
		columns := 1 + r.IntN(5)
		s := Sheet{Title: r.Word(), Names: min(r.IntN(3), columns), Notes: golden.Of[[]string](r)}
		if r.IntN(2) == 0 {
			s.Notes = append(s.Notes, "tied: not different", "one", "two")
		}
		for i := range columns + 1 + r.IntN(4) {
			row := make([]Entry, columns)
			for k := range row {
				row[k] = golden.Of[Entry](r)
			}
			switch {
			case i < columns:
				s.Columns = append(s.Columns, r.Word())
			case i == columns:
				s.Foot = golden.Pick(r, nil, row)
			default:
				s.Rows = append(s.Rows, row)
			}
		}
		sums.Add("Markdown", s.Markdown())
		sums.Add("LaTeX", s.LaTeX())
		x, se := r.Float(), r.Float()
		sums.Add("numbers", fmt.Sprint(fixed(x, r.IntN(5)), decimals(se, x), PText(rundir.Number(se)),
			distanceText(rundir.Number(x)), measured(x, se, r.IntN(7))))
	}
	sums.Check(t, "sheets")
}
