package tui

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/settings"
)

var someConfig = rundir.Config{Dataset: "mountaincar", Family: "star"}

// testApp returns an app of the given size on the set-up screen.
func testApp(e engine, w, h int) *app {
	a := newApp(e, kittest.PlainTheme(), Options{
		Output:   new(kittest.Buffer),
		Settings: settings.Default(),
	})
	a.cores = 64
	a.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return a
}

// dashApp returns an app on the dashboard, with a run that shows s.
func dashApp(s *session.Snapshot, w, h int) (*app, *kittest.Run) {
	e := kittest.NewEngine()
	e.Make = func(id string, _ rundir.Config) *kittest.Run { return kittest.NewRun(id, s) }
	a := testApp(e, w, h)
	begin(a, someConfig)
	r := e.Runs()[0]
	a.work.end = r.Cancel // A context would be slower.
	if s != nil && !s.State.Going() {
		r.Close()
		a.Update(runEndedMsg{r})
	}
	return a, r
}

// begin starts a run like the set-up screen.
func begin(a *app, c rundir.Config) { a.Update(a.Start(kit.Start{Config: c})()) }

// perform runs a command and passes its messages to a model, runs the resulting commands, and
// reports whether it reached tea.Quit.
func perform(m tea.Model, cmd tea.Cmd) (quit bool) {
	return performWithin(2*time.Second, m, cmd)
}

// soon is like perform but abandons commands that wait, such as periodic commands, after ten milliseconds.
func soon(m tea.Model, cmd tea.Cmd) { performWithin(10*time.Millisecond, m, cmd) }

func performWithin(patience time.Duration, m tea.Model, cmd tea.Cmd) (quit bool) {
	return kittest.PerformWithin(patience, cmd, func(msg tea.Msg) tea.Cmd {
		if _, ok := msg.(statusExpiredMsg); ok {
			return nil
		}
		_, next := m.Update(msg)
		return next
	})
}

func TestQuitAsksDuringTraining(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	if _, cmd := a.Update(kittest.Press("q")); !perform(a, cmd) {
		t.Fatal("q on the set-up screen does not quit")
	}
	a, _ = dashApp(kittest.Ended(someConfig, rundir.StopEarly), 80, 24)
	if _, cmd := a.Update(kittest.Press("q")); !perform(a, cmd) {
		t.Fatal("q after the end does not quit")
	}
	a, r := dashApp(kittest.Training(someConfig, 100), 80, 24)
	_, cmd := a.Update(kittest.Press("q"))
	if perform(a, cmd) || a.question == nil || r.Count("stop") != 0 {
		t.Fatal("q does not ask while a run is training")
	}
	a.Update(kittest.Press("x"))
	a.Update(kittest.Press("esc"))
	if a.question != nil || r.Count("stop") != 0 {
		t.Fatal("esc does not keep the run")
	}
	r.StopEnds = false // The run does not end immediately.
	a.Update(kittest.Press("q"))
	_, cmd = a.Update(kittest.Press("y"))
	if perform(a, cmd) || r.Count("cancel") != 1 {
		t.Fatalf("y does not wait, or requests are %v", r.Asked())
	}
	r.Close()
	if !perform(a, cmd) {
		t.Fatal("the program does not end with the run")
	}
}

// TestAnswersAreSeenAtEveryWidth checks that the answers of a question are never cut off.
func TestAnswersAreSeenAtEveryWidth(t *testing.T) {
	for _, going := range []int{1, 2} {
		for w := 14; w <= 130; w++ {
			a, _ := dashApp(kittest.Training(someConfig, 100), w, 24)
			for range going - 1 {
				begin(a, someConfig)
			}
			a.Update(kittest.Press("q"))
			if view := a.View(); !strings.Contains(view, "y yes  n no") ||
				w >= 38 && !strings.Contains(view, "?  y yes  n no") {
				t.Fatalf("%d runs at %d columns:\n%s", going, w, view)
			}
		}
	}
}

func TestEscNeverStopsARun(t *testing.T) {
	a, r := dashApp(kittest.Training(someConfig, 100), 80, 24)
	for range 3 {
		a.Update(kittest.Press("esc"))
	}
	if r.Count("stop") != 0 {
		t.Fatalf("after esc the requests are %v", r.Asked())
	}
}

func TestInterruptTwice(t *testing.T) {
	a, r := dashApp(kittest.Training(someConfig, 100), 80, 24)
	r.StopEnds = false // The run does not end immediately.
	_, cmd := a.Update(kittest.Press("ctrl+c"))
	if perform(a, cmd) || r.Count("cancel") != 1 {
		t.Fatal("the first ctrl+c does not stop the run and wait")
	}
	if !strings.Contains(a.View(), "ctrl+c quits immediately") {
		t.Fatalf("no hint on ctrl+c:\n%s", a.View())
	}
	_, cmd = a.Update(kittest.Press("ctrl+c"))
	if !perform(a, cmd) {
		t.Fatal("the second ctrl+c does not quit")
	}
}

func TestNewRunDuringTraining(t *testing.T) {
	a, r := dashApp(kittest.Training(someConfig, 100), 80, 24)
	a.Update(kittest.Press("n"))
	if a.on != kit.Setup || len(r.Asked()) != 0 {
		t.Fatalf("n opens %s, requests %v", a.on, r.Asked())
	}
	a.Update(kittest.Press("esc"))
	if a.on != kit.Dash || len(r.Asked()) != 0 {
		t.Fatalf("esc opens %s, requests %v", a.on, r.Asked())
	}
}

// TestKeysThatArriveTogether sends two keys in one message, as Bubble Tea does if it reads them
// together.
func TestKeysThatArriveTogether(t *testing.T) {
	a, r := dashApp(kittest.Training(someConfig, 100), 80, 24)
	a.Update(kittest.Press("kk"))
	a.Update(kittest.Press("qy"))
	if r.Count("checkpoint") != 2 || r.Count("cancel") != 1 {
		t.Fatalf("requests %v", r.Asked())
	}
	a, r = dashApp(kittest.Training(someConfig, 100), 80, 24)
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("sk"), Paste: true})
	if len(r.Asked()) != 0 {
		t.Fatalf("a paste caused requests %v", r.Asked())
	}
}

// TestAtMostFourRunsAreGoing starts runs up to the limit.
func TestAtMostFourRunsAreGoing(t *testing.T) {
	e := kittest.NewEngine()
	a := testApp(e, 120, 40)
	for range 4 {
		begin(a, someConfig)
	}
	a.Start(kit.Start{Config: someConfig})
	if len(e.Runs()) != 4 || !strings.Contains(a.View(),
		"at most 4 runs can train at once; stop one first") {
		t.Fatalf("%d runs; screen:\n%s", len(e.Runs()), a.View())
	}
	e.Runs()[2].Stop()
	begin(a, someConfig)
	if len(e.Runs()) != 5 || a.numGoing() != 4 {
		t.Fatalf("%d runs, %d training after one ended", len(e.Runs()), a.numGoing())
	}
}

// Runs that have ended must not occupy memory, apart from a line per run.
func TestEndedRunsAreReleased(t *testing.T) {
	e := kittest.NewEngine()
	a := testApp(e, 120, 40)
	for i := range 30 {
		begin(a, someConfig)
		e.Runs()[i].Stop()
		a.Update(runEndedMsg{e.Runs()[i]})
		if n := len(a.Runs()); n > maxEnded {
			t.Fatalf("%d runs are kept", n)
		}
	}
	for _, j := range a.work.list() {
		s := j.latest()
		if j.run == nil && (s.Curve != nil || s.Diagnostics != nil || s.Predictions != nil) {
			t.Fatalf("the curves of %s are kept", s.ID)
		}
	}
	lines := strings.Join(a.work.farewells(), "\n")
	if strings.Count(lines, "run ") < 30 || a.SecondsPerStep(someConfig) == 0 {
		t.Errorf("%d seconds per step; the farewell is\n%s", int(a.SecondsPerStep(someConfig)), lines)
	}
}

// Quitting waits for every run, including a run that is just starting.
func TestQuittingWaitsForEveryRun(t *testing.T) {
	e := kittest.NewEngine()
	a := testApp(e, 120, 40)
	begin(a, someConfig)
	begin(a, someConfig)
	late := a.Start(kit.Start{Config: someConfig})
	a.Update(kittest.Press("q"))
	_, quit := a.Update(kittest.Press("y"))
	for _, r := range e.Runs() {
		<-r.Done()
		if _, cmd := a.Update(runEndedMsg{r}); perform(a, cmd) {
			t.Fatal("a run that is starting was left alone")
		}
	}
	a.Update(late())
	r := e.Runs()[2]
	<-r.Done()
	if r.Count("cancel") != 1 {
		t.Fatalf("requests to the late run: %v", r.Asked())
	}
	if !perform(a, quit) {
		t.Fatal("the program does not end with the last run")
	}
}

// TestBack opens screens and goes back.
func TestBack(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	a.Back()
	if a.on != kit.Setup {
		t.Fatalf("back from the first screen opens %s", a.on)
	}
	for _, to := range []kit.ScreenID{kit.Dash, kit.Dash, kit.Setup, kit.Dash} {
		a.Go(to, nil)
	}
	a.Back()
	if a.on != kit.Setup {
		t.Fatalf("back opens %s", a.on)
	}
	a.Back()
	if a.on != kit.Setup {
		t.Fatalf("the second back opens %s", a.on)
	}
	a.Go("nowhere", nil)
	if a.on != kit.Setup || !strings.Contains(a.View(), "unknown screen nowhere") {
		t.Fatalf("screen %s:\n%s", a.on, a.View())
	}
}

// leaver counts the calls of Leave.
type leaver struct {
	kit.Screen
	left int
}

func (r *leaver) Leave() { r.left++ }

// TestLeave checks that Leave is called only when another screen replaces the screen.
func TestLeave(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	i := slices.IndexFunc(a.screens, func(s screen) bool { return s.id == kit.Setup })
	r := &leaver{Screen: a.screens[i].Screen}
	a.screens[i].Screen = r
	for _, step := range []struct {
		name string
		do   func()
		want int
	}{
		{"it is already in front", func() { a.Go(kit.Setup, nil) }, 0},
		{"another one comes", func() { a.Go(kit.Dash, nil) }, 1},
		{"it comes back", func() { a.Back() }, 1},
		{"another one comes to the front again", func() { a.Go(kit.Browse, nil) }, 2},
		{"another one replaces the other", func() { a.Go(kit.Dash, nil) }, 2},
	} {
		step.do()
		if r.left != step.want {
			t.Errorf("%s: left %d times, want %d", step.name, r.left, step.want)
		}
	}
}

func TestMouseToggle(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	if _, cmd := a.Update(kittest.Press("m")); cmd == nil || a.settings.Mouse {
		t.Fatal("m does not turn the mouse off")
	}
	a.Update(kittest.Press("m"))
	if !a.settings.Mouse {
		t.Fatal("m does not turn the mouse on")
	}
}

func TestDotsToggle(t *testing.T) {
	a := testApp(kittest.NewEngine(), 80, 24)
	for i, want := range []bool{true, false} {
		a.Update(kittest.Press("D"))
		said := []string{"dots on", "dots off"}[i]
		if a.theme.Braille != want || *a.dots != want || !strings.Contains(a.View(), said) {
			t.Errorf("press %d: dots %v, kept %v, want %q in\n%s", i+1, a.theme.Braille, *a.dots, said,
				a.View())
		}
	}
	a.Use("ascii", true)
	if a.Update(kittest.Press("D")); !strings.Contains(a.View(), "dots need Unicode") {
		t.Errorf("without Unicode:\n%s", a.View())
	}
}

// mouseScreen records the events of the mouse.
type mouseScreen struct {
	kit.Screen
	got []string
}

func (s *mouseScreen) Mouse(x, y, wheel int) tea.Cmd {
	s.got = append(s.got, fmt.Sprint(x, y, wheel))
	return nil
}

// A click and the wheel reach the screen, or the help page in front of it. Other events do nothing, and a
// question ignores the mouse.
func TestMouseEvents(t *testing.T) {
	a := testApp(kittest.NewEngine(), 60, 12)
	i := slices.IndexFunc(a.screens, func(s screen) bool { return s.id == a.on })
	m := &mouseScreen{Screen: a.screens[i].Screen}
	a.screens[i].Screen = m
	left := tea.MouseMsg{X: 3, Y: 4, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	up := tea.MouseMsg{X: 5, Y: 6, Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress}
	down := tea.MouseMsg{X: 5, Y: 6, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress}
	release, right := left, left
	release.Action = tea.MouseActionRelease
	right.Button = tea.MouseButtonRight
	events := []tea.MouseMsg{left, up, down, release, right}
	for _, e := range events {
		a.Update(e)
	}
	if want := []string{"3 4 0", "5 6 -1", "5 6 1"}; !slices.Equal(m.got, want) {
		t.Errorf("the screen received %q, want %q", m.got, want)
	}
	m.got = nil
	a.Update(kittest.Press("?"))
	before := a.View()
	if a.Update(down); a.View() == before {
		t.Error("the wheel does not scroll the help page")
	}
	a.Update(kittest.Press("esc"))
	a.Ask(kit.Question{Text: "Sure?"})
	for _, e := range events {
		a.Update(e)
	}
	if len(m.got) > 0 || a.question == nil {
		t.Errorf("behind the help page or a question, the screen received %q", m.got)
	}
}

func TestHelpOpensScrollsAndCloses(t *testing.T) {
	a, r := dashApp(kittest.Training(someConfig, 100), 60, 12)
	a.Update(kittest.Press("?"))
	first := a.View()
	if !strings.Contains(first, "Pause or continue") {
		t.Fatalf("help:\n%s", first)
	}
	a.Update(kittest.Press("pgdown"))
	if a.View() == first {
		t.Fatal("the help page does not scroll")
	}
	a.Update(kittest.Press("s"))
	if r.Count("stop") != 0 {
		t.Fatal("a key acts on the run behind the help page")
	}
	a.Update(kittest.Press("esc"))
	if a.help {
		t.Fatal("esc does not leave the help page")
	}
	a.Update(kittest.Press("? "))
	if a.View() == first || !a.help {
		t.Fatalf("the key after ? in the same message is lost:\n%s", a.View())
	}
}

// A guide leaves the screen visible above it, unless the terminal is too low.
func TestGuideStaysBelowTheScreen(t *testing.T) {
	for _, h := range []int{40, 24, 12} {
		a, r := dashApp(kittest.Training(someConfig, 100), 80, h)
		before := a.View()
		a.Update(kittest.Press("h"))
		guide := a.View()
		n := strings.Count(guide, "\n") + 1
		if n != h || !strings.Contains(guide, "objective that training") {
			t.Fatalf("%d lines instead of %d:\n%s", n, h, guide)
		}
		if above := strings.Contains(guide, "smoothed"); above != (h > 12) {
			t.Errorf("80 x %d: the screen is visible: %v\n%s", h, above, guide)
		}
		a.Update(kittest.Press("s"))
		if r.Count("stop") != 0 {
			t.Fatal("a key acts on the run behind the guide")
		}
		a.Update(kittest.Press("h"))
		if a.View() != before {
			t.Errorf("the screen differs after the guide:\n%s", a.View())
		}
	}
}

func TestStatusExpires(t *testing.T) {
	a, _ := dashApp(kittest.Training(someConfig, 100), 80, 24)
	a.Update(kittest.Press("k"))
	gen := a.status.gen
	a.Update(statusExpiredMsg{gen - 1})
	if !strings.Contains(a.View(), "checkpoint requested") {
		t.Fatal("an outdated message removed the status")
	}
	a.Update(statusExpiredMsg{gen})
	if strings.Contains(a.View(), "checkpoint requested") {
		t.Fatal("the status has not expired")
	}
}

// The status line does not hide the keys in the footer. The next key removes it.
func TestStatusHidesNoKeys(t *testing.T) {
	a, _ := dashApp(kittest.Training(someConfig, 100), 80, 24)
	footer := func() string {
		lines := strings.Split(a.View(), "\n")
		return lines[len(lines)-1]
	}
	before := footer()
	a.Update(kittest.Press("k"))
	if !strings.Contains(a.View(), "checkpoint requested") || footer() != before {
		t.Fatalf("the footer was %q; now\n%s", before, a.View())
	}
	a.Update(kittest.Press("x"))
	if strings.Contains(a.View(), "checkpoint requested") {
		t.Fatalf("the status remains after the next key:\n%s", a.View())
	}
}

// The status replaces a whole line of text: a mixture such as "exporting of 12 quantities" would be
// misleading.
func TestStatusIsNotMixedWithText(t *testing.T) {
	a := testApp(kittest.NewEngine(), 40, 12)
	border := "╰" + strings.Repeat("─", 38) + "╯"
	under := func(line string) string {
		return strings.Split(a.withStatus("picture\n"+line+"\nkeys", "exporting"), "\n")[1]
	}
	if got := under(" ! alarm: 12 of 12 quantities"); strings.TrimSpace(got) != "exporting" ||
		kit.Cells(got) != 40 {
		t.Errorf("over text: %q", got)
	}
	if got := under(border); got != "╰─ exporting "+strings.Repeat("─", 26)+"╯" {
		t.Errorf("over a border: %q", got)
	}
}

func TestSecondsPerStep(t *testing.T) {
	a := testApp(kittest.NewEngine(), 120, 40)
	begin(a, someConfig)
	if got := a.SecondsPerStep(someConfig); math.Abs(got-0.0285) > 1e-12 {
		t.Fatalf("%g seconds per step, want 0.0285", got)
	}
	longer, other := someConfig, someConfig
	longer.Set = map[string]string{"steps": "7"}
	other.Set = map[string]string{"layers": "3"}
	if a.SecondsPerStep(longer) == 0 || a.SecondsPerStep(other) != 0 {
		t.Fatal("the time per step depends on the number of steps, or does not depend on the layers")
	}
}

func TestStartErrorIsShown(t *testing.T) {
	e := kittest.NewEngine()
	e.StartErr = errors.New("inducing=0: want a whole number from 1 to 4096")
	a := testApp(e, 120, 40)
	_, cmd := a.Update(kittest.Press("enter"))
	a.Update(cmd())
	if a.on != kit.Setup || !strings.Contains(a.View(), "cannot start: inducing=0") {
		t.Fatalf("screen:\n%s", a.View())
	}
}

// TestSharedCoresAreReported starts one run more than there are cores.
func TestSharedCoresAreReported(t *testing.T) {
	a := testApp(kittest.NewEngine(), 120, 40)
	a.cores = 2
	for i, want := range []bool{false, false, true} {
		begin(a, rundir.Config{Dataset: "mountaincar", Family: "star", Seed: uint64(i)})
		if got := strings.Contains(a.View(),
			"3 training runs share 2 cores: each is slower"); got != want {
			t.Errorf("run %d: remark %v, want %v:\n%s", i+1, got, want, a.View())
		}
	}
}
