package board

import (
	"math"
	"strings"
	"testing"

	"dgplab/models/infer"
	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/figure"
)

// directText returns the panel of the direct comparison at a size with room for all details.
func directText(b *Board) string {
	return strings.Join(drawDirect(b.Theme, compareRuns(b, "E"), 120, 40), "\n")
}

// A run that cannot be compared is listed with the reason that compare gives, and with the key that helps.
func TestDirectNotCompared(t *testing.T) {
	other := two()
	other.Runs[1].Snapshot.Split = "standard:1"
	rows := two()
	rows.Runs[1].Snapshot.Predictions = kittest.Predictions(3, 51, 1, 1, 1)
	unmeasured := two()
	unmeasured.Runs[1].Snapshot.Predictions, unmeasured.Runs[1].Snapshot.Test = nil, nil
	ended := two()
	ended.Runs[0].Snapshot.Predictions, ended.Runs[0].Snapshot.Test = nil, nil
	unread := two()
	unread.Runs[0].Snapshot.Predictions = nil
	failed := two()
	failed.Runs[0].Snapshot.Stop, failed.Runs[0].Snapshot.Error = rundir.StopFailed, "no memory"
	for _, c := range []struct {
		name string
		set  *Board
		want string
	}{
		{"other split", other, "no direct comparison on boston: no common test points"},
		{"other rows", rows, "different test points"},
		{"not evaluated", unmeasured, "mean-field 128: still running (E evaluates it now)"},
		{"ended without", ended, "stripes-and-arrow: not evaluated on the test set"},
		{"no predictions", unread, "fake-1 has no readable predictions; run it again"},
		{"failed", failed, "stripes-and-arrow: failed: no memory"},
		{"not begun", four().only(1, 2, 3), "to come: not started; fully coupled: still running " +
			"(select it and press E to evaluate it now)"},
	} {
		if text := directText(c.set); !strings.Contains(strings.Join(strings.Fields(text), " "), c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, text)
		}
	}
}

// The panel gives no verdict on a run before its decay, and says that its score should still rise.
func TestDirectBeforeTheDecay(t *testing.T) {
	set := two()
	set.Runs[0].Snapshot.Drift = &rundir.Drift{Verdict: rundir.Settled, Phase: infer.StablePhase}
	m := compareRuns(set, "E").matches[0]
	want := "B before decay: expected to rise"
	if sign, words := verdict(m); sign != "~" || words != want {
		t.Errorf("the verdict is %s %s, want ~ %s", sign, words, want)
	}
}

// A share of 1 has no standard error.
func TestDirectShareOfOne(t *testing.T) {
	set := two()
	p, q := *set.Runs[1].Snapshot.Predictions, *set.Runs[0].Snapshot.Predictions
	p.LogLik = make([]float64, 51)
	q.LogLik = make([]float64, 51)
	for i := range p.LogLik {
		p.LogLik[i] = 1 + float64(i)
	}
	set.Runs[1].Snapshot.Predictions, set.Runs[0].Snapshot.Predictions = &p, &q
	text := directText(set)
	if !strings.Contains(text, "100.0%  of the points") || strings.Contains(text, "of the points (s.e.") ||
		strings.Contains(text, "± 0.0%") {
		t.Errorf("text\n%s", text)
	}
}

// TestDirectOnOneSplit checks numbers that can be computed by hand.
func TestDirectOnOneSplit(t *testing.T) {
	set := two()
	p, q := *set.Runs[1].Snapshot.Predictions, *set.Runs[0].Snapshot.Predictions
	p.LogLik = make([]float64, 51)
	q.LogLik = make([]float64, 51)
	for i := range 34 {
		p.LogLik[i] = 3 // better on 34 of 51 points, equal on 17
	}
	set.Runs[1].Snapshot.Predictions, set.Runs[0].Snapshot.Predictions = &p, &q
	m := compareRuns(set, "E").matches
	share := (34 + 17*0.5) / 51
	if len(m) != 1 || m[0].a.Brief != "mean-field 128" || math.Abs(float64(m[0].Share)-share) > 1e-12 ||
		math.Abs(float64(m[0].Difference)-2) > 1e-12 {
		t.Fatalf("%+v", m)
	}
	if want := math.Sqrt(share * (1 - share) / 50); math.Abs(m[0].shareError()-want) > 1e-12 {
		t.Errorf("standard error %v, want %v", m[0].shareError(), want)
	}
	var csv strings.Builder
	if err := directCSV(&csv, set); err != nil ||
		!strings.Contains(csv.String(), ","+figure.Exact(m[0].shareError())+",") {
		t.Errorf("%v: the exported comparison lacks the standard error on the screen:\n%s", err, csv.String())
	}
	text := directText(set)
	for _, want := range []string{"83.3% ± 5.3%", "+2.00 ± 0.20", "over points", "p < 0.001",
		"~  one split, one seed: no verdict", "so far: A as of step 1,240"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Runs are paired by split, independent of their order.
func TestDirectOverSplits(t *testing.T) {
	set := splits()
	set.Runs[0], set.Runs[1] = set.Runs[1], set.Runs[0]
	set.Chosen = 2 // mean-field on split 0
	m := compareRuns(set, "").matches
	if len(m) != 1 || m[0].N != 2 || m[0].Over != "splits" || m[0].Single || len(m[0].splits()) != 2 {
		t.Fatalf("%+v", m)
	}
	if m[0].a.Brief != "mean-field 0" || m[0].Difference >= 0 || m[0].Share >= 0.5 {
		t.Errorf("A is %s, better by %v on %v", m[0].a.Brief, m[0].Difference, m[0].Share)
	}
	for _, d := range m[0].Pairs {
		if d.Split != "standard:0" && d.Split != "standard:1" || d.Points != 51 {
			t.Errorf("%+v", d)
		}
	}
	if text := directText(set); !strings.Contains(text, "s.e. over splits") ||
		!strings.Contains(text, "t-test is corrected") {
		t.Error(text)
	}
	set.Runs[0].Snapshot.Predictions, set.Runs[0].Snapshot.Test = nil, nil
	if text := directText(set); !strings.Contains(text, "star 1: not evaluated on the test set") ||
		!strings.Contains(text, "one split, one seed") {
		t.Error(text)
	}
}

// TestDirectOverSeeds compares two methods on one split, and the seeds of one method.
func TestDirectOverSeeds(t *testing.T) {
	set := splits()
	for i, r := range set.Runs {
		s := r.Snapshot
		s.Split, s.Seed = "standard:0", uint64(i%2)
		kittest.Evaluated(s, kittest.Predictions(0, 51, 1, 1+float64(i/2), uint64(i)))
	}
	m := compareRuns(set, "").matches
	if len(m) != 1 || m[0].Over != "seeds" || m[0].N != 2 {
		t.Fatalf("%+v", m)
	}
	for _, d := range m[0].Pairs {
		if d.A == "" || d.Points != 51 {
			t.Errorf("%+v", d)
		}
	}
	alone := compareRuns(set.only(0, 1), "").matches
	if len(alone) != 1 || !alone[0].Single || alone[0].b.Brief != "star 1" || alone[0].Verdict != "~" {
		t.Errorf("two seeds of a method: %+v", alone)
	}
	begun := boardOf(0, &Run{}, &Run{}, &Run{Snapshot: new(session.Snapshot)})
	if c := compareRuns(begun, ""); len(c.matches) != 0 || len(c.missing) != 3 {
		t.Errorf("runs that have not started: %+v", c)
	}
}

// If a run on other data is selected, the other runs are still compared.
func TestDirectWithRunOnOtherData(t *testing.T) {
	set := splits() // star on splits 0 and 1, mean-field on both
	far := kittest.Ended(kittest.Boston("svgp", 0, nil), rundir.StopSteps)
	far.ID = "fake-5"
	far.Dataset, far.Config.Dataset, far.Values = "energy", "energy", far.Set
	kittest.Evaluated(far, kittest.Predictions(7, 51, 1, 1, 9))
	set = boardOf(4, append(set.Runs, labelled(far, 4, "svgp on energy"))...)
	text := directText(set)
	for _, want := range []string{"svgp on energy cannot be compared: comparing star 0 instead",
		"A is better on", "A: ● star 0  B: ▲ mean-field 0"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	set.Chosen = 0
	if text := directText(set); strings.Contains(text, "cannot be compared") ||
		!strings.Contains(text, "A is better on") {
		t.Errorf("a selected run that can be compared:\n%s", text)
	}
}

// Shares and differences have a standard error if it is known, and the better method has a plus sign.
func TestDirectNumbers(t *testing.T) {
	unknown := rundir.Number(math.NaN())
	for _, c := range []struct {
		of                compare.Comparison
		share, difference string
	}{
		{compare.Comparison{Share: 0.5, ShareSE: 0.25, Difference: 2, DifferenceSE: 0.5},
			"50% ± 25%", "+2.00 ± 0.50"},
		{compare.Comparison{Share: 0.25, ShareSE: unknown, Difference: -2, DifferenceSE: unknown},
			"25.0%", "-2"},
		{compare.Comparison{Share: 0, Single: true, N: 5, DifferenceSE: unknown}, "0.0%", "0"},
		{compare.Comparison{Share: 1, Single: true, N: 5, DifferenceSE: unknown}, "100.0%", "0"},
		{compare.Comparison{Share: 0.5, Single: true, N: 26, DifferenceSE: unknown}, "50% ± 10%", "0"},
	} {
		m := match{Comparison: c.of}
		share := shareText(kittest.PlainTheme(), m)
		difference := differenceText(kittest.PlainTheme(), m)
		if share != c.share || difference != c.difference {
			t.Errorf("%q and %q, want %q and %q", share, difference, c.share, c.difference)
		}
	}
}

// The line of a share reaches from 0 to 1 with a mark at one half, and the standard error on both sides.
func TestShareLine(t *testing.T) {
	for _, c := range []struct {
		share, se float64
		w         int
		want      string
	}{
		{0.75, 0.125, 30, "B 0% ─────────┼─━━●━━── 100% A"},
		{0.5, math.NaN(), 23, "B 0% ─────●───── 100% A"},
		{1, 0.1, 23, "B 0% ─────┼───━● 100% A"},
		{0, math.NaN(), 23, "B 0% ●────┼───── 100% A"},
		{0.5, 0.1, 22, ""}, {math.NaN(), 0.1, 60, ""},
	} {
		if got := shareLine(kittest.PlainTheme(), c.share, c.se, c.w); got != c.want {
			t.Errorf("%g ± %g in %d cells: %q, want %q", c.share, c.se, c.w, got, c.want)
		}
	}
}

func TestPValues(t *testing.T) {
	for p, want := range map[float64]string{0.25: "t p 0.250", 0.001: "t p 0.001", 0.0009: "t p < 0.001"} {
		if got := testText("t", rundir.Number(p)); got != want {
			t.Errorf("%g: %q, want %q", p, got, want)
		}
	}
	if got := testText("t", rundir.Number(math.NaN())); got != "t p -" {
		t.Errorf("unknown: %q", got)
	}
}
