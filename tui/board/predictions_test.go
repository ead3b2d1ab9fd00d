package board

import (
	"cmp"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// predictionRows returns the row numbers of the visible points in the table of predictions.
func predictionRows(t *testing.T, d *stage) (rows []int) {
	t.Helper()
	for _, line := range strings.Split(d.frame(), "\n") {
		fields := strings.Fields(strings.Trim(line, "|│ >▸!"))
		if len(fields) < 6 {
			continue
		}
		row, err := strconv.Atoi(fields[0])
		if _, wrong := strconv.ParseFloat(fields[1], 64); err == nil && wrong == nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// TestPredictionOrder sorts the test points by uncertainty and then by each column to the right, in its
// default direction and reversed.
func TestPredictionOrder(t *testing.T) {
	set := two().only(0)
	d := showing(set)
	d.do(ActPredictions)
	if d.panel.Name != "Predictions" {
		t.Fatalf("the action shows %s", d.panel.Name)
	}
	p := set.Runs[0].Snapshot.Predictions
	sd := func(i int) float64 { return math.Sqrt(p.Variance[i]) }
	residual := func(i int) float64 { return math.Abs((p.Target[i] - p.Mean[i]) / sd(i)) }
	down := func(value func(i int) float64) func(i int) float64 {
		return func(i int) float64 { return -value(i) }
	}
	row := func(i int) float64 { return float64(p.Rows[i]) }
	for _, c := range []struct {
		name  string
		act   kit.Action
		least func(i int) float64
	}{
		{"sd", "", down(sd)},
		{"observed", kit.ActRight, down(func(i int) float64 { return p.Target[i] })},
		{"residual", kit.ActRight, down(residual)},
		{"residual, reversed", kit.ActReverse, residual},
		{"log p", kit.ActRight, func(i int) float64 { return p.LogLik[i] }},
		{"row", kit.ActRight, row},
		{"row, reversed", kit.ActReverse, down(row)},
		{"log p again", kit.ActLeft, func(i int) float64 { return p.LogLik[i] }},
	} {
		if c.act != "" {
			d.do(c.act)
		}
		order := make([]int, p.N)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int {
			return cmp.Compare(c.least(i), c.least(j))
		})
		got := predictionRows(t, d)
		if len(got) < 10 {
			t.Fatalf("by %s there are %d rows:\n%s", c.name, len(got), d.frame())
		}
		for k, row := range got {
			if want := p.Rows[order[k]]; row != want {
				t.Fatalf("by %s row %d is at position %d, want %d:\n%s", c.name, row, k, want, d.frame())
			}
		}
	}
}

// The cursor moves by lines and pages to both ends.
func TestPredictionScroll(t *testing.T) {
	set := two()
	d := showing(set)
	d.do(ActPredictions)
	d.frame()
	table := d.tested
	n := set.Runs[0].Snapshot.Predictions.N
	page := len(predictionRows(t, d))
	for _, c := range []struct {
		act kit.Action
		at  int
	}{
		{kit.ActDown, 1}, {kit.ActDown, 2}, {kit.ActUp, 1}, {kit.ActPageDown, 1 + page}, {kit.ActLast, n - 1},
		{kit.ActDown, n - 1}, {kit.ActPageUp, n - 1 - page}, {kit.ActFirst, 0}, {kit.ActUp, 0},
	} {
		d.do(c.act)
		view := d.frame()
		if table.at != c.at {
			t.Errorf("%s: the cursor is at %d, want %d", c.act, table.at, c.at)
		}
		where := strconv.Itoa(c.at+1) + " of " + strconv.Itoa(n)
		if !strings.Contains(view, where) {
			t.Errorf("%s: the title does not contain %q:\n%s", c.act, where, view)
		}
	}
	d.see("Objective").do(kit.ActPageDown)
	if table.at != 0 || !strings.Contains(d.said, "only in the predictions") {
		t.Errorf("from another panel the action moves the cursor to %d: %q", table.at, d.said)
	}
	empty := newStage()
	empty.do(ActPredictions)
	if empty.panel.Name == "Predictions" || empty.said == "" {
		t.Errorf("without predictions the action shows %s: %q", empty.panel.Name, empty.said)
	}
}

// TestPredictionsOfClasses checks the columns, the order by entropy and the exported file for a classifier.
func TestPredictionsOfClasses(t *testing.T) {
	set := classifiers()
	d := showing(set)
	d.do(ActPredictions)
	view := d.frame()
	for _, title := range []string{"row", "predicted", "probability", "entropy", "observed", "log p"} {
		if !strings.Contains(view, title) {
			t.Errorf("there is no column %s:\n%s", title, view)
		}
	}
	list := d.named("Predictions").figures(d.Board)
	var b strings.Builder
	if err := list[0].CSV(&b); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || strings.Join(lines[0], " ") != "row predicted probability entropy observed log_density" {
		t.Fatalf("%v: %v", lines[0], err)
	}
	p := set.Runs[0].Snapshot.Predictions
	if len(lines) != p.N+1 {
		t.Errorf("%d lines for %d points", len(lines), p.N)
	}
	last := math.Inf(1)
	for _, line := range lines[1:] {
		row, _ := strconv.Atoi(line[0])
		i := slices.Index(p.Rows, row)
		entropy := 0.0
		for _, q := range p.Probabilities(nil, i) {
			if q > 0 {
				entropy -= q * math.Log(q)
			}
		}
		if got, _ := strconv.ParseFloat(line[3], 64); got != entropy || got > last {
			t.Errorf("row %d has the entropy %s after %g, want %g", row, line[3], last, entropy)
		}
		last = entropy
	}
}

// Points without an observation have a sign on the screen and an empty value in files. Sorted by residual
// they come last in both directions.
func TestMissingObservations(t *testing.T) {
	set := two()
	p := *set.Runs[0].Snapshot.Predictions
	p.Target = slices.Clone(p.Target)
	p.Target[3] = math.NaN()
	p.Target[5] = math.NaN()
	set.Runs[0].Snapshot.Predictions = &p
	table := set.tested
	table.sort = tableSort{residualColumn, true}
	r := testedPair{evaluatedRun: evaluatedRun{set.Runs[0], &p, 0}}
	for _, descending := range []bool{true, false} {
		table.sort.Descending = descending
		rows := table.sorted(r)
		if last := rows.order[p.N-2:]; !slices.Equal(last, []int{3, 5}) {
			t.Errorf("descending %v: the last points are %v", descending, last)
		}
	}
	lines := table.draw(kittest.PlainTheme(), r, 80, p.N+1)
	if text := kit.Plain(lines); strings.Contains(text, "NaN") || !strings.Contains(lines[p.N], " - ") {
		t.Errorf("missing observations:\n%s", text)
	}
	var b strings.Builder
	err := predictionsCSV(&b, r.evaluatedRun, table.sorted(r).order)
	if err != nil || strings.Contains(b.String(), "NaN") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

// A run with several targets shows the point for the selected target.
func TestNumbersOfTarget(t *testing.T) {
	p := kittest.Predictions(0, 9, 2, 1, 1)
	for target := range 2 {
		r := evaluatedRun{Predictions: p, target: target}
		pit := r.pit()
		for i := range p.N {
			k := 2*i + target
			sd := math.Sqrt(p.Variance[k])
			got := []float64{r.row(i), r.mean(i), r.sd(i), r.observed(i), r.residual(i), pit[i]}
			want := []float64{float64(3 * i), p.Mean[k], sd, p.Target[k], (p.Target[k] - p.Mean[k]) / sd,
				p.PIT[k]}
			if !slices.Equal(got, want) {
				t.Errorf("point %d, target %d: %v, want %v", i, target, got, want)
			}
		}
		for pit, want := range map[float64]bool{0.024: true, 0.026: false, 0.974: false, 0.976: true} {
			p.PIT[2*4+target] = pit
			if r.missed(4) != want {
				t.Errorf("PIT %g of target %d is outside: %v", pit, target, !want)
			}
		}
	}
}

// A point of a classifier is missed if its observed class is not the most probable one.
func TestMissedClasses(t *testing.T) {
	p := kittest.Classes(50, 3)
	p.Target[7] = math.NaN()
	r := evaluatedRun{Predictions: p}
	for i := range p.N {
		likely := p.Probability[i] > 0.5
		want := i != 7 && likely != (p.Target[i] > 0)
		if got := r.missed(i); got != want {
			t.Errorf("point %d, probability %g, class %g: missed %v", i, p.Probability[i], p.Target[i], got)
		}
	}
	if r.observedClass(7) != "-" {
		t.Errorf("a missing class is %q", r.observedClass(7))
	}
}

// The log densities of one target are used if each target has its own.
func TestLogDensityOfTarget(t *testing.T) {
	r := evaluatedRun{Predictions: &rundir.Predictions{N: 2, P: 2, LogLik: []float64{-9, -8}}, target: 1}
	if got := r.logDensity(1); got != -8 {
		t.Errorf("of the point: %g", got)
	}
	r.LogLikByTarget = []float64{-1, -2, -3, -4}
	if got := r.logDensity(1); got != -4 {
		t.Errorf("of the target: %g", got)
	}
}

// A second run has columns beside those of the first, and both have intervals if there is room.
func TestPredictionsOfTwoRuns(t *testing.T) {
	d := showing(two())
	d.do(ActPredictions)
	set := d.Board
	pair, ok := set.tested.pair()
	if !ok || pair.other == nil || pair.other.Run != set.Runs[1] {
		t.Fatalf("the second run is not beside the first: %v", pair.other)
	}
	lines := set.tested.draw(set.Theme, pair, 200, 20)
	for _, want := range []string{"▲ predicted", "▲ sd", "▲ log p", "● 95 % interval, × observed",
		"▲ 95 % interval, × observed"} {
		if !strings.Contains(lines[0], want) {
			t.Errorf("no %q in the titles %q", want, lines[0])
		}
	}
	alone := two().only(0)
	pair, _ = alone.tested.pair()
	lines = alone.tested.draw(alone.Theme, pair, 76, 20)
	if strings.Contains(lines[0], "▲") || !strings.Contains(lines[2], "━") {
		t.Errorf("a single run:\n%s", strings.Join(lines, "\n"))
	}
}

// An interval reaches from mean-1.96 sd to mean+1.96 sd on the axis, with the mean and the observation.
func TestIntervalBars(t *testing.T) {
	p := &rundir.Predictions{N: 1, P: 1, Mean: []float64{10}, Variance: []float64{1}, Target: []float64{14},
		PIT: []float64{0.5}}
	bar := predictionBar{evaluatedRun{Run: &Run{}, Predictions: p}, 21}
	const want = "          ━━●━━ ×"
	if got := bar.draw(kittest.PlainTheme(), 0, 0, 20); strings.TrimRight(got, " ") != want {
		t.Errorf("the interval is %q, want %q", got, want)
	}
	lo, hi := testedPair{evaluatedRun: bar.of}.intervalEnds()
	if lo != 10-1.96 || hi != 14 {
		t.Errorf("the axis is from %g to %g, want from 8.04 to 14", lo, hi)
	}
}

// Filters show the points outside their intervals, and those that the other run predicts better or worse.
// The exported table has all points.
func TestPredictionFilters(t *testing.T) {
	d := showing(two())
	d.do(ActPredictions)
	set := d.Board
	for filter := range filters {
		pair, _ := set.tested.pair()
		want := 0
		for i := range pair.N {
			better := pair.logDensity(i) > pair.other.logDensity(i)
			if filter == allPoints || filter == missedPoints && pair.missed(i) ||
				filter == betterPoints && better || filter == worsePoints && !better {
				want++
			}
		}
		if got := len(set.tested.sorted(pair).order); got != want || got == 0 {
			t.Errorf("%q shows %d points, want %d", set.tested.filterName(pair, filter), got, want)
		}
		var b strings.Builder
		if err := set.named("Predictions").figures(set)[0].CSV(&b); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(b.String(), "\n"); lines != pair.N+1 {
			t.Errorf("the file has %d lines with the filter %q", lines, set.tested.filterName(pair, filter))
		}
		name := set.tested.filterName(pair, filter)
		if filter != allPoints && !strings.Contains(d.frame(), name) {
			t.Errorf("the title does not name the filter %q:\n%s", name, d.frame())
		}
		d.do(ActFilter)
	}
}

// The inputs of the selected row stand below the table, or the reason why there are none.
func TestInputsOfRow(t *testing.T) {
	set := two()
	set.Current().WithoutInputs = "the data have changed since the run"
	pair, _ := set.tested.pair()
	lines := set.tested.draw(set.Theme, pair, 76, 20)
	if !strings.Contains(lines[19], "no inputs: the data have changed") {
		t.Errorf("the last line is %q", lines[19])
	}
	for _, c := range []struct {
		column datasets.InputColumn
		values []float64
		want   string
	}{
		{datasets.InputColumn{Width: 1}, []float64{1234.5678}, "1.235k"},
		{datasets.InputColumn{Width: 1}, []float64{math.NaN()}, "-"},
		{datasets.InputColumn{Width: 3, Levels: []string{"a", "b", "c"}}, []float64{0, 1, 0}, "b"},
		{datasets.InputColumn{Width: 3, Levels: []string{"a", "b", "c"}}, []float64{0, 0, 0}, "-"},
	} {
		if got := inputText(c.column, c.values); got != c.want {
			t.Errorf("%v in %+v is %q, want %q", c.values, c.column, got, c.want)
		}
	}
}

// The bar of a class ends at the largest probability.
func TestProbabilityBars(t *testing.T) {
	p := &rundir.Predictions{N: 1, P: 1, Classes: []string{"no", "yes"}, Probability: []float64{0.75},
		Target: []float64{1}}
	bar := predictionBar{evaluatedRun{Run: &Run{}, Predictions: p}, 21}
	const want = "  ━━━━━━━━━━━━━━━●"
	if got := bar.draw(kittest.PlainTheme(), 0, 0, 1); strings.TrimRight(got, " ") != want {
		t.Errorf("the bar is %q, want %q", got, want)
	}
}
