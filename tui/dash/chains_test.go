package dash

import (
	"slices"
	"strings"
	"testing"

	"dgplab/models/view"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// chainDesk returns a dashboard with a run that has kept n draws per chain.
func chainDesk(n int) *desk {
	d, _ := newDesk(kittest.ViewRun(view.Views{Chains: kittest.Chains(n)}, 1240), 120, 40)
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
		d, _ := newDesk(s, 120, 40)
		d.dash.FocusOn(d.panel(c.panel))
		d.dash.zoomed = true
		for _, word := range c.words {
			if frame := d.View(); !strings.Contains(frame, word) {
				t.Errorf("%s: no %q in\n%s", name, word, frame)
			}
		}
	}
}

// The ranks of a single chain are uniform by construction and take no place.
func TestRanksOfOneChain(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		c := kittest.Chains(100)
		c.Chains = n
		d, _ := newDesk(kittest.ViewRun(view.Views{Chains: c}, 1240), 200, 60)
		d.Keys("5")
		if shown := slices.Contains(d.onScreen(), "Ranks"); shown != (n > 1) {
			t.Errorf("%d chains: the ranks are shown: %v", n, shown)
		}
	}
}

// The page of chains is available only while a run has chains.
func TestChainPage(t *testing.T) {
	d := chainDesk(100)
	d.Keys("5")
	if !slices.Contains(d.onScreen(), "Trace") {
		t.Errorf("5 shows %v", d.onScreen())
	}
	kittest.CheckFrame(t, "page of chains", d.View(), 120, 40)
	d.Size(120, 40)
	l := d.dash.arrange()
	d.Click(l.pages.X+3, l.pages.Y)
	if d.dash.page != 0 {
		t.Errorf("a click on the first page shows page %d", d.dash.page)
	}
	l = d.dash.arrange()
	d.Click(l.pages.X+tabsRoom(l.pageTabs[:4])+2, l.pages.Y)
	if d.dash.page != 4 {
		t.Errorf("a click on the last page shows page %d", d.dash.page)
	}
	other, _ := newDesk(kittest.ViewRun(view.Views{Weights: kittest.Weights()}, 1240), 120, 40)
	other.Keys("5")
	if other.Note != "no run on the screen has chains" || other.dash.onPage() != 0 {
		t.Errorf("without chains 5 reports %q and shows page %d", other.Note, other.dash.onPage())
	}
	other.dash.page = 4 // as in a restored state
	if at := other.dash.arrange().pageTabs; len(at) != len(other.dash.Pages) || other.dash.pageAvailable(4) {
		t.Errorf("tabs %v without chains", at)
	}
}

// The chosen quantity stays the same when the order by R-hat changes.
func TestQuantityChoice(t *testing.T) {
	d := chainDesk(100)
	d.dash.FocusOn(d.panel("Trace"))
	d.Keys("down")
	name := d.panel("Trace").Choices[0].position.label
	if q := d.sampled("Trace", 0); name == "" || q != name || !strings.Contains(d.View(), "2 of 14") {
		t.Errorf("chosen is %q:\n%s", name, d.View())
	}
	d.Keys("up", "up")
	if !strings.Contains(d.View(), "14 of 14") {
		t.Errorf("before the first:\n%s", d.View())
	}
	d.Keys("tab")
	d.dash.FocusOn(d.panel("Pair"))
	a := d.sampled("Pair", 0)
	b := d.sampled("Pair", 1)
	d.Keys("down")
	x := d.sampled("Pair", 0)
	y := d.sampled("Pair", 1)
	if x != a || y == b {
		t.Errorf("down changes %q against %q to %q against %q", b, a, y, x)
	}
	d.Keys("right")
	if x := d.sampled("Pair", 0); x == a {
		t.Error("right does not choose another quantity")
	}
	d.Keys("1")
	if said := d.dash.arrow(d.panel("Trace"), 1, 0); said == "" {
		t.Error("another page does not show the choice")
	}
}

// sampled returns the name of the chosen quantity in a panel.
func (d *desk) sampled(panel string, choice int) string {
	c := d.panel(panel).Choices[choice]
	return d.dash.Board.quantity(c).Name
}

// TestBurnIn checks the text of empty panels.
func TestBurnIn(t *testing.T) {
	d := chainDesk(0)
	for _, p := range d.dash.Pages[4].Panels {
		d.dash.FocusOn(p)
		d.dash.zoomed = true
		frame := d.View()
		if !strings.Contains(frame, "burn-in: no draws are kept yet") || strings.Contains(frame, "0 of 0") {
			t.Errorf("%s:\n%s", p.Name, frame)
		}
		d.Keys("down", "right")
	}
	ended := kittest.Ended(someConfig, rundir.StopSteps)
	ended.Diagnostics = &rundir.Diagnostics{Step: 200, Views: view.Views{Chains: kittest.Chains(0)}}
	d, _ = newDesk(ended, 120, 40)
	d.dash.FocusOn(d.panel("Trace"))
	d.dash.zoomed = true
	if frame := d.View(); !strings.Contains(frame, "ended during burn-in: no draws were kept") ||
		strings.Contains(frame, "burn-in: no draws are kept yet") {
		t.Errorf("a run that ended during burn-in:\n%s", frame)
	}
	d = chainDesk(3)
	for _, p := range d.dash.Pages[4].Panels {
		d.dash.FocusOn(p)
		kittest.CheckFrame(t, p.Name, d.View(), 120, 40)
	}
}

func TestChainExport(t *testing.T) {
	d, _ := newDesk(kittest.ViewRun(view.Views{Chains: kittest.Chains(60)}, 1240), 120, 40)
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
