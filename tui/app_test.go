package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
)

var someConfig = session.Config{Dataset: "mountaincar", Family: "star"}

func TestSpacePausesAndContinues(t *testing.T) {
	a, r := dashApp(training(someConfig, 100), 120, 40)
	a.Update(press(" "))
	a.Update(snapshotTakenMsg{1, r.Latest()})
	if r.count("pause") != 1 || !strings.Contains(a.View(), "‖ paused") {
		t.Fatalf("space asked for %v; screen:\n%s", r.asked, a.View())
	}
	a.Update(press(" "))
	a.Update(snapshotTakenMsg{1, r.Latest()})
	if r.count("continue") != 1 || !strings.Contains(a.View(), "● training") {
		t.Fatalf("space asked for %v", r.asked)
	}
}

func TestStopAndCheckpointAreAskedFor(t *testing.T) {
	a, r := dashApp(training(someConfig, 100), 80, 24)
	a.Update(press("k"))
	a.Update(press("s"))
	if r.count("checkpoint") != 1 || r.count("stop") != 1 {
		t.Fatalf("asked for %v", r.asked)
	}
	a, r = dashApp(ended(someConfig, session.StopSteps), 80, 24)
	a.Update(press("k"))
	a.Update(press("s"))
	a.Update(press(" "))
	if len(r.asked) != 0 {
		t.Fatalf("a run that has ended was asked for %v", r.asked)
	}
}

func TestFocusGoesRound(t *testing.T) {
	a, _ := dashApp(training(someConfig, 100), 120, 40)
	for _, want := range []panelID{panelValidation, panelCovariance, panelLayers, panelELBO} {
		if a.Update(press("tab")); a.dash.focus != want {
			t.Fatalf("tab focuses %d, want %d", a.dash.focus, want)
		}
	}
	if a.Update(press("shift+tab")); a.dash.focus != panelLayers {
		t.Fatalf("shift+tab focuses %d", a.dash.focus)
	}
	a.Update(press("enter"))
	if frame := a.View(); !a.dash.zoomed || strings.Contains(frame, "Validation") || !strings.Contains(frame, "Layer 1, GP 1") {
		t.Fatalf("enter does not zoom the layers:\n%s", frame)
	}
	if a.Update(press("enter")); a.dash.zoomed {
		t.Fatal("enter does not come back")
	}
}

func TestAxesAreNamed(t *testing.T) {
	a, _ := dashApp(training(someConfig, 300), 120, 40)
	for _, want := range []string{"symmetric log", "gap to best, log", "linear"} {
		a.Update(press("l"))
		if !strings.Contains(a.View(), want+" · over steps") {
			t.Errorf("axis %q is not named:\n%s", want, a.View())
		}
	}
	a.Update(press("x"))
	if !strings.Contains(a.View(), "linear · over time") {
		t.Errorf("the time axis is not named:\n%s", a.View())
	}
	for range 20 {
		a.Update(press("+"))
	}
	if !strings.Contains(a.View(), "smoothed 0.995") {
		t.Errorf("the greatest smoothing is not shown:\n%s", a.View())
	}
	for range 20 {
		a.Update(press("-"))
	}
	if strings.Contains(a.View(), "smoothed") {
		t.Errorf("smoothing does not go off:\n%s", a.View())
	}
}

func TestLayersAndGPsAreClamped(t *testing.T) {
	a, _ := dashApp(training(someConfig, 300), 120, 40)
	for _, c := range []struct{ key, want string }{
		{"left", "Layer 1, GP 1"}, {"down", "Layer 1, GP 2"}, {"down", "Layer 1, GP 3"}, {"down", "Layer 1, GP 3"},
		{"right", "Layer 2, GP 1"}, {"up", "Layer 2, GP 1"}, {"right", "Layer 3, GP 1"}, {"right", "Layer 3, GP 1"},
	} {
		if a.Update(press(c.key)); !strings.Contains(a.View(), c.want) {
			t.Fatalf("after %s there is no %q:\n%s", c.key, c.want, a.View())
		}
	}
	// A look at another model must not lose the screen.
	s := *training(someConfig, 400)
	d := *s.Diagnostics
	d.Layers = d.Layers[:1]
	s.Diagnostics = &d
	a.Update(snapshotTakenMsg{1, &s})
	if !strings.Contains(a.View(), "Layer 1, GP 1") {
		t.Fatalf("with one layer left:\n%s", a.View())
	}
}

func TestQuitIsInstantWhenIdleAndAsksOtherwise(t *testing.T) {
	a := testApp(newFakeEngine(), 80, 24)
	if _, cmd := a.Update(press("q")); !perform(a, cmd) {
		t.Fatal("q on the set-up does not quit")
	}
	a, _ = dashApp(ended(someConfig, session.StopEarly), 80, 24)
	if _, cmd := a.Update(press("q")); !perform(a, cmd) {
		t.Fatal("q after the end does not quit")
	}
	a, r := dashApp(training(someConfig, 100), 80, 24)
	_, cmd := a.Update(press("q"))
	if perform(a, cmd) || a.question == nil || r.count("stop") != 0 {
		t.Fatal("q does not ask while a run is going")
	}
	a.Update(press("x"))
	a.Update(press("esc"))
	if a.question != nil || r.count("stop") != 0 {
		t.Fatal("esc does not keep the run")
	}
	a.Update(press("q"))
	if _, cmd = a.Update(press("y")); perform(a, cmd) || r.count("cancel") != 1 {
		t.Fatalf("y asked for %v", r.asked)
	}
	if _, cmd = a.Update(runEndedMsg{1}); !perform(a, cmd) {
		t.Fatal("the program does not end with the run")
	}
}

// TestAnswersAreSeenAtEveryWidth: a question without its answers is a riddle.
func TestAnswersAreSeenAtEveryWidth(t *testing.T) {
	for _, ask := range []string{"q", "n"} {
		for w := 14; w <= 130; w++ {
			a, _ := dashApp(training(someConfig, 100), w, 24)
			a.Update(press(ask))
			if view := a.View(); !strings.Contains(view, "yes no") || w >= 32 && !strings.Contains(view, "?  yes no") {
				t.Fatalf("%s at %d columns:\n%s", ask, w, view)
			}
		}
	}
}

func TestEscNeverStopsARun(t *testing.T) {
	a, r := dashApp(training(someConfig, 100), 80, 24)
	for range 3 {
		a.Update(press("esc"))
	}
	if r.count("stop") != 0 || a.on != onDash {
		t.Fatalf("esc asked for %v", r.asked)
	}
}

func TestInterruptTwice(t *testing.T) {
	a, r := dashApp(training(someConfig, 100), 80, 24)
	r.stopEnds = false // It takes its time.
	_, cmd := a.Update(press("ctrl+c"))
	if perform(a, cmd) || r.count("cancel") != 1 {
		t.Fatal("the first ctrl+c must stop cleanly and wait")
	}
	if !strings.Contains(a.View(), "ctrl+c quits at once") {
		t.Fatalf("the way out is not shown:\n%s", a.View())
	}
	if _, cmd = a.Update(press("ctrl+c")); !perform(a, cmd) {
		t.Fatal("the second ctrl+c must quit")
	}
}

func TestNewRunAsksAndGoesToTheSetup(t *testing.T) {
	a, r := dashApp(training(someConfig, 100), 80, 24)
	a.Update(press("n"))
	a.Update(press("n"))
	if a.on != onDash || r.count("stop") != 0 {
		t.Fatal("n must ask, and n must mean no")
	}
	a.Update(press("n"))
	a.Update(press("y"))
	if a.on != onSetup || r.count("stop") != 1 {
		t.Fatalf("y leads to screen %d, asked for %v", a.on, r.asked)
	}
	a.Update(press("esc"))
	if a.on != onDash {
		t.Fatal("esc must lead back to the last run")
	}
}

// TestKeysThatArriveTogether sends two keys in one message, as Bubble Tea does
// when they are read at once.
func TestKeysThatArriveTogether(t *testing.T) {
	a, r := dashApp(training(someConfig, 100), 80, 24)
	a.Update(press("kk"))
	a.Update(press("qy"))
	if r.count("checkpoint") != 2 || r.count("cancel") != 1 {
		t.Fatalf("asked for %v", r.asked)
	}
	a, r = dashApp(training(someConfig, 100), 80, 24)
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("sk"), Paste: true})
	if len(r.asked) != 0 {
		t.Fatalf("a paste asked for %v", r.asked)
	}
}

func TestStaleMessagesAreDropped(t *testing.T) {
	a, _ := dashApp(training(someConfig, 100), 80, 24)
	before := a.dash.snap
	if _, cmd := a.Update(snapshotTakenMsg{0, training(someConfig, 999)}); cmd != nil || a.dash.snap != before {
		t.Fatal("a snapshot of another run was shown, or its poll goes on")
	}
	a.Update(runEndedMsg{0})
	if a.dash.over {
		t.Fatal("the end of another run ended this one")
	}
	late := newFakeRun(training(someConfig, 1))
	a.Update(runStartedMsg{gen: 0, run: late})
	if late.count("stop") != 1 || len(a.started) != 2 {
		t.Fatal("a run that nobody waits for any more must be stopped and owned")
	}
	a.setup.planGen = 7
	a.Update(planInspectedMsg{gen: 6, plan: plan{N: 1}})
	if a.setup.plan != nil {
		t.Fatal("a stale plan was shown")
	}
}

func TestPollingEndsWithTheRun(t *testing.T) {
	a, r := dashApp(training(someConfig, 100), 80, 24)
	if _, cmd := a.Update(snapshotTakenMsg{1, r.Latest()}); cmd == nil {
		t.Fatal("the poll is not armed again")
	}
	r.latest.Store(ended(someConfig, session.StopEarly))
	a.Update(runEndedMsg{1})
	if a.dash.snap.State != session.Ended {
		t.Fatal("the last snapshot was not taken")
	}
	if _, cmd := a.Update(snapshotTakenMsg{1, r.Latest()}); cmd != nil {
		t.Fatal("the poll goes on after the end")
	}
}

func TestOutcomeInWords(t *testing.T) {
	for why, want := range map[session.Stop][]string{
		session.StopSteps:  {"✓ finished", "all 20,000 steps done", "test log-likelihood -2.41", "RMSE 2.91", "CRPS 1.52"},
		session.StopEarly:  {"✓ stopped early", "no better validation since step", "coverage 50%: 52.0% 90%: 91.0% 95%: 95.5%"},
		session.StopAsked:  {"■ stopped", "as asked; checkpoint of step 1,000 kept"},
		session.StopFailed: {"✗ failed", "layer 1, step 1240: covariance of the inducing outputs is not positive"},
	} {
		a, _ := dashApp(ended(someConfig, why), 120, 40)
		for _, text := range want {
			if !strings.Contains(a.View(), text) {
				t.Errorf("%s: no %q in\n%s", why, text, a.View())
			}
		}
	}
}

// TestOutcomeOnASmallScreen checks that scores and reason are both there.
func TestOutcomeOnASmallScreen(t *testing.T) {
	for why, want := range map[session.Stop][]string{
		session.StopEarly:  {"test log-likelihood -2.41", "no better validation since step"},
		session.StopFailed: {"failed: layer 1, step 1240: covariance", "at jitter 0.01"},
	} {
		a, _ := dashApp(ended(someConfig, why), 80, 24)
		for _, text := range want {
			if !strings.Contains(a.View(), text) {
				t.Errorf("%s: no %q in\n%s", why, text, a.View())
			}
		}
	}
}

func TestClickFocuses(t *testing.T) {
	a, _ := dashApp(training(someConfig, 100), 120, 40)
	click := func(x, y int) {
		a.Update(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	}
	click(100, 30)
	if a.dash.focus != panelLayers {
		t.Fatalf("a click on the layers focuses %d", a.dash.focus)
	}
	a.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	click(4, 2)
	if a.dash.focus != panelELBO {
		t.Fatalf("a click on the first tab focuses %d", a.dash.focus)
	}
	click(79, 23)
	if a.dash.focus != panelELBO {
		t.Fatal("a click on the footer moved the focus")
	}
}

func TestMouseToggle(t *testing.T) {
	a := testApp(newFakeEngine(), 80, 24)
	if _, cmd := a.Update(press("m")); cmd == nil || a.mouse {
		t.Fatal("m does not turn the mouse off")
	}
	if a.Update(press("m")); !a.mouse {
		t.Fatal("m does not turn the mouse on")
	}
}

func TestHelpOpensScrollsAndCloses(t *testing.T) {
	a, r := dashApp(training(someConfig, 100), 60, 12)
	a.Update(press("?"))
	first := a.View()
	if !strings.Contains(first, "Pause the training") {
		t.Fatalf("help:\n%s", first)
	}
	a.Update(press("pgdown"))
	if a.View() == first {
		t.Fatal("the help page does not scroll")
	}
	a.Update(press("s"))
	if r.count("stop") != 0 {
		t.Fatal("a key of the run acts behind the help page")
	}
	if a.Update(press("esc")); a.help {
		t.Fatal("esc does not leave the help page")
	}
	if a.Update(press("? ")); a.View() == first || !a.help {
		t.Fatalf("a key that comes with the one that opens the help page is lost:\n%s", a.View())
	}
}

func TestStatusExpires(t *testing.T) {
	a, _ := dashApp(training(someConfig, 100), 80, 24)
	a.Update(press("k"))
	gen := a.status.gen
	a.Update(statusExpiredMsg{gen - 1})
	if !strings.Contains(a.View(), "checkpoint asked for") {
		t.Fatal("an older clock took the status away")
	}
	a.Update(statusExpiredMsg{gen})
	if strings.Contains(a.View(), "checkpoint asked for") {
		t.Fatal("the status stays")
	}
}

func TestTimePerStepIsLearned(t *testing.T) {
	e := newFakeEngine()
	a := testApp(e, 120, 40)
	_, cmd := a.Update(press("enter"))
	a.Update(cmd())
	a.Update(snapshotTakenMsg{a.starting, e.runs[0].Latest()})
	if got := a.knownStepTime(); got != 28500*time.Microsecond {
		t.Fatalf("time per step %v, want 28.5ms", got)
	}
	a.on, a.setup.section = onSetup, sectionForm
	a.setup.moveTo(2)
	a.Update(press("3"))
	if got := a.knownStepTime(); got != 0 {
		t.Fatalf("another configuration has a time per step of %v", got)
	}
}

func TestStartThatFailsSaysWhy(t *testing.T) {
	e := newFakeEngine()
	e.startErr = errors.New("inducing=0: want a whole number from 1 to 4096")
	a := testApp(e, 120, 40)
	_, cmd := a.Update(press("enter"))
	a.Update(cmd())
	if a.on != onSetup || !strings.Contains(a.View(), "cannot start: inducing=0") {
		t.Fatalf("screen:\n%s", a.View())
	}
}
