package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/models"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

var logLik = metric.Get("log_lik")

// spec describes a run without training it.
type spec struct {
	dataset, family string
	split           int
	seed            uint64
	logLik          float64
	values          string // NAME=VALUE NAME=VALUE
}

// run returns the run that rundir.List would return. Its ID is unique to the spec.
func (s spec) run() rundir.Info {
	logLik := rundir.Number(s.logLik)
	rmse := rundir.Number(math.Exp(-s.logLik))
	info := rundir.Info{
		ConfigFile: rundir.ConfigFile{
			ID: fmt.Sprintf("%s-%s-%d-%d-%s", s.dataset, s.family, s.split, s.seed, s.values),
			Config: rundir.Config{
				Dataset: s.dataset,
				Family:  s.family,
				Split:   fmt.Sprintf("standard:%d", s.split),
				Seed:    s.seed,
			},
			Values:  models.Values{"steps": "100", "metrics_every": fmt.Sprint(s.seed)},
			Created: time.Unix(1e9, 0),
		},
		State: rundir.Ended,
		Step:  100,
		Steps: 100,
		Results: &rundir.Summary{Stop: rundir.StopSteps, Step: 100, Seconds: 2,
			BestVal: logLik, BestStep: 100,
			Test: &rundir.Metrics{
				N:        10,
				LogLik:   logLik,
				NLL:      -logLik,
				RMSE:     &rmse,
				Coverage: map[string]rundir.Number{"95": 0.9},
			}},
	}
	for _, word := range strings.Fields(s.values) {
		name, value, _ := strings.Cut(word, "=")
		info.Values[name] = value
	}
	return info
}

// grid returns runs of methods (a family and values) on data sets with the given numbers of splits
// and seeds. value returns the log-likelihood.
func grid(
	methods []string,
	datasets []string,
	splits int,
	seeds uint64,
	value func(method, dataset, split int, seed uint64) float64,
) []rundir.Info {
	var runs []rundir.Info
	for i, m := range methods {
		family, values, _ := strings.Cut(m, " ")
		for d, name := range datasets {
			for split := range splits {
				for seed := range seeds {
					runs = append(runs,
						spec{name, family, split, seed, value(i, d, split, seed), values}.run())
				}
			}
		}
	}
	return runs
}

func labels(s *Set) (list []string) {
	for _, m := range s.Methods {
		list = append(list, m.Label)
	}
	return list
}

func TestLabels(t *testing.T) {
	for _, c := range []struct{ methods, want []string }{
		{[]string{"star"}, []string{"star"}},
		{[]string{"star inducing=32", "mean-field inducing=32"}, []string{"star", "mean-field"}},
		{[]string{"star inducing=64", "star inducing=32"}, []string{"inducing=64", "inducing=32"}},
		{[]string{"star inducing=64 width=2", "star inducing=32 width=3", "svgp inducing=32"},
			// in the order of the family
			[]string{"star width=2 inducing=64", "star width=3 inducing=32", "svgp inducing=32"}},
		// Numbers are compared by value, regardless of notation.
		{[]string{"star learning_rate=0.01", "star learning_rate=0.02", "star learning_rate=1e-2"},
			[]string{"learning_rate=0.02", "learning_rate=0.01"}},
		// Differences that follow from the defaults of the families are not shown.
		{[]string{"bnn-vi learning_rate=0.005", "svgp learning_rate=0.05"}, []string{"bnn-vi", "svgp"}},
		{[]string{"bnn-vi learning_rate=0.01", "svgp learning_rate=0.05"},
			[]string{"bnn-vi learning_rate=0.01", "svgp learning_rate=0.05"}},
		// The baseline is identified by its name, whatever else is set.
		{[]string{"star steps=50", "svgp steps=50", "linear steps=200"}, []string{"star", "svgp", "linear"}},
		{[]string{"star steps=50", "star steps=60", "linear steps=200"},
			[]string{"star steps=50", "star steps=60", "linear"}},
		// Hyperparameters of a single family are not shown.
		{[]string{"star width=2", "svgp"}, []string{"star", "svgp"}},
	} {
		s := Group(grid(c.methods, []string{"boston"}, 1, 2, func(int, int, int, uint64) float64 {
			return 0
		}))
		if !slices.Equal(labels(s), c.want) {
			t.Errorf("%q have the labels %q", c.methods, labels(s))
		}
		if len(s.Runs) != 2*len(c.want) || len(s.LeftOut) != 2*(len(c.methods)-len(c.want)) {
			t.Errorf("%q: %d runs, left out %v", c.methods, len(s.Runs), s.LeftOut)
		}
	}
}

// Runs whose values were adapted to the data or to a budget use the same method as other runs with the same
// chosen values.
func TestAdaptedRunsAreOneMethod(t *testing.T) {
	whole := spec{"boston", "star", 0, 0, -2, "inducing=128 budget="}.run()
	small := spec{"yacht", "star", 0, 0, -1, "inducing=60"}.run()
	small.Adapt([]rundir.Adaptation{{Name: "inducing", From: "128", To: "120"}})
	small.Adapt([]rundir.Adaptation{{Name: "inducing", From: "120", To: "60"}})
	if s := Group([]rundir.Info{whole, small}); len(s.Methods) != 1 || len(s.Runs) != 2 {
		t.Errorf("%d methods: %+v", len(s.Methods), s.Methods)
	}
	small.Adapted = nil
	if s := Group([]rundir.Info{whole, small}); len(s.Methods) != 2 {
		t.Errorf("chosen values: %+v", s.Methods)
	}
}

// A run that stopped at a rung is not compared with runs that took all steps.
func TestRungsAreLeftOut(t *testing.T) {
	whole := spec{"boston", "star", 0, 0, -2, ""}.run()
	pruned := spec{"boston", "svgp", 0, 0, -3, ""}.run()
	pruned.Results.Stop, pruned.Results.Step = rundir.StopRung, 12
	s := Group([]rundir.Info{whole, pruned})
	if len(s.Runs) != 1 || len(s.LeftOut) != 1 || !strings.Contains(s.LeftOut[0].Why, "at step 12 of 100") {
		t.Errorf("%d runs, left out %+v", len(s.Runs), s.LeftOut)
	}
}

func TestDatasetLabels(t *testing.T) {
	configs := []rundir.Config{{Dataset: "boston"}, {Dataset: "/a/x.csv"},
		{Dataset: "/b/x.csv"},
		{Dataset: "/a/y.csv", Targets: []string{"p", "q, r"}}}
	if got := datasetLabels(configs); !slices.Equal(got,
		[]string{"boston", "/a/x.csv", "/b/x.csv", "y.csv:p,\"q, r\""}) {
		t.Errorf("data sets have the labels %q", got)
	}
}

// There is one note about each method trained on a subset of the data.
func TestNotesOfUses(t *testing.T) {
	runs := grid([]string{"gprn", "svgp"}, []string{"jura"}, 1, 2, func(int, int, int, uint64) float64 {
		return 0
	})
	for i := range runs {
		if runs[i].Config.Family == "svgp" {
			runs[i].Results.Data = rundir.DataFacts{Uses: "the rows that have Cd"}
		}
	}
	if s := Group(runs); !slices.Equal(s.Notes, []string{"svgp: trained on the rows that have Cd"}) {
		t.Errorf("notes %q", s.Notes)
	}
	zero := func(int, int, int, uint64) float64 { return 0 }
	runs = grid([]string{"svgp"}, []string{"jura", "other"}, 1, 1, zero)
	runs[0].Results.Data = rundir.DataFacts{Uses: "the rows that have Cd"}
	if s := Group(runs); !slices.Equal(s.Notes, []string{"svgp: trained on the rows that have Cd of jura"}) {
		t.Errorf("notes on two data sets %q", s.Notes)
	}
}

// Each reason for leaving out a run is reported. Limitations of included runs are noted.
func TestLeftOut(t *testing.T) {
	good := spec{"boston", "star", 0, 0, -2, ""}.run()
	change := func(seed uint64, f func(*rundir.Info)) rundir.Info {
		r := spec{"boston", "star", 0, seed, -2, ""}.run()
		f(&r)
		return r
	}
	older := good
	older.ID, older.Created = "older", good.Created.Add(-time.Hour)
	runs := []rundir.Info{
		older, good, good,
		change(1, func(r *rundir.Info) {
			r.ID = "a"
			r.State = rundir.Running
			r.Results = nil
		}),
		change(2, func(r *rundir.Info) {
			r.ID = "b"
			r.State = rundir.Interrupted
			r.Results = nil
		}),
		change(3, func(r *rundir.Info) {
			r.ID = "c"
			r.State = rundir.Broken
			r.Err = fmt.Errorf("torn")
		}),
		change(4, func(r *rundir.Info) {
			r.ID = "d"
			r.Results.Stop = rundir.StopFailed
			r.Results.Error = "NaN"
		}),
		change(5, func(r *rundir.Info) {
			r.ID = "e"
			r.Results.Test = nil
		}),
		change(6, func(r *rundir.Info) {
			r.ID = "f"
			r.Results.Stop = rundir.StopAsked
			r.Results.Step = 7
		}),
	}
	s := Group(runs)
	var got []string
	for _, l := range s.LeftOut {
		got = append(got, l.ID+": "+l.Why)
	}
	want := []string{"older: superseded by " + good.ID, "a: still running",
		"b: interrupted", "c: broken: torn",
		"d: failed: NaN", "e: not evaluated on the test set"}
	if !slices.Equal(got, want) {
		t.Errorf("left out %q, want %q", got, want)
	}
	if len(s.Runs) != 2 || len(s.Notes) != 1 || s.Notes[0] != "f was stopped by request at step 7 of 100" {
		t.Errorf("%d runs, notes %q", len(s.Runs), s.Notes)
	}
	if empty := Group(nil); len(empty.Methods) != 0 || len(empty.Table(logLik, Options{}).Datasets) != 0 {
		t.Errorf("nothing: %+v", empty)
	}
}

// noise returns a deterministic number for the indices, with a mean of about zero.
func noise(i, j, k int) float64 { return math.Sin(float64(37*i + 11*j*j + 5*k + 1)) }

func TestTable(t *testing.T) {
	// The second method is worse by a constant, and the third is worse only by chance.
	value := func(m, d, split int, seed uint64) float64 {
		base := -2 - float64(d) + 0.3*noise(split, d, 7) + 0.01*noise(split, int(seed), m)
		return base - []float64{0, 0.1, 0.2 * noise(split, d, 3)}[m]
	}
	s := Group(grid([]string{"a", "b", "c"}, []string{"boston", "energy"}, 6, 2, value))
	m := logLik
	table := s.Table(m, Options{})
	for d := range 2 {
		best, worse := table.Cells[0][d], table.Cells[1][d]
		if worse.Tied || !(worse.P < 1e-4) || worse.Best {
			t.Errorf("b on %s is %+v", table.Datasets[d], worse)
		}
		if best.N != 6 || best.Over != OverSplits || best.Runs != 12 {
			t.Errorf("a on %s is %+v", table.Datasets[d], best)
		}
		// Reference values: means over seeds, then over splits.
		var splits, differences []float64
		for split := range 6 {
			splits = append(splits, (value(0, d, split, 0)+value(0, d, split, 1))/2)
			differences = append(differences, splits[split]-(value(1, d, split, 0)+value(1, d, split, 1))/2)
		}
		mean, se := StandardError(splits)
		near(t, "mean", float64(best.Mean), mean, 1e-13)
		near(t, "standard error", float64(best.SE), se, 1e-13)
		if best.Best {
			// The sizes of the parts are unknown.
			near(t, "P", float64(worse.P), PairedT(differences).P, 1e-9)
		}
		if c := table.Cells[2][d]; !c.Tied && !c.Best || best.Tied == best.Best {
			t.Errorf("c on %s is %+v, a %+v", table.Datasets[d], c, best)
		}
	}
	r := table.Ranking
	if r == nil || r.N != 2 || r.Are != ByDataset || r.K != 3 ||
		r.CD != rundir.Number(CriticalDifference(3, 2, Alpha)) || r.Ranks[1] < 2 || r.W.N != 0 {
		t.Errorf("ranking %+v", r)
	}
	if r := s.Table(m, Options{
		Blocks: BySplit,
	}).Ranking; r == nil || r.N != 12 || r.Are != BySplit ||
		r.CD != rundir.Number(CriticalDifference(3, 12, Alpha)) {
		t.Errorf("ranking by split %+v", r)
	}
	// A decreasing function of the metric, with lower values better, gives the same ranks.
	rmse := metric.Get("rmse")
	if other := s.Table(rmse, Options{}); !slices.Equal(other.Ranking.Ranks, r.Ranks) {
		t.Errorf("ranks by RMSE %v, by log-likelihood %v", other.Ranking.Ranks, r.Ranks)
	}
	if crps := metric.Get("crps"); len(s.Table(crps, Options{}).Datasets) != 0 {
		t.Error("a metric that no run has gives columns")
	}
}

// Runs on test points that some method lacks are left out, or included unpaired if requested.
func TestUnmatched(t *testing.T) {
	value := func(m, _, split int, _ uint64) float64 { return float64(10*m + split) }
	runs := grid([]string{"a", "b"}, []string{"boston"}, 3, 1, value)
	runs = append(runs[:5], spec{"boston", "b", 7, 0, 99, ""}.run()) // b has split 7 instead of 2.
	s, m := Group(runs), logLik
	table := s.Table(m, Options{})
	if c := table.Cells[1][0]; c.N != 2 || c.Mean != 10.5 || len(table.LeftOut) != 2 ||
		!strings.Contains(table.LeftOut[1].Why, "boston, standard:7") {
		t.Errorf("cell %+v, left out %v", c, table.LeftOut)
	}
	table = s.Table(m, Options{Unmatched: true, Blocks: BySplit})
	if c := table.Cells[1][0]; c.N != 3 || c.Mean != 40 || len(table.LeftOut) != 0 ||
		!table.Unmatched || table.Ranking.N != 2 {
		t.Errorf("cell %+v, left out %v, ranking %+v", c, table.LeftOut, table.Ranking)
	}
	if c := table.Cells[0][0]; c.P != 0 || c.Tied { // The scores on both shared splits differ by exactly 10.
		t.Errorf("cell %+v", c)
	}
	// A single method on a data set is not marked as the best.
	s = Group([]rundir.Info{spec{"boston", "a", 0, 0, 1, ""}.run(), spec{"energy", "b", 0, 0, 2, ""}.run()})
	table = s.Table(m, Options{})
	if table.Cells[0][0].Best || table.Cells[1][1].Best || table.Cells[0][1].N != 0 {
		t.Errorf("cells %+v", table.Cells)
	}
	// There is no result without a common split.
	s = Group([]rundir.Info{spec{"boston", "a", 0, 0, 1, ""}.run(), spec{"boston", "b", 1, 0, 2, ""}.run()})
	table = s.Table(m, Options{})
	if c := table.Cells[0][0]; c.N != 0 || !math.IsNaN(float64(c.Mean)) || c.Best ||
		len(table.LeftOut) != 2 || table.Ranking != nil {
		t.Errorf("cell %+v, left out %v", c, table.LeftOut)
	}
}

// If a file has changed between runs, the test points differ although the name is the same.
func TestChangedDataAreOtherBlocks(t *testing.T) {
	a := spec{"boston", "a", 0, 0, 1, ""}.run()
	b := spec{"boston", "b", 0, 0, 2, ""}.run()
	if s := Group([]rundir.Info{a, b}); s.Runs[0].block != s.Runs[1].block {
		t.Error("the same split gave two blocks")
	}
	withData(&a, "one")
	withData(&b, "two")
	if s := Group([]rundir.Info{a, b}); s.Runs[0].block == s.Runs[1].block {
		t.Error("other data gave the same block")
	}
}

// withData sets the digest of the test set through JSON.
func withData(r *rundir.Info, digest string) {
	text := fmt.Sprintf(`{"format": 1, "data": {"test_sha256": %q}}`, digest)
	if err := unmarshal(text, r.Results); err != nil {
		panic(err)
	}
}

// Results of a single run, and of several seeds on a single split, are labelled. The result of a single run
// is not tied with the best.
func TestSingles(t *testing.T) {
	m := logLik
	one := Group(grid([]string{"a", "b"}, []string{"boston"}, 1, 1, func(m, _, _ int, _ uint64) float64 {
		return float64(m)
	})).Table(m, Options{})
	if c := one.Cells[1][0]; !c.Best || c.Over != OverOne || c.N != 1 || !math.IsNaN(float64(c.SE)) {
		t.Errorf("best %+v", c)
	}
	if c := one.Cells[0][0]; c.Tied || !math.IsNaN(float64(c.P)) {
		t.Errorf("other %+v", c)
	}
	seeds := Group(grid([]string{"a", "b"}, []string{"boston"}, 1, 3, func(m, _, _ int, seed uint64) float64 {
		return float64(m)*0.1*noise(int(seed), 1, 1) + float64(seed)
	})).Table(m, Options{})
	c, d := seeds.Cells[0][0], seeds.Cells[1][0]
	if c.Over != OverSeeds || c.N != 3 || d.N != 3 || !(c.Tied && d.Best || c.Best && d.Tied) {
		t.Errorf("cells %+v and %+v", c, d)
	}
}

// Of several runs that should have the same results the newest counts, regardless of their order. If they are
// equally old, the later ID counts.
func TestNewestRunCounts(t *testing.T) {
	first := spec{"boston", "star", 0, 0, -2, ""}.run()
	second := first
	first.ID, second.ID = "first", "second"
	for _, age := range []time.Duration{0, time.Hour} {
		second.Created = first.Created.Add(age)
		for _, runs := range [][]rundir.Info{{first, second}, {second, first}} {
			s := Group(runs)
			if len(s.Runs) != 1 || s.Runs[0].ID != "second" ||
				len(s.LeftOut) != 1 || s.LeftOut[0] != (LeftOut{"first", "superseded by second"}) {
				t.Errorf("%v later, listed %s first: %d runs, left out %v",
					age, runs[0].ID, len(s.Runs), s.LeftOut)
			}
		}
	}
}

// Runs that start from different runs of a family use one method, which differs from the same family without
// a warm start.
func TestWarmStartsAreMethods(t *testing.T) {
	warm := func(split int, from string) rundir.Info {
		r := spec{"boston", "star", split, 0, -2, ""}.run()
		r.ID += from
		r.Values[rundir.WarmStartSetting] = from
		r.WarmStart = &rundir.WarmStart{Family: "svgp"}
		return r
	}
	cold := spec{"boston", "star", 0, 0, -2, ""}.run()
	cold.Values[rundir.WarmStartSetting] = ""
	if s := Group([]rundir.Info{warm(0, "a"), warm(1, "b"), cold}); len(s.Methods) != 2 || len(s.Runs) != 3 ||
		!slices.Contains(labels(s), "warm_start=svgp") {
		t.Errorf("methods %q of %d runs", labels(s), len(s.Runs))
	}
}

// TestMostProbable visits points of known class. Of equal probabilities the first one counts.
func TestMostProbable(t *testing.T) {
	p := &rundir.Predictions{
		N: 4, P: 1, Classes: []string{"a", "b", "c"}, Target: []float64{2, math.NaN(), 0, 1},
		Probability: []float64{0.1, 0.2, 0.7, 1, 0, 0, 0.5, 0.3, 0.2, 0.25, 0.25, 0.5},
	}
	got := ""
	MostProbable(p, func(class, top int, probability float64) {
		got += fmt.Sprint(class, top, probability, "; ")
	})
	if want := "2 2 0.7; 0 0 0.5; 1 2 0.5; "; got != want {
		t.Errorf("visited %q, want %q", got, want)
	}
}

// A run of a method whose seed makes no difference is compared with the runs of all seeds of another method.
// More such runs are repetitions of the first.
func TestSeedlessMethod(t *testing.T) {
	value := func(method, _, _ int, seed uint64) float64 { return float64(seed) * float64(1-method) }
	methods := []string{"star", "linear"}
	for _, seeds := range []uint64{1, 3} {
		runs := grid(methods[:1], []string{"boston"}, 1, 3, value)
		for _, r := range grid(methods, []string{"boston"}, 1, seeds, value) {
			if r.Config.Family == "linear" {
				runs = append(runs, r)
			}
		}
		s := Group(runs)
		logLik, _ := metric.Find("log_lik")
		table := s.Table(logLik, Options{})
		star, linear := table.Cells[0][0], table.Cells[1][0]
		for _, d := range [][]float64{table.differences(star, linear), table.differences(linear, star)} {
			if len(d) != 3 || d[0] != 0 || math.Abs(d[1]) != 1 || math.Abs(d[2]) != 2 {
				t.Errorf("%d seeds of linear: differences %v; want those of 0, 1, 2 from 0", seeds, d)
			}
		}
		if linear.N != 1 || star.N != 3 {
			t.Errorf("%d seeds of linear: %d and %d values; want 3 and 1", seeds, star.N, linear.N)
		}
		if a, b := len(s.pairs(0, 1, 0)), len(s.pairs(1, 0, 0)); a != 3 || b != 3 {
			t.Errorf("%d seeds of linear: %d and %d pairs of runs; want 3", seeds, a, b)
		}
	}
}

// A table is identified by its content, whatever it is called and however its columns are chosen.
func TestTablesAreIdentifiedByContent(t *testing.T) {
	run := func(path, target, content string, seed uint64) rundir.Info {
		r := spec{path, "a", 0, seed, 1, ""}.run()
		r.Results.Data.ContentSHA256 = content
		if target != "" {
			r.Config.Targets = []string{target}
			r.ID += target
		}
		return r
	}
	for _, c := range []struct {
		name string
		runs []rundir.Info
		want []string // data sets
	}{
		{"one content under two names", []rundir.Info{run("/d/a.csv", "", "c1", 0),
			run("/link.csv", "", "c1", 1)},
			[]string{"a.csv"}},
		{"one content by two options", []rundir.Info{run("/d/a.csv", "", "c1", 0),
			run("/d/a.csv", "y", "c1", 1)},
			[]string{"a.csv"}},
		{"two contents of one name", []rundir.Info{run("/d/a.csv", "", "c1", 0),
			run("/d/a.csv", "", "c2", 1)},
			[]string{"/d/a.csv", "/d/a.csv (version 2)"}},
		{"a run of an earlier version", []rundir.Info{run("/d/a.csv", "", "c1", 0),
			run("/d/a.csv", "", "", 1)},
			[]string{"a.csv"}},
		{"an earlier run of one of two contents", []rundir.Info{run("/d/a.csv", "", "c1", 0),
			run("/d/a.csv", "", "c2", 1), run("/d/a.csv", "", "", 2)},
			[]string{"/d/a.csv", "/d/a.csv (version 2)", "/d/a.csv (version 3)"}},
	} {
		s := Group(c.runs)
		if !slices.Equal(s.Datasets, c.want) || len(s.Runs) != len(c.runs) {
			t.Errorf("%s: %d runs on %q; want %d on %q", c.name, len(s.Runs), s.Datasets, len(c.runs), c.want)
		}
	}
}
