package board

import (
	"math"
	"strings"
	"testing"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// chainDesk returns a dashboard with a run that has kept n draws per chain.
func chainDesk(n int) *stage {
	d := newStage(kittest.ViewRun(view.Views{Chains: kittest.Chains(n)}, 1240))
	return d
}

func TestChainPanels(t *testing.T) {
	s := kittest.ViewRun(view.Views{Chains: kittest.Chains(400)}, 1240)
	for name, c := range map[string]struct {
		panel string
		words []string
	}{
		"trace": {"Trace",
			[]string{"Trace: layer 1, GP 1, u 5", "R-hat 1.", "1 of 14",
				"4 chains, 400 draws each", "chain 4", "draw"}},
		"mixing": {"R-hat",
			[]string{"of 14 beyond R-hat 1.01 or ESS 400", "layer 1, GP 2, u 6",
				"likelihood.variance", "hyperparameter"}},
		"marginal":        {"Marginal", []string{"Marginal: layer 1, GP 1, u 5", "kurtosis", "Gaussian"}},
		"pair":            {"Pair", []string{"Pair with layer 1", "chain 1"}},
		"ranks":           {"Ranks", []string{"Ranks: layer 1, GP 1, u 5", "bins outside"}},
		"autocorrelation": {"Autocorrelation", []string{"Autocorrelation: layer 1", "worth"}},
		"normality": {"Normality",
			[]string{"of 12 inducing outputs rejected", "1 of 1 hyperparameter rejected",
				"corrected p", "likelihood.variance"}},
	} {
		checkPanel(t, "chains_"+name, c.panel, s)
		kittest.CheckShows(t, name, newStage(s).see(c.panel).frameAt(120, 40), c.words...)
	}
}

// The chosen quantity stays the same when the order by R-hat changes.
func TestQuantityChoice(t *testing.T) {
	d := chainDesk(100)
	d.see("Trace")
	d.do(kit.ActDown)
	name := d.named("Trace").Choices[0].position.label
	if q := d.sampled("Trace", 0); name == "" || q != name || !strings.Contains(d.frame(), "2 of 14") {
		t.Errorf("chosen is %q:\n%s", name, d.frame())
	}
	d.do(kit.ActUp, kit.ActUp)
	if !strings.Contains(d.frame(), "14 of 14") {
		t.Errorf("before the first:\n%s", d.frame())
	}
	d.see("Pair")
	a := d.sampled("Pair", 0)
	b := d.sampled("Pair", 1)
	d.do(kit.ActDown)
	x := d.sampled("Pair", 0)
	y := d.sampled("Pair", 1)
	if x != a || y == b {
		t.Errorf("down changes %q against %q to %q against %q", b, a, y, x)
	}
	d.do(kit.ActRight)
	if x := d.sampled("Pair", 0); x == a {
		t.Error("right does not choose another quantity")
	}
}

// sampled returns the name of the chosen quantity in a panel.
func (d *stage) sampled(panel string, choice int) string {
	c := d.named(panel).Choices[choice]
	return d.quantity(c).Name
}

// TestBurnIn checks the text of empty panels.
func TestBurnIn(t *testing.T) {
	d := chainDesk(0)
	for _, p := range d.Pages[4].Panels {
		d.FocusOn(p)
		frame := d.frame()
		if !strings.Contains(frame, "burn-in: no draws are kept yet") || strings.Contains(frame, "0 of 0") {
			t.Errorf("%s:\n%s", p.Name, frame)
		}
		d.do(kit.ActDown, kit.ActRight)
	}
	ended := kittest.Ended(someConfig, rundir.StopSteps)
	ended.Diagnostics = &rundir.Diagnostics{Step: 200, Views: view.Views{Chains: kittest.Chains(0)}}
	d = newStage(ended)
	d.see("Trace")
	if frame := d.frame(); !strings.Contains(frame, "ended during burn-in: no draws were kept") ||
		strings.Contains(frame, "burn-in: no draws are kept yet") {
		t.Errorf("a run that ended during burn-in:\n%s", frame)
	}
	d = chainDesk(3)
	for _, p := range d.Pages[4].Panels {
		d.FocusOn(p)
		kittest.CheckFrame(t, p.Name, d.frame(), d.w, d.h)
	}
}

func TestChainExport(t *testing.T) {
	d := newStage(kittest.ViewRun(view.Views{Chains: kittest.Chains(60)}, 1240))
	files := d.exports(t)
	for name, first := range map[string]string{
		"draws.csv":  "quantity,kind,chain,draw,value\nlikelihood.variance,hyperparameter,1,1,",
		"chains.csv": "quantity,kind,rhat,ess_bulk,",
		"trace.svg":  "<?xml", "autocorrelation.svg": "<?xml",
		"ranks.csv": "name,from,to,value\nchain 1,0,", "ranks.svg": "<?xml",
		"marginal.csv": "name,from,to,value\n\"layer 1, GP 1, u 5\",", "marginal.svg": "<?xml",
		"pair.svg": "<?xml", "pair.csv": "name,\"layer 1, ", "normality.svg": "<?xml",
	} {
		if text := files[name]; !strings.HasPrefix(text, first) {
			t.Errorf("%s begins with %.60q", name, text)
		}
	}
}

// A histogram of draws has a bin for every eight draws, within bounds. A trace counts all draws of a chain.
func TestPicturesOfDraws(t *testing.T) {
	for n, want := range map[int]int{3: 4, 8: 4, 10: 5, 50: 25, 60: 30, 200: 30} {
		q := &view.ChainQuantity{Kept: &view.ChainDraws{Every: 5}}
		for c := range 4 {
			draws := make([]float64, n)
			for i := range draws {
				draws[i] = float64(i + c)
			}
			q.Kept.Draws = append(q.Kept.Draws, draws)
		}
		if got := len(marginalPicture(q).Values); got != want {
			t.Errorf("%d draws have %d bins, want %d", 4*n, got, want)
		}
		s := tracePicture(q).Series[3]
		if s.X[0] != 5 || s.X[n-1] != float64(5*n) || s.Label != "chain 4" || s.Run != 3 {
			t.Errorf("the trace of %s is from draw %g to %g", s.Label, s.X[0], s.X[n-1])
		}
	}
}

// The last reading of a gauge comes from the newest of the snapshot, the summary and the report lines.
func TestLastGauge(t *testing.T) {
	s := &session.Snapshot{}
	if got := lastGauge(s, "step_size"); !math.IsNaN(got) {
		t.Errorf("without readings: %g", got)
	}
	s.Curve = []rundir.Point{{Readings: []rundir.Reading{{Key: "step_size", Value: 1}}},
		{Readings: []rundir.Reading{{Key: "step_size", Value: 2}}}}
	if got := lastGauge(s, "step_size"); got != 2 {
		t.Errorf("of the report lines: %g", got)
	}
	s.Chains = &rundir.Chains{Gauges: map[string]rundir.Number{"step_size": 3}}
	if got := lastGauge(s, "step_size"); got != 3 {
		t.Errorf("of the summary: %g", got)
	}
	s.Last.Readings = []rundir.Reading{{Key: "step_size", Value: 4}}
	if got := lastGauge(s, "step_size"); got != 4 {
		t.Errorf("of the snapshot: %g", got)
	}
}

// Ranks are shown if there are several chains to compare.
func TestRanksNeedChains(t *testing.T) {
	for n, want := range map[int]bool{1: false, 2: true, 3: true} {
		c := kittest.Chains(100)
		c.Chains = n
		d := newStage(kittest.ViewRun(view.Views{Chains: c}, 1240))
		if got := d.named("Ranks").Shows(d.Board); got != want {
			t.Errorf("%d chains: ranks are present: %v", n, got)
		}
	}
}
