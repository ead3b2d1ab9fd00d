package browse

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// situations holds states of the screen and the keys that lead to them.
var situations = []struct {
	name string
	runs func() []rundir.Info
	keys []string
}{
	{"list", someRuns, nil},
	{"empty", func() []rundir.Info { return nil }, nil},
	{"compared", someRuns, []string{"down", " ", " ", "up"}},
	{"filter", someRuns, []string{"/", "d", "a", "t", "a", "s", "e", "t", ":", "e", "n", "e"}},
	{"filter_wrong", someRuns, []string{"/", "s", "t", "e", "p", ">", "x"}},
	{"filter_complete", someRuns, []string{"/", "c", "o", "v"}},
	{"filter_nothing", someRuns, []string{"/", "n", "o", "n", "e", "enter"}},
	{"fork", someRuns, []string{"down", "f", "down", "down", "down", "down", "down",
		"down", "backspace", "3"}},
	{"fork_wrong", someRuns, []string{"down", "f", "enter"}},
	{"details", someRuns, []string{"down", "tab"}},
	{"tags", someRuns, []string{"down", "t", " ", "x"}},
}

// situated returns a screen in a situation.
func situated(name string, w, h int) *harness {
	for _, s := range situations {
		if s.name == name {
			d := newHarness(s.runs(), w, h)
			d.Keys(s.keys...)
			return d
		}
	}
	panic("no situation " + name)
}

func TestPages(t *testing.T) {
	for _, name := range []string{"list", "compared", "filter", "fork", "tags"} {
		kittest.CheckPage(t, name, situated(name, 120, 40).ViewAt)
	}
}

// Texts that the user needs in a situation are visible on smaller screens.
func TestSituations(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		want []string
	}{
		{"list", 40, 10, []string{"6 runs · ● 1 running", "› ● 1121-101500    running 34%",
			"✓ paper's sett…  finished       -2.276", "enter open"}},
		{"empty", 80, 24, []string{"0 runs", "no runs yet; n: new run"}},
		{"compared", 40, 10, []string{"2 marked", "1✓ paper's sett…", "›2✓ 1121-094600",
			"enter open 2 marked"}},
		{"filter", 40, 10, []string{"2 of 6 runs", "filter dataset:ene▏", "› ● 1121-101500", "esc cancel"}},
		{"filter_wrong", 80, 24, []string{"filter step>x▏", "✗ step>x: want a number, at character 6"}},
		{"filter_complete", 80, 24, []string{"tab: coverage50 coverage90 coverage95 covariance"}},
		{"filter_nothing", 80, 24, []string{"no run matches the filter; /: edit it"}},
		{"fork", 40, 10, []string{"› •layers              3▏          was 2", "enter start  esc undo"}},
		{"fork_wrong", 80, 24, []string{"Fork of paper's setting ── 0 changes", "✗ change a value first"}},
		{"details", 80, 24, []string{"▸ Details", "20261121-094607-boston-star-3150b4", "↑↓ scroll"}},
		{"details", 40, 10, []string{"name     paper's setting", "train to step 3,000"}},
		{"tags", 40, 10, []string{"tags fig3 paper x▏", "enter save  esc cancel"}},
	} {
		frame := situated(c.name, c.w, c.h).View()
		kittest.CheckShows(t, fmt.Sprintf("%s at %d x %d", c.name, c.w, c.h), frame, c.want...)
	}
}

// Frames of all situations fill the screen exactly.
func TestEveryFrameFits(t *testing.T) {
	for _, s := range situations {
		kittest.CheckSizes(t, s.name, situated(s.name, 80, 24).ViewAt)
	}
}

func TestFramesWithoutUnicode(t *testing.T) {
	for _, s := range situations {
		d := newHarness(s.runs(), 80, 24)
		*d.Theme() = *kittest.ASCIITheme()
		d.Keys(s.keys...)
		kittest.CheckASCII(t, s.name, d.ViewAt)
	}
}

func TestLayoutsTileEverySize(t *testing.T) {
	for w := 1; w <= 130; w++ {
		for h := 1 + w%5; h <= 45; h += 5 {
			for focus := range numParts {
				for _, input := range []bool{false, true} {
					l := arrange(w, h, focus, input)
					kittest.CheckTiling(t, "browser", w, h,
						[]kit.Rect{l.header, l.input, l.list, l.details, l.footer})
				}
			}
		}
	}
}

// BenchmarkFrame draws the screen with 2,000 runs.
func BenchmarkFrame(b *testing.B) {
	var many []rundir.Info
	for i := range 2000 {
		id := fmt.Sprintf("20261121-%06d-a-star-%06d", i, i)
		many = append(many, ended(id, "a", "star", rundir.Number(i)))
	}
	d := newHarness(many, 200, 60)
	*d.Theme() = *kit.NewTheme(termenv.TrueColor, true, kit.Unicode)
	for b.Loop() {
		d.browse.arrangeRuns()
		d.View()
	}
}

// Redundant columns are dropped before an ID or the long name of a sweep is cut.
func TestRedundantColumnsAreDroppedFirst(t *testing.T) {
	const sweep = "steps-mean-field-star-inducing-9737cc"
	runs := []rundir.Info{
		ended("20261121-094607-energy-star-3150b4", "energy", "star", -2.2764),
		ended("20261121-094607-energy-mean-field-77aa01", "energy", "mean-field", -2.4120),
		ended("20261121-094607-energy-fully-coupled-9a01b2", "energy", "fully-coupled", -2.4120),
	}
	for i := range runs {
		runs[i].Config.Seed = uint64(i)
	}
	runs[0].Sweep, runs[1].Sweep = sweep, sweep
	frame := newHarness(runs, 200, 60).View()
	for _, want := range []string{"1121-094607…3150b4", "1121-094607…9a01b2", sweep, "seed", "RMSE"} {
		if !strings.Contains(frame, want) {
			t.Errorf("no %q in\n%s", want, frame)
		}
	}
}

// TestLabelShortening checks IDs and names in few cells.
func TestLabelShortening(t *testing.T) {
	th := kittest.NewHost().Theme()
	for _, c := range []struct {
		fit  func(*kit.Theme, string, int) string
		text string
		w    int
		want string
	}{
		{fitLabel, "20261121-094607-energy-star-3150b4", 40, "20261121-094607-energy-star-3150b4      "},
		{fitLabel, "20261121-094607-energy-star-3150b4", 20, "1121-094607…3150b4  "},
		{fitLabel, "20261121-094607-energy-star-3150b4", 17, "1121-094607      "},
		{fitLabel, "a name of one's own", 11, "a name of …"},
		{(*kit.Theme).FitSweep, "steps-star-inducing-9737cc", 26, "steps-star-inducing-9737cc"},
		{(*kit.Theme).FitSweep, "steps-star-inducing-9737cc", 16, "steps-sta…9737cc"},
		{(*kit.Theme).FitSweep, "steps-star-inducing-9737cc", 8, "steps-s…"},
		{(*kit.Theme).FitSweep, "a-name-of-its-own", 12, "a-name-of-i…"},
	} {
		if got := c.fit(th, c.text, c.w); got != c.want {
			t.Errorf("%q in %d cells is %q, want %q", c.text, c.w, got, c.want)
		}
	}
}

// The selected row and the title of the sorted column stand out in colour.
func TestEmphasis(t *testing.T) {
	d := newHarness(someRuns(), 120, 40)
	*d.Theme() = *kit.NewTheme(termenv.TrueColor, true, kit.Unicode)
	d.Keys("right", "down")
	th := d.Theme()
	view := d.View()
	for _, want := range []string{
		th.Dim.Render("run"), th.Accent.Render("dataset↑"), th.Accent.Render("›"),
		th.Selected.Render("energy"), th.Dim.Render("boston"), th.Warn.Render("interrupted"),
	} {
		if !strings.Contains(view, strings.TrimSuffix(want, "\x1b[0m")) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	if n := strings.Count(view, th.Accent.Render("›")); n != 1 {
		t.Errorf("%d cursors", n)
	}
}

// TestDetailsOfResults checks rows of the details that only some runs have.
func TestDetailsOfResults(t *testing.T) {
	run := ended("20261121-094607-boston-star-3150b4", "boston", "star", -2.2764)
	run.NotesErr = errors.New("notes.json: unexpected end\nof input")
	run.Results.Rescues, run.Results.KeptStep, run.Results.BestStep = 2, 610, 620
	run.Results.Test.Outputs = []*rundir.Metrics{{Output: "price", RMSE: number(1.5)}}
	run.Results.Drift = &rundir.Drift{Verdict: rundir.Overfitting, Fall: &rundir.Fall{}}
	d := newHarness([]rundir.Info{run}, 120, 60)
	lines := func() string { return kit.Plain(d.browse.detailLines(100)) }
	for _, want := range []string{
		"notes    unreadable: notes.json: unexpected end of input\n",
		"output   price: RMSE 1.500\n",
		"scored   parameters from step 610 (best validation",
		"drift    overfitting",
		"rescues 2\n",
		" at step 620\n",
	} {
		if !strings.Contains(lines(), want) {
			t.Errorf("no %q in\n%s", want, lines())
		}
	}
	if strings.Contains(lines(), "train to step") {
		t.Errorf("an overfitting run is offered more steps:\n%s", lines())
	}
	run.Results.Stop = rundir.StopConverged
	d.engine.runs = []rundir.Info{run}
	d.refresh()
	if strings.Contains(lines(), "drift ") {
		t.Errorf("a converged run has a drift:\n%s", lines())
	}
}

// The details compare the selected run with its parent, or with the first of many marked runs.
func TestComparedRuns(t *testing.T) {
	var runs []rundir.Info
	for i := range 12 {
		runs = append(runs, ended(fmt.Sprintf("20261121-0000%02d-a-star-%06d", 59-i, i), "a", "star", 0))
	}
	runs[0].Parent = runs[1].ID
	d := newHarness(runs, 120, 60)
	lines := func() string { return kit.Plain(d.browse.detailLines(100)) }
	if want := "Differences from the parent\nparent   " + runs[1].ID + "\nnone\n"; !strings.Contains(lines(),
		want) {
		t.Errorf("no %q in\n%s", want, lines())
	}
	d.Keys("down", " ", " ", " ", " ", " ", "home")
	want := "Differences from the first 4 marked runs (1 more)\n1        " + runs[1].ID + "\n"
	if !strings.Contains(lines(), want) || !strings.Contains(lines(), "4        "+runs[4].ID) ||
		strings.Contains(lines(), runs[5].ID) {
		t.Errorf("no %q in\n%s", want, lines())
	}
	d.Keys("down", "down", "down", "down", "down", "down", " ", " ", " ", " ", " ")
	if signs := d.browse.markSign(runs[9].ID) + d.browse.markSign(runs[10].ID); signs != "9+" {
		t.Errorf("the ninth and the tenth mark are drawn as %q", signs)
	}
}

// The details draw the curves of the selected run, which are read once, and again when the run has grown.
func TestCurvesInDetails(t *testing.T) {
	d := newHarness(someRuns(), 160, 40)
	nan := math.NaN()
	for step := range 30 {
		p := rundir.Point{Step: step, Objective: float64(step), ValLogLik: nan}
		if step%10 == 0 {
			p.ValLogLik = -1 - float64(step)
		}
		d.engine.curve = append(d.engine.curve, p)
	}
	d.browse.curve = runCurve{} // The command that reads it is not performed by the harness.
	d.Perform(d.Keys("down"))
	kittest.CheckShows(t, "details", d.View(), "curves", "▁▁▁▁", "0 to 29", "val LL -1 to -21")
	if d.browse.readCurve() != nil {
		t.Error("the curve is read again")
	}
	d.browse.curve.step = d.browse.current().Step / 2
	if d.browse.readCurve() == nil {
		t.Error("the curve of a run that has grown is not read again")
	}
}
