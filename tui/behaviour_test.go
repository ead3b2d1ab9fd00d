package tui

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"dgplab/session/probe"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/settings"
)

// withOptions returns an app of 80 x 24 cells on the set-up screen.
func withOptions(opts Options) *app {
	if opts.Output == nil {
		opts.Output = new(kittest.Buffer)
	}
	a := newApp(kittest.NewEngine(), kittest.PlainTheme(), opts)
	a.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	return a
}

func TestKeysFromSettings(t *testing.T) {
	s := settings.Default()
	s.Keys = map[string][]string{
		"quit": {"Q"}, "mouse": {}, "fly": {"f"}, "start": {"return"}, "help": {"f1", "ctrl+c"},
	}
	a := withOptions(Options{
		Settings: s,
		Problems: []error{&settings.Problem{File: "/home/me/settings.toml", Where: "theme", What: "invalid"}},
	})
	perform(a, a.Init())
	var all []string
	for _, p := range a.problems {
		all = append(all, p.Error())
	}
	for i, want := range []string{"/home/me/settings.toml: theme: invalid",
		"keys.fly: unknown action", `keys.start: unknown key "return"`,
		`keys.help = "ctrl+c": this key is reserved for interrupt`} {
		if len(all) != 4 || !strings.HasPrefix(all[i], want) {
			t.Fatalf("problems %q, want %q as problem %d of four", all, want, i)
		}
	}
	a.Init()
	if !strings.Contains(a.View(), "(and 3 more) settings.toml: theme: invalid") {
		t.Fatalf("no message about the settings:\n%s", a.View())
	}
	if cmd := press(a, "q"); perform(a, cmd) {
		t.Fatal("q quits, although quit has another key")
	}
	press(a, "m")
	if !a.settings.Mouse {
		t.Fatal("m turns the mouse off, although the action has no key")
	}
	press(a, "ctrl+p")
	if !strings.Contains(a.View(), "Quit; asks first") {
		t.Fatalf("screen:\n%s", a.View())
	}
	press(a, "esc")
	if cmd := press(a, "Q"); !perform(a, cmd) {
		t.Fatal("the configured key does not quit")
	}
}

func TestFrameRateAndMouseFromSettings(t *testing.T) {
	s := settings.Default()
	s.FrameRate, s.Mouse = 4, false
	a := withOptions(Options{Settings: s})
	if a.Frame() != 250*time.Millisecond || a.settings.Mouse {
		t.Fatalf("%v between frames, mouse %v", a.Frame(), a.settings.Mouse)
	}
	if got := withOptions(Options{}).Frame(); got != 100*time.Millisecond {
		t.Fatalf("without settings %v between frames", got)
	}
}

func TestThemeFromSettings(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("TERM", "xterm")
	for name, want := range map[string]struct{ dark, strong bool }{
		settings.Light: {false, false}, settings.Dark: {true, false},
	} {
		th := newTheme(termenv.TrueColor, true, settings.Settings{Theme: name}, nil)
		if th.Dark != want.dark ||
			th.HighContrast != want.strong || !th.Glyphs.Unicode {
			t.Errorf("%s: %+v", name, th)
		}
	}
	yes, no := true, false
	all := settings.Settings{Theme: settings.HighContrast, ASCII: true, Braille: &yes}
	th := newTheme(termenv.TrueColor, true, all, nil)
	if !th.HighContrast || th.Glyphs.Unicode || !th.Braille {
		t.Errorf("high contrast, ASCII and braille are not all in %+v", th)
	}
	for _, c := range []struct {
		term       string
		set, chose *bool
		want       bool
	}{
		{"xterm", nil, nil, true}, {"linux", nil, nil, false}, {"linux", nil, &yes, true},
		{"xterm", nil, &no, false}, {"xterm", &yes, &no, true}, {"linux", &yes, nil, true},
	} {
		t.Setenv("TERM", c.term)
		s := settings.Settings{Braille: c.set}
		if th := newTheme(termenv.TrueColor, true, s, c.chose); th.Braille != c.want {
			t.Errorf("%+v: dots %v", c, th.Braille)
		}
	}
}

// TestStateIsRestored restores the data set and the family unless the user gave a configuration.
func TestStateIsRestored(t *testing.T) {
	config := rundir.Config{Dataset: "mountaincar", Family: "mean-field"}
	a := withOptions(Options{Config: config})
	press(a, "up", "tab", "down")
	state := a.keep()
	var read map[string]any
	if err := json.Unmarshal(state["setup"], &read); err != nil || read["dataset"] != "steps" ||
		read["family"] != "star" {
		t.Fatalf("kept %s, %v", state["setup"], err)
	}
	a = withOptions(Options{Config: config, State: state})
	if !strings.Contains(a.View(), "steps · star") {
		t.Fatalf("not the saved state:\n%s", a.View())
	}
	a = withOptions(Options{Config: config, State: state, Given: true})
	if !strings.Contains(a.View(), "mountaincar · mean-field") {
		t.Fatalf("not the given configuration:\n%s", a.View())
	}
	// The list of recent files is always restored.
	state = SavedState{"setup": json.RawMessage(`{"dataset":"/data/a.csv","files":["/data/a.csv"]}`)}
	a = withOptions(Options{Config: config, State: state, Given: true})
	if !strings.Contains(a.View(), "mountaincar · mean-field") ||
		!strings.Contains(a.View(), "a.csv  /data") {
		t.Fatalf("wrong configuration or files:\n%s", a.View())
	}
	a = withOptions(Options{
		Config: config,
		State:  SavedState{"setup": json.RawMessage(`{"dataset": 3}`)},
	})
	if !strings.Contains(a.View(), "mountaincar") {
		t.Fatalf("damaged state:\n%s", a.View())
	}
}

// The columns page has its own keys and the global keys.
func TestHelpOnColumnsPage(t *testing.T) {
	a := withOptions(Options{Config: rundir.Config{Dataset: "/data/one.csv", Family: "star"}, Given: true})
	press(a, "c")
	if view := a.View(); !strings.Contains(view, "Columns of one.csv") || !strings.Contains(view, "? help") {
		t.Fatalf("no page of columns:\n%s", view)
	}
	press(a, "?")
	if view := a.View(); !strings.Contains(view, "Make the column the only target.") ||
		strings.Contains(view, "Download") {
		t.Errorf("not the keys of the page:\n%s", view)
	}
	press(a, "pgdown")
	if view := a.View(); !strings.Contains(view, "Show or close this page") {
		t.Errorf("no global keys:\n%s", view)
	}
	press(a, "esc", "f", "a")
	if view := a.View(); !strings.Contains(view, "Columns of one.csv") {
		t.Errorf("keys of the screen behind the page work:\n%s", view)
	}
}

func TestCopyWritesToTheTerminal(t *testing.T) {
	t.Setenv("TMUX", "")
	t.Setenv("TERM", "xterm")
	var out kittest.Buffer
	a := withOptions(Options{Output: &out})
	perform(a, press(a, "y"))
	text := a.front().PlainText()
	if want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) +
		"\x07"; !strings.Contains(text, "mountaincar") || out.String() != want {
		t.Fatalf("wrote %q, want %q", out.String(), want)
	}
	if !strings.Contains(a.View(), "lines copied to the terminal's clipboard") {
		t.Fatalf("no message:\n%s", a.View())
	}
	a.Copy("")
	if !strings.Contains(a.View(), "nothing to copy") {
		t.Fatalf("no message after copying nothing:\n%s", a.View())
	}
}

// Inside tmux and screen, the escape sequence is wrapped for that program.
func TestCopyInsideTmuxAndScreen(t *testing.T) {
	bare := osc52.New("x").String()
	for _, c := range []struct{ tmux, term, want string }{
		{"", "xterm-256color", bare},
		{"/tmp/tmux-0/default,1,0", "screen-256color", bare + "\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\"},
		{"", "screen", "\x1bP\x1b]52;c;eA==\x07\x1b\\"},
	} {
		t.Setenv("TMUX", c.tmux)
		t.Setenv("TERM", c.term)
		var out bytes.Buffer
		newClipboard(&out).write("x")()
		if out.String() != c.want {
			t.Errorf("TMUX %q, TERM %q: wrote %q, want %q", c.tmux, c.term, out.String(), c.want)
		}
	}
}

// The key of the run browser exists only if the screen exists.
func TestBrowserKeyNeedsTheBrowser(t *testing.T) {
	a := withOptions(Options{})
	_, there := a.screen(kit.Browse)
	for _, s := range a.screens {
		if s.id != kit.Browse && s.has(kit.ActBrowse) != there {
			t.Errorf("%s has the key of the browser: %v, the browser exists: %v", s.id, !there, there)
		}
	}
}

// workEngine starts a sweep and a prediction that go on until their contexts end.
type workEngine struct{ *kittest.Engine }

func (workEngine) StartSweep(ctx context.Context, _ sweeps.Grid, o sweeps.Options) (kit.SweepRun, error) {
	state := &sweeps.State{Name: o.Name, Cells: make([]sweeps.CellState, 3)}
	for i := range 2 {
		state.Cells[i].Status = sweeps.Running
	}
	return contextSweep{state: state, done: ctx.Done()}, nil
}

func (workEngine) Predict(
	ctx context.Context, _, _, _ string, report func(int),
) (*probe.Predicted, error) {
	report(1)
	<-ctx.Done()
	return nil, ctx.Err()
}

// contextSweep is a sweep that ends with a context.
type contextSweep struct {
	kit.SweepRun
	state *sweeps.State
	done  <-chan struct{}
}

func (s contextSweep) Latest() *sweeps.State { return s.state }
func (s contextSweep) Done() <-chan struct{} { return s.done }

// Quitting asks about the runs of a sweep, and ends and waits for sweeps and predictions.
func TestQuittingEndsSweepsAndPredictions(t *testing.T) {
	a := testApp(workEngine{kittest.NewEngine()}, 120, 40)
	predicting, predicted := make(chan struct{}), make(chan struct{})
	go func() {
		_, _ = a.work.Predict(a.Context(), "id", "new.csv", "out.csv", func(int) { close(predicting) })
		close(predicted)
	}()
	<-predicting
	if n := a.work.busy(); n != 0 {
		t.Errorf("a prediction counts as %d runs, want 0: it can be stopped without a question", n)
	}
	if _, err := a.work.StartSweep(a.Context(), sweeps.Grid{}, sweeps.Options{Name: "abl"}); err != nil {
		t.Fatal(err)
	}
	press(a, "q")
	if !strings.Contains(a.View(), "2 runs are training. Stop them") {
		t.Fatalf("no question about the two runs of the sweep:\n%s", a.View())
	}
	if cmd := press(a, "y"); !perform(a, cmd) || a.work.busy() != 0 {
		t.Fatalf("%d runs are busy, or the program does not end", a.work.busy())
	}
	<-predicted
	lines := strings.Join(a.work.farewells(), "\n")
	for _, want := range []string{
		"prediction of new.csv cancelled", "resume with: dgplab sweep --resume abl",
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("the farewell has no %q:\n%s", want, lines)
		}
	}
}

// TestRunSavesTheState runs the whole program and reads the saved state.
func TestRunSavesTheState(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	opts := Options{engine: kittest.NewEngine(), Settings: settings.Default(), Remember: true,
		Problems: []error{&settings.Problem{File: "f.toml", Where: "theme", What: "invalid"}},
		Input:    strings.NewReader("q")}
	out, err := runWithin(t, context.Background(), opts)
	if err != nil || !strings.HasPrefix(out, "dgplab: f.toml: theme: invalid\n") {
		t.Fatalf("error %v, output starts with %.60q", err, out)
	}
	if state := loadState(); !strings.Contains(string(state["setup"]), "mountaincar") {
		t.Fatalf("kept %s", state)
	}
}
