package dash

import (
	"strings"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

var someConfig = rundir.Config{Dataset: "mountaincar", Family: "star"}

func TestPauseKey(t *testing.T) {
	a, r := newDesk(kittest.Training(someConfig, 100), 120, 40)
	a.Keys(" ")
	a.Send(frameDueMsg{})
	if r.Count("pause") != 1 || !strings.Contains(a.View(), "‖ paused") {
		t.Fatalf("space requests %v; screen:\n%s", r.Asked(), a.View())
	}
	a.Keys(" ")
	a.Send(frameDueMsg{})
	if r.Count("continue") != 1 || !strings.Contains(a.View(), "● running") {
		t.Fatalf("space requests %v", r.Asked())
	}
}

func TestStopAndCheckpointKeys(t *testing.T) {
	a, r := newDesk(kittest.Training(someConfig, 100), 80, 24)
	a.Keys("k")
	a.Keys("s")
	if r.Count("checkpoint") != 1 || r.Count("stop") != 1 {
		t.Fatalf("requests %v", r.Asked())
	}
	a, r = newDesk(kittest.Ended(someConfig, rundir.StopSteps), 80, 24)
	a.Keys("k")
	a.Keys("s")
	a.Keys(" ")
	if len(r.Asked()) != 0 {
		t.Fatalf("a run that has ended received the requests %v", r.Asked())
	}
}

func TestFocusKeys(t *testing.T) {
	a, _ := newDesk(kittest.Training(someConfig, 100), 120, 40)
	for _, want := range []string{"Validation", "Covariance", "Layers", "Objective"} {
		a.Keys("tab")
		if a.focused() != want {
			t.Fatalf("tab focuses %s, want %s", a.focused(), want)
		}
	}
	a.Keys("shift+tab")
	if a.focused() != "Layers" {
		t.Fatalf("shift+tab focuses %s", a.focused())
	}
	a.Keys("enter")
	if frame := a.View(); !a.dash.zoomed || strings.Contains(frame, "Validation log-likelihood") ||
		!strings.Contains(frame, "Layer 1, GP 1") {
		t.Fatalf("enter does not zoom the layers:\n%s", frame)
	}
	a.Keys("enter")
	if a.dash.zoomed {
		t.Fatal("enter does not leave the full-screen panel")
	}
}

func TestAxisNames(t *testing.T) {
	a, _ := newDesk(kittest.Training(someConfig, 300), 120, 40)
	for _, want := range []string{"symmetric log", "gap to best, log", "linear"} {
		a.Keys("l")
		if !strings.Contains(a.View(), want+" · over steps") {
			t.Errorf("axis %q is not named:\n%s", want, a.View())
		}
	}
	for _, want := range []string{"epochs", "time", "steps"} {
		a.Keys("x")
		if !strings.Contains(a.View(), "linear · over "+want) {
			t.Errorf("the axis of %s is not named:\n%s", want, a.View())
		}
	}
	a.Keys("p")
	if !strings.Contains(a.View(), "per data point · linear") {
		t.Errorf("the ELBO per point is not named:\n%s", a.View())
	}
	for range 20 {
		a.Keys("+")
	}
	if !strings.Contains(a.View(), "smoothed 0.995") {
		t.Errorf("the strongest smoothing is not shown:\n%s", a.View())
	}
	for range 20 {
		a.Keys("-")
	}
	if strings.Contains(a.View(), "smoothed") {
		t.Errorf("smoothing cannot be turned off:\n%s", a.View())
	}
}

func TestLayerAndGPStopAtEnds(t *testing.T) {
	a, r := newDesk(kittest.Training(someConfig, 300), 120, 40)
	a.Keys("shift+tab")
	for _, c := range []struct{ key, want string }{
		{"left", "Layer 1, GP 1"}, {"down", "Layer 1, GP 2"}, {"down", "Layer 1, GP 3"},
		{"down", "Layer 1, GP 3"},
		{"right", "Layer 2, GP 3"}, {"up", "Layer 2, GP 2"}, {"right", "Layer 3, GP 1"},
		{"right", "Layer 3, GP 1"},
	} {
		a.Keys(c.key)
		if !strings.Contains(a.View(), c.want) {
			t.Fatalf("after %s there is no %q:\n%s", c.key, c.want, a.View())
		}
	}
	// Another number of layers must not break the screen.
	s := *kittest.Training(someConfig, 400)
	d := *s.Diagnostics
	d.Units = d.Units[:1]
	s.Diagnostics = &d
	r.Show(&s)
	a.Send(frameDueMsg{})
	if !strings.Contains(a.View(), "Layer 1, GP 2") {
		t.Fatalf("with one layer left:\n%s", a.View())
	}
}

func TestPollingStopsWithRun(t *testing.T) {
	a, r := newDesk(kittest.Training(someConfig, 100), 80, 24)
	if cmd := a.Send(frameDueMsg{}); cmd == nil {
		t.Fatal("the next poll is not scheduled")
	}
	r.Show(kittest.Ended(someConfig, rundir.StopEarly))
	a.Send(kit.RunEndedMsg{Run: r})
	if a.dash.Snapshot().State.Going() {
		t.Fatal("the last snapshot was not read")
	}
	if cmd := a.Send(frameDueMsg{}); cmd != nil {
		t.Fatal("polling continues after the end")
	}
}

func TestOutcome(t *testing.T) {
	for why, want := range map[rundir.Stop][]string{
		rundir.StopSteps: {"✓ finished", "all 20,000 steps done", "test LL -2.410",
			"RMSE 2.910", "CRPS 1.520"},
		rundir.StopEarly: {"✓ stopped early", "no improvement since step",
			"cov 50 52.0%  cov 90 91.0%  cov 95 95.5%"},
		rundir.StopConverged: {"✓ converged", "converged at step", "test LL -2.410"},
		rundir.StopAsked:     {"■ stopped", "checkpoint at step 1,000 kept"},
		rundir.StopFailed: {"✗ failed",
			"layer 1, step 1240: covariance of the inducing outputs is not positive"},
	} {
		a, _ := newDesk(kittest.Ended(someConfig, why), 120, 40)
		for _, text := range want {
			if !strings.Contains(a.View(), text) {
				t.Errorf("%s: no %q in\n%s", why, text, a.View())
			}
		}
	}
}

// A small screen shows both the scores and the reason for the end.
func TestOutcomeOnASmallScreen(t *testing.T) {
	for why, want := range map[rundir.Stop][]string{
		rundir.StopEarly:  {"test LL -2.410", "no improvement since step"},
		rundir.StopFailed: {"failed: layer 1, step 1240: covariance", "at jitter 0.01"},
	} {
		a, _ := newDesk(kittest.Ended(someConfig, why), 80, 24)
		for _, text := range want {
			if !strings.Contains(a.View(), text) {
				t.Errorf("%s: no %q in\n%s", why, text, a.View())
			}
		}
	}
}

func TestClickOnPanel(t *testing.T) {
	a, _ := newDesk(kittest.Training(someConfig, 100), 120, 40)
	a.Click(100, 30)
	if a.focused() != "Layers" {
		t.Fatalf("a click on the layers focuses %s", a.focused())
	}
	a.Size(80, 24)
	l := a.dash.arrange()
	a.Click(l.tabs.X+4, l.tabs.Y)
	if a.focused() != "Objective" {
		t.Fatalf("a click on the first tab focuses %s", a.focused())
	}
	a.Click(79, 23)
	if a.focused() != "Objective" {
		t.Fatal("a click on the footer moved the focus")
	}
}
