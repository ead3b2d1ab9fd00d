package reproduce

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// runsOf returns finished runs of all cells of an experiment, with scores by method and split.
func runsOf(t *testing.T, e *Experiment, score func(method string, c rundir.Config) float64) []rundir.Info {
	t.Helper()
	list, err := e.planned()
	if err != nil {
		t.Fatal(err)
	}
	var runs []rundir.Info
	for _, p := range list {
		info := rundir.Info{State: rundir.Ended}
		info.ID, info.Config = p.cell.Key, p.cell.Config
		info.Results = &rundir.Summary{
			Stop: rundir.StopSteps, Seconds: 2,
			Test: &rundir.Metrics{LogLik: rundir.Number(score(p.method, p.cell.Config))},
		}
		runs = append(runs, info)
	}
	return runs
}

func TestMeasure(t *testing.T) {
	e, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	runs := runsOf(t, e, func(method string, c rundir.Config) float64 {
		x := -1.0
		if strings.HasSuffix(c.Split, ":1") {
			x = -1.2
		}
		if method == "B" {
			x -= 3
		}
		return x
	})
	table, err := e.Measure(runs)
	if err != nil {
		t.Fatal(err)
	}
	a := table.Results[0][0]
	// Ours is -1.1 with a standard error of 0.1; the published number is rounded to two decimals.
	z := -0.1 / math.Sqrt(0.01+0.01+1e-4/12)
	if a.Ours.N != 2 || math.Abs(a.Z-z) > 1e-9 || a.Apart || a.Estimated {
		t.Errorf("A on steps: %+v, want a difference of %g", a, z)
	}
	if b := table.Results[0][1]; !b.Apart || math.Abs(b.Z+2.1/math.Sqrt(0.01+1e-4/12)) > 1e-9 {
		t.Errorf("B on steps: %+v", b)
	}
	if b := table.Results[1][1]; b.Excluded == "" || !math.IsNaN(b.Z) || b.Apart || b.Ours.N != 2 {
		t.Errorf("B on hills: %+v", b)
	}
	if gone := table.Results[2][0]; gone.Ours.N != 0 || gone.Published == nil {
		t.Errorf("A on gone: %+v", gone)
	}
	compared, apart := table.Judged()
	if compared != 3 || apart != 2 || table.Done != 8 {
		t.Errorf("%d compared, %d apart, %d done", compared, apart, table.Done)
	}
	text := table.Sheet().Markdown()
	for _, want := range []string{"-1.10 (0.10)", "-0.7", "!", "not comparable: in other units",
		"gone is not trained: not to be had", "8 of 8 runs done", "fewer steps", "A paper"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// The error of a single run is estimated from the published error, and runs that did not end by
// themselves do not count.
func TestMeasureSingleRuns(t *testing.T) {
	e, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	runs := runsOf(t, e, func(string, rundir.Config) float64 { return -1.3 })
	for i := range runs {
		switch {
		case strings.HasSuffix(runs[i].Config.Split, ":0"):
		case runs[i].Config.Family == "svgp":
			runs[i].Results.Stop = rundir.StopAsked
		default:
			runs[i].Results.Test = nil
		}
	}
	table, err := e.Measure(runs)
	if err != nil {
		t.Fatal(err)
	}
	a := table.Results[0][0]
	z := -0.3 / math.Sqrt(0.04+0.01+1e-4/12) // an error of 0.1 over four repetitions is 0.2 for one
	if a.Ours.N != 1 || !a.Estimated || math.Abs(a.Error-0.2) > 1e-12 || math.Abs(a.Z-z) > 1e-9 {
		t.Errorf("%+v, want a difference of %g", a, z)
	}
	if b := table.Results[0][1]; b.Estimated || !math.IsNaN(b.Z) {
		t.Errorf("without any error: %+v", b)
	}
}

// A difference from missing repetitions, unsettled runs or a changed length decides nothing, whether the
// repetitions are missing or were not selected. It is marked with ? and not with !.
func TestShortResultsDecideNothing(t *testing.T) {
	for name, want := range map[string]string{
		"all":                "",
		"one split":          "fewer repetitions than in the protocol",
		"one split selected": "fewer repetitions than in the protocol",
		"unsettled":          "runs that had not settled",
		"resized":            "changed length or inducing points",
	} {
		e, err := parse("small", small)
		if err != nil {
			t.Fatal(err)
		}
		runs := runsOf(t, e, func(string, rundir.Config) float64 { return -9 })
		switch name {
		case "one split":
			runs = slices.DeleteFunc(runs, func(r rundir.Info) bool {
				return strings.HasSuffix(r.Config.Split, ":1")
			})
		case "one split selected":
			e, err = e.Part(Selection{Splits: []string{"interpolation:0"}})
			if err != nil {
				t.Fatal(err)
			}
		case "unsettled":
			for i := range runs {
				runs[i].Results.Drift = &rundir.Drift{Verdict: rundir.Improving}
			}
		case "resized":
			e.resized = true
		}
		table, err := e.Measure(runs)
		if err != nil {
			t.Fatal(err)
		}
		a, text := table.Results[0][0], table.Sheet().Markdown()
		if a.Undecided != want || a.Apart != (want == "") {
			t.Errorf("%s: undecided %q, apart %v", name, a.Undecided, a.Apart)
		}
		if marked := strings.Contains(text, "? decides nothing: "+want); marked != (want != "") {
			t.Errorf("%s: the table is\n%s", name, text)
		}
	}
}

// Shorter training makes an experiment that decides nothing, other settings do not.
func TestOverridesOfTheSize(t *testing.T) {
	for name, want := range map[string]bool{"steps": true, "inducing": true, "jitter": false} {
		e, err := parse("small", small)
		if err != nil {
			t.Fatal(err)
		}
		value := map[string]string{"steps": "3", "inducing": "4", "jitter": "1e-5"}[name]
		if err := e.Override(sweep.Axis{Name: name, Values: []string{value}}); err != nil {
			t.Fatal(err)
		}
		if e.resized != want {
			t.Errorf("%s: resized is %v", name, e.resized)
		}
	}
}

// Several columns use the same runs, and a run of a method without seeds stands for all of them. Each run is
// counted once.
func TestRunsAreCountedOnce(t *testing.T) {
	columns := ""
	for _, name := range []string{"A", "B"} {
		columns += "\n[[column]]\nname = \"" + name + "\"\nquantity = \"score\"\na = \"" + name + "\"\n"
	}
	columns += "\n[[column]]\nname = \"A over B\"\nquantity = \"difference\"\na = \"A\"\nb = \"B\"\n"
	text := withColumns(columns, "\n[[data]]\nname = \"steps\"\n")
	text = strings.Replace(text, "interpolation:0..1\"", "interpolation:0\"\nseeds = \"0..2\"", 1)
	e, err := parse("small", text)
	if err != nil {
		t.Fatal(err)
	}
	runs := runsOf(t, e, func(_ string, c rundir.Config) float64 { return float64(c.Seed) })
	for i := range runs {
		if runs[i].Config.Family == "svgp" {
			runs[i].Results.Drift = &rundir.Drift{Verdict: rundir.Improving}
		}
	}
	table, err := e.Measure(runs)
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 4 || table.Runs() != 4 || table.Done != 4 {
		t.Errorf("%d runs are planned, %d wanted and %d done; want 3 of svgp and 1 of linear", len(runs),
			table.Runs(), table.Done)
	}
	notes := strings.Join(table.Notes(), "; ")
	if want := "^ 3 of 4 runs had not settled when they ended"; !strings.Contains(notes, want) {
		t.Errorf("notes %q; want %q", notes, want)
	}
	for k, want := range []struct{ n, wanted, unsettled int }{{3, 3, 3}, {1, 1, 0}, {3, 3, 3}} {
		r := table.Results[0][k]
		if r.Ours.N != want.n || r.Wanted != want.wanted || r.Inconclusive != want.unsettled {
			t.Errorf("column %s: %d values of %d, %d not settled; want %+v", e.Columns[k].Name, r.Ours.N,
				r.Wanted, r.Inconclusive, want)
		}
	}
	if mean := table.Results[0][2].Ours.Mean; mean != 1 {
		t.Errorf("the mean difference over the seeds is %v; want 1, the mean of 0, 1 and 2 less 0", mean)
	}
}

// A split without a number is the first one.
func TestMeasureSplitWithoutNumber(t *testing.T) {
	e, err := parse("small", strings.Replace(small, "interpolation:0..1", "interpolation", 1))
	if err != nil {
		t.Fatal(err)
	}
	table, err := e.Measure(runsOf(t, e, func(string, rundir.Config) float64 { return -1 }))
	if err != nil || table.Results[0][0].Ours.N != 1 {
		t.Errorf("%+v, %v", table.Results[0][0], err)
	}
}

// withColumns returns small with columns for other quantities.
func withColumns(columns, data string) string {
	text, _, _ := strings.Cut(small, "[[data]]")
	return text + columns + data
}

func TestComparedMethods(t *testing.T) {
	columns := ""
	for _, quantity := range []string{"difference", "ratio"} {
		columns += "\n[[column]]\nname = \"" + quantity + "\"\nquantity = \"" + quantity +
			"\"\na = \"A\"\nb = \"B\"\n"
	}
	e, err := parse("small", withColumns(columns,
		"\n[[data]]\nname = \"steps\"\n[data.published]\n\"difference\" = \">0\"\n\"ratio\" = \"<1.5\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	runs := runsOf(t, e, func(method string, c rundir.Config) float64 {
		x := 2.0
		if method == "A" {
			x = 4
		}
		if strings.HasSuffix(c.Split, ":1") {
			x *= 1.5
		}
		return x
	})
	table, err := e.Measure(runs)
	if err != nil {
		t.Fatal(err)
	}
	difference, ratio := table.Results[0][0], table.Results[0][1]
	if difference.Ours.Mean != 2.5 || math.Abs(difference.Z-5) > 1e-9 || difference.Apart {
		t.Errorf("difference %+v", difference)
	}
	if ratio.Ours.Mean != 2 || ratio.Z != math.Inf(-1) || !ratio.Apart {
		t.Errorf("ratio %+v", ratio)
	}
	if text := table.Sheet().LaTeX(); !strings.Contains(text, "$>$0") || !strings.Contains(text, "^{!}") {
		t.Error(text)
	}
}

// Runs whose predictions are missing are an error, and classes have no variance.
func TestPointwise(t *testing.T) {
	p := &rundir.Predictions{N: 3, P: 1, Target: []float64{1, 2, math.NaN()}, Mean: []float64{2, 0, 0},
		Variance: []float64{1, 1.5, math.NaN()}}
	if x, err := underestimated(p); err != nil || x != 2 {
		t.Errorf("%g, %v; want 5 / 2.5", x, err)
	}
	if _, err := underestimated(&rundir.Predictions{Probability: []float64{0.5}}); err == nil {
		t.Error("classes have a variance")
	}
	column := "\n[[column]]\nname = \"c\"\nquantity = \"underestimated\"\na = \"A\"\n"
	e, err := parse("small", withColumns(column, "\n[[data]]\nname = \"steps\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Measure(runsOf(t, e, func(string, rundir.Config) float64 { return 0 })); err == nil {
		t.Error("missing predictions are ignored")
	}
}

// Quantities that compare the predictions of two runs need the predictions of both, for the same points.
func TestComparedPredictions(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	saved := func(id string, p *rundir.Predictions) *rundir.Info {
		file := &rundir.ConfigFile{Config: rundir.Config{Dataset: "steps", Family: id}}
		w, err := rundir.Create(file, time.Now())
		if err == nil && p != nil {
			err = w.SavePredictions(1, p)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		return &rundir.Info{ConfigFile: *file, Dir: w.Dir()}
	}
	points := func(rows []int, logLik, variance float64) *rundir.Predictions {
		n := len(rows)
		return &rundir.Predictions{N: n, P: 1, Of: n, Names: []string{"y"}, Rows: rows,
			Distance: slices.Repeat([]float64{1}, n), Target: slices.Repeat([]float64{2}, n),
			Mean: slices.Repeat([]float64{1}, n), Variance: slices.Repeat([]float64{variance}, n),
			LogLik: slices.Repeat([]float64{logLik}, n), PIT: slices.Repeat([]float64{0.5}, n)}
	}
	a := saved("a", points([]int{0, 1}, -1, 4))
	b := saved("b", points([]int{0, 1}, -2, 1))
	none := saved("none", nil)
	other := saved("other", points([]int{0, 2}, -2, 1))
	for q, want := range map[Quantity]float64{Share: 1, Wider: 4, Underestimated: 0.25} {
		if x, err := pointwise(q, a, b); err != nil || x != want {
			t.Errorf("%s: %g, %v; want %g", q, x, err, want)
		}
	}
	for i, runs := range [][2]*rundir.Info{{none, b}, {a, none}, {a, other}} {
		if x, err := pointwise(Share, runs[0], runs[1]); x != 0 || err == nil {
			t.Errorf("pair %d: %g, %v", i, x, err)
		}
	}
}

// Footnotes count the runs that stopped early or had not settled.
func TestFootnotes(t *testing.T) {
	text := strings.Replace(small, "repetitions = 4", "repetitions = 4\nspread = \"sd\"", 1)
	e, err := parse("small", text)
	if err != nil {
		t.Fatal(err)
	}
	runs := runsOf(t, e, func(string, rundir.Config) float64 { return -1 })
	for i := range runs[:3] {
		runs[i].Results.Stop = rundir.StopEarly
	}
	table, err := e.Measure(runs)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(table.Notes(), "; ")
	for _, want := range []string{"published errors are standard deviations of 4 repetitions",
		"3 of 8 runs stopped early"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is missing in %q", want, notes)
		}
	}
	if a := table.Results[0][0]; a.Error != 0 || math.Abs(a.Published.Error-0.1) > 1e-12 {
		t.Errorf("%+v, published %+v", a, a.Published)
	}
}

// Every function returns an error for an experiment that has become invalid.
func TestErrorsOfExperiments(t *testing.T) {
	e, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	e.splits = []string{"nothing"}
	_, measured := e.Measure(nil)
	_, planned := e.Plan(t.Context(), new(session.Inspector), nil, Selection{}, false)
	_, listed := e.entry(nil)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	sound, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	_, stopped := sound.Plan(cancelled, new(session.Inspector), nil, Selection{}, false)
	for name, err := range map[string]error{
		"Measure": measured, "Plan": planned, "entry": listed, "a cancelled Plan": stopped,
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRanks(t *testing.T) {
	columns := ""
	for _, name := range []string{"A", "B"} {
		columns += "\n[[column]]\nname = \"" + name + "\"\nquantity = \"rank\"\na = \"" + name + "\"\n"
	}
	e, err := parse("small", withColumns(columns, "\n[[data]]\nname = \"steps\"\n"+
		"\n[[data]]\nname = \"mountaincar\"\n"+
		"\n[[data]]\nname = \"all\"\n[data.published]\n\"A\" = [1.2, 0.1]\n"))
	if err != nil {
		t.Fatal(err)
	}
	runs := runsOf(t, e, func(method string, c rundir.Config) float64 {
		if method == "A" && (c.Dataset == "steps" || strings.HasSuffix(c.Split, ":1")) {
			return 1
		}
		return 0
	})
	table, err := e.Measure(runs)
	if err != nil {
		t.Fatal(err)
	}
	last := table.Results[2]
	// A is first on steps, and first or level on mountaincar.
	if last[0].Ours.Mean != 1.125 || last[1].Ours.Mean != 1.875 || last[0].Ours.N != 2 {
		t.Errorf("ranks %+v", last)
	}
	if rows := len(table.Sheet().Rows); rows != 3 {
		t.Errorf("%d rows, want only the ranks", rows)
	}
	table, err = e.Measure(runs[1:])
	if err != nil || table.Results[2][0].Ours.N != 2 || table.Results[2][0].Ours.Mean != 1.25 {
		t.Errorf("without one run %+v, %v", table.Results[2][0], err)
	}
	part, err := e.Part(Selection{Data: []string{"steps"}})
	if err != nil {
		t.Fatal(err)
	}
	fewer, err := part.Measure(runs)
	if err != nil {
		t.Fatal(err)
	}
	const reason = "ranks on fewer data sets than in the protocol"
	all, withoutOne, oneSet := last[0].Undecided, table.Results[2][0].Undecided, fewer.Results[1][0].Undecided
	if all != "" || withoutOne != reason || oneSet != reason {
		t.Errorf("undecided: %q with all runs, %q without one, %q on one data set", all, withoutOne, oneSet)
	}
}

// The plan has the missing runs of the selection.
func TestPlan(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	e, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	runs := runsOf(t, e, func(string, rundir.Config) float64 { return 0 })
	for _, c := range []struct {
		runs           []rundir.Info
		part           Selection
		selected, want int
	}{
		{nil, Selection{}, 8, 8},
		{runs, Selection{}, 8, 0},
		{runs[2:], Selection{}, 8, 2},
		{nil, Selection{Data: []string{"hills"}}, 4, 4},
		{nil, Selection{Data: []string{"steps"}, Splits: []string{"interpolation:1"}}, 2, 2},
	} {
		plan, err := e.Plan(context.Background(), new(session.Inspector), c.runs, c.part, false)
		if err != nil {
			t.Fatal(err)
		}
		if plan.Selected != c.selected || len(plan.Cells()) != c.want || plan.Estimate.Runs != c.want {
			t.Errorf("%+v: %d selected, %d to train; want %d and %d", c.part, plan.Selected,
				len(plan.Cells()), c.selected, c.want)
		}
	}
	for _, part := range []Selection{{Data: []string{"stepz"}}, {Data: []string{"gone"}},
		{Splits: []string{"interpolation:7"}}} {
		if _, err := e.Plan(context.Background(), new(session.Inspector), nil, part, false); err == nil {
			t.Errorf("%+v is accepted", part)
		}
	}
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	absent, err := parse("small", strings.ReplaceAll(small, "mountaincar", "boston"))
	if err != nil {
		t.Fatal(err)
	}
	if got := absent.Missing(); !slices.Equal(got, []string{"boston"}) || len(e.Missing()) > 0 {
		t.Errorf("missing data sets %v and %v", got, e.Missing())
	}
	part := Selection{Data: []string{"hills"}}
	_, err = absent.Plan(context.Background(), new(session.Inspector), nil, part, false)
	if err == nil || err.Error() != "boston is not downloaded; run: dgplab datasets fetch boston" {
		t.Errorf("data that are not downloaded: %v", err)
	}
}

// All methods are trained on a split before the next split, so that a budget ends after whole splits.
func TestPlanIsSplitBySplit(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	e, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := e.Plan(context.Background(), new(session.Inspector), nil, Selection{}, false)
	if err != nil {
		t.Fatal(err)
	}
	var groups []string
	for _, c := range plan.Cells() {
		groups = append(groups, c.Config.Dataset+" "+c.Config.Split)
	}
	if n := len(slices.Compact(groups)); n != 4 {
		t.Errorf("the two methods on two splits of two data sets are trained in the order %q", groups)
	}
	if within, all := plan.Splits(math.Inf(1), 1); within != 4 || all != 4 {
		t.Errorf("%d of %d splits without a limit, want 4 of 4", within, all)
	}
	if within, _ := plan.Splits(-1, 1); within != 0 {
		t.Errorf("%d splits in no time", within)
	}
}

// A part has the selected rows and splits, and the row of ranks.
func TestPart(t *testing.T) {
	e, err := parse("small", small+"\n[[data]]\nname = \"all\"\n")
	if err != nil {
		t.Fatal(err)
	}
	part, err := e.Part(Selection{Data: []string{"hills", "gone"}, Splits: []string{"interpolation:1"}})
	if err != nil {
		t.Fatal(err)
	}
	table, err := part.Measure(runsOf(t, e, func(string, rundir.Config) float64 { return -1 }))
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Data) != 3 || table.Done != 2 || part.Runs() != 2 || table.Results[0][0].Ours.N != 1 {
		t.Errorf("%d rows, %d of %d runs, %+v", len(table.Data), table.Done, part.Runs(), table.Results[0][0])
	}
	if len(e.Data) != 4 || e.Runs() != 8 {
		t.Errorf("the experiment has changed: %d rows, %d runs", len(e.Data), e.Runs())
	}
	for _, s := range []Selection{{Data: []string{"stepz"}}, {Splits: []string{"interpolation:7"}}} {
		if _, err := e.Part(s); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}

func TestRead(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	e, err := Read(write("mine.toml", small))
	if err != nil || e.ID != "mine" {
		t.Errorf("%v, %v", e, err)
	}
	for _, path := range []string{write("bad.toml", "title"), write("bad name.toml", small),
		filepath.Join(folder, "none.toml")} {
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestList(t *testing.T) {
	e, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	runs := runsOf(t, e, func(string, rundir.Config) float64 { return 0 })
	entry, err := e.entry(finished(runs[:3]))
	if err != nil || entry.Done != 3 {
		t.Fatalf("%+v, %v", entry, err)
	}
	if entry.Seconds+2*float64(entry.Unknown) != 10 || entry.Unknown == 0 {
		t.Errorf("%g s and %d unknown", entry.Seconds, entry.Unknown)
	}
	list, err := List(nil)
	if err != nil || len(list) != len(IDs()) {
		t.Errorf("%d experiments, %v", len(list), err)
	}
}

// CSV has a line for each published or own number.
func TestCSV(t *testing.T) {
	e, err := parse("small", small)
	if err != nil {
		t.Fatal(err)
	}
	table, err := e.Measure(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := CSV(&b, []*Table{table}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 7 || lines[1] != "small,steps,A,score,,-1,0.1,,,false,0,2,,false,,,0,0" {
		t.Error(b.String())
	}
	if err := CSV(full{}, []*Table{table}); err == nil {
		t.Error("a full disk is not reported")
	}
}

// full is a writer that always fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }
