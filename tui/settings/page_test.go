package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/form"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// fakeProgram is a program with settings in use.
type fakeProgram struct {
	inUse    Settings
	problems []error
}

func (f *fakeProgram) InUse() Settings { return f.inUse }

func (f *fakeProgram) Use(name string, value any) tea.Cmd {
	if err := f.inUse.Set(name, value); err != nil {
		panic(err) // The page offers only allowed values.
	}
	return nil
}

func (f *fakeProgram) KeyProblems(map[string][]string) []error { return f.problems }

// harness is a page with its test host and its program.
type harness struct {
	*kittest.Host
	page    *Page
	program *fakeProgram
	path    string
}

// onFile returns a page that has read a settings file with the given text, or no file if the text is "".
func onFile(t *testing.T, text string) *harness {
	t.Helper()
	inFolder(t)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(os.Getenv("HOME"), ".config"))
	path, err := Path()
	if err != nil {
		t.Fatal(err)
	}
	if text != "" {
		put(t, path, text, 0o644)
	}
	s, _ := Load()
	d := &harness{Host: kittest.NewHost(), program: &fakeProgram{inUse: s}, path: path}
	d.page = New(d, d.program)
	d.Screen = d.page
	d.Size(80, 24)
	d.Perform(d.page.Open(nil))
	return d
}

// on selects a row.
func (d *harness) on(name string) { d.page.form.GoTo(name) }

// press presses keys and runs their commands.
func (d *harness) press(keys ...string) {
	for _, key := range keys {
		d.Perform(d.Keys(key))
	}
}

// see fails the test unless the screen shows the texts.
func (d *harness) see(t *testing.T, texts ...string) {
	t.Helper()
	kittest.CheckShows(t, "the page", d.View(), texts...)
}

// The page shows the values in the file, its errors, its keys and its profiles.
func TestPageShowsTheFile(t *testing.T) {
	d := onFile(t, "theme = \"light\"\nframe_rate = 7\nbraille = false\ncolour = true\n"+
		"[keys]\nstop = [\"Z\", \"ctrl+x\"]\ncheckpoint = []\n[slurm.big]\ncpus = 4\n[slurm.default]\n")
	d.program.problems = []error{errors.New("keys.stop: no such key")}
	d.Size(100, 40)
	d.see(t, "theme               light", "frame_rate          7", "braille             off", "default auto",
		"✗ settings.toml: colour: unknown entry", "✗ keys.stop: no such key", "Correct the file in an editor",
		"stop        Z  ctrl+x", "checkpoint  no key", "  big, default", "from the next start")
	if text := d.page.PlainText(); !strings.Contains(text, "theme light\n") ||
		!strings.Contains(text, "checkpoint  no key") {
		t.Errorf("the text for the clipboard is\n%s", text)
	}
	d = onFile(t, "")
	d.Size(100, 40)
	d.see(t, "The file does not exist; the first change creates it.", "mouse               ← on →", "none")
}

// An arrow changes a value, which is used and written. The rest of the file stays as it is.
func TestChangeIsUsedAndSaved(t *testing.T) {
	for _, c := range []struct{ row, key, text string }{
		{"mouse", "right", "mouse = false"}, {"mouse", " ", "mouse = false"},
		{"braille", "right", "braille = true"}, {"braille", "left", "braille = false"},
		{"frame_rate", "right", "frame_rate = 20"}, {"frame_rate", "left", "frame_rate = 5"},
		{"ascii", "left", "ascii = true"}, {"images", "right", "images = false"},
		{"theme", "right", `theme = "light"`}, {"theme", "left", `theme = "high-contrast"`},
	} {
		d := onFile(t, "# mine\n\n[keys]\nstop = \"Z\" # end\n")
		d.on(c.row)
		d.press(c.key)
		want := "# mine\n" + c.text + "\n\n[keys]\nstop = \"Z\" # end\n"
		if got := textOf(t, d.path); got != want {
			t.Errorf("%s of %s: the file is %q, want %q", c.key, c.row, got, want)
		}
		saved, _ := Load()
		for _, r := range rows {
			if got, want := r.value(d.program.inUse), r.value(saved); got != want {
				t.Errorf("%s of %s: %s = %s is used, want %s", c.key, c.row, r.name, got, want)
			}
		}
		d.see(t, "✓ saved")
	}
}

// A reset writes the default.
func TestResetWritesTheDefault(t *testing.T) {
	d := onFile(t, "mouse = false # for now\nbraille = true\n")
	d.press("ctrl+u")
	d.on("braille")
	d.press("ctrl+u")
	if got, want := textOf(t, d.path), "mouse = true # for now\nbraille = \"auto\"\n"; got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
	if _, why := d.page.Available(kit.ActReset); why != "already the default" {
		t.Errorf("a reset of the default says %q", why)
	}
}

// A frame rate that is not on the list is one of the values.
func TestAnyFrameRate(t *testing.T) {
	d := onFile(t, "frame_rate = 7\n")
	d.on("frame_rate")
	d.see(t, "← 7 →")
	d.press("right")
	if got := textOf(t, d.path); got != "frame_rate = 10\n" {
		t.Errorf("after 7 comes %q, want 10", got)
	}
}

// Changes that follow quickly are written one after another, and the last one of a row decides.
func TestQuickChanges(t *testing.T) {
	d := onFile(t, "")
	first := d.Keys("right")
	d.see(t, "saving…", "← off →")
	d.Keys("down", "right", "right", "left", "down", "right", "right")
	if n := len(d.page.changes); n != 3 {
		t.Errorf("%d changes wait, want one of each row", n)
	}
	d.Perform(first)
	if got, want := textOf(t, d.path), "mouse = false\nbraille = true\nframe_rate = 30\n"; got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
	d.see(t, "✓ saved")
}

// Changes that still wait at the end of the program are written.
func TestFinish(t *testing.T) {
	d := onFile(t, "")
	d.Keys("right", "down", "right")
	if err := d.page.Finish(); err != nil {
		t.Fatal(err)
	}
	if got, want := textOf(t, d.path), "mouse = false\nbraille = true\n"; got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
	put(t, d.path, "mouse = \n", 0o644)
	if err := d.page.Finish(); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("with a damaged file the error is %v", err)
	}
}

// If the file cannot be written, the value is used, and the page says why it is not saved, until a change is
// saved.
func TestNotSaved(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"read-only": {"mouse = true\n", 0o444, "write settings.toml: the file is read-only"},
		"no TOML":   {"mouse = true\n[keys\n", 0o644, "settings.toml: line 3: "},
	} {
		d := onFile(t, "mouse = true\n")
		put(t, d.path, c.text, c.mode)
		if err := os.Chmod(d.path, c.mode); err != nil {
			t.Fatal(err)
		}
		d.press("right")
		if !strings.HasPrefix(d.Note, "not saved, used until the program ends: "+c.want) ||
			strings.Contains(d.Note, "\n") {
			t.Errorf("%s: the line is %q, want %q", name, d.Note, c.want)
		}
		d.Note = ""
		d.see(t, "✗ not saved: "+c.want, "mouse               ← on →", "in use: off")
		if n := strings.Count(d.View(), c.want[:len("settings.toml: line 3")]); n != 1 {
			t.Errorf("%s: the error is shown %d times:\n%s", name, n, d.View())
		}
		if d.program.inUse.Mouse || textOf(t, d.path) != c.text {
			t.Errorf("%s: mouse %v, file %q", name, d.program.inUse.Mouse, textOf(t, d.path))
		}
		if err := os.Chmod(d.path, 0o644); err != nil {
			t.Fatal(err)
		}
		put(t, d.path, "mouse = true\n", 0o644)
		d.press("right")
		d.see(t, "✓ saved", "mouse               ← off →")
		if strings.Contains(d.View(), "not saved:") {
			t.Errorf("%s: the error remains:\n%s", name, d.View())
		}
	}
}

// Settings in use that differ from the file are marked.
func TestSettingsInUse(t *testing.T) {
	d := onFile(t, "frame_rate = 5\n")
	d.program.inUse.FrameRate = 2 // by a flag
	d.program.inUse.Mouse = false // by a key
	d.see(t, "in use: 2", "in use: off")
	d.on("frame_rate")
	d.press("right")
	if view := d.View(); strings.Contains(view, "in use: 2") || !strings.Contains(view, "← 10 →") {
		t.Errorf("after the change:\n%s", view)
	}
}

// esc goes back, a click selects a row, and the wheel and the page keys scroll the rest of the file.
func TestKeysAndMouse(t *testing.T) {
	var keys strings.Builder
	for r := 'a'; r <= 'z'; r++ {
		keys.WriteString("action_" + string(r) + " = \"" + string(r) + "\"\n")
	}
	d := onFile(t, "[keys]\n"+keys.String())
	x, y := d.Find(t, "ascii")
	d.Click(x, y)
	if d.page.form.Row() != "ascii" {
		t.Errorf("a click on ascii selects %s", d.page.form.Row())
	}
	d.see(t, "1-8 of 30", "pgdown scroll")
	d.press("pgdown")
	d.see(t, "9-16 of 30")
	d.Wheel(x, 20, 1)
	d.see(t, "11-18 of 30")
	d.press("pgup")
	d.see(t, "3-10 of 30")
	d.press("esc")
	if d.Backs != 1 {
		t.Errorf("esc goes back %d times", d.Backs)
	}
	d = onFile(t, "")
	if _, why := d.page.Available(kit.ActPageDown); why != "nothing to scroll" {
		t.Errorf("without more lines pgdown says %q", why)
	}
}

// pageOf returns a page with entries of all kinds, in a theme.
func pageOf(t *testing.T, th *kit.Theme) *harness {
	d := onFile(t, "theme = \"dark\"\nframe_rate = 20\ncolour = true\n[keys]\nstop = [\"Z\", \"ctrl+x\"]\n"+
		"checkpoint = []\n[slurm.big]\ncpus = 4\n[slurm.default]\n")
	d.program.inUse.Mouse = false
	*d.Theme() = *th
	return d
}

func TestEveryFrameFits(t *testing.T) {
	kittest.CheckSizes(t, "settings", pageOf(t, kittest.PlainTheme()).ViewAt)
}

func TestFramesWithoutUnicodeOrColour(t *testing.T) {
	kittest.CheckASCII(t, "settings", pageOf(t, kittest.ASCIITheme()).ViewAt)
}

func TestColourChangesNoCell(t *testing.T) {
	d := pageOf(t, kittest.PlainTheme())
	d.program.inUse.Theme = Light // Else the row has a remark on terminals without colours.
	kittest.CheckColours(t, "settings", func(th *kit.Theme) string {
		*d.Theme() = *th
		return d.View()
	})
}

func TestLayoutsTileEverySize(t *testing.T) {
	for w := 1; w <= 130; w++ {
		for h := 1 + w%5; h <= 45; h += 5 {
			l := arrange(w, h)
			regions := []kit.Rect{l.Header, l.Footer}
			for _, p := range l.Parts {
				regions = append(regions, p.Rect)
			}
			kittest.CheckTiling(t, "settings", w, h, regions)
		}
	}
}

func TestPage(t *testing.T) {
	kittest.CheckPage(t, "page", pageOf(t, kittest.PlainTheme()).ViewAt)
}

// The description of every row is whole in the usual sizes, and the remark on images is in it or in the row.
func TestDescriptionsAreWhole(t *testing.T) {
	d := pageOf(t, kittest.PlainTheme())
	for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 24}, {60, 20}} {
		for _, r := range rows {
			d.on(r.name)
			view := strings.ReplaceAll(d.ViewAt(size[0], size[1]), "│", " ")
			view = strings.Join(strings.Fields(view), " ")
			view = strings.ReplaceAll(view, "high- contrast", "high-contrast")
			standard := "default " + r.value(Default()) + " ·"
			if !strings.Contains(view, r.help) || !strings.Contains(view, standard) {
				t.Errorf("%s at %d x %d: no %q in\n%s", r.name, size[0], size[1], r.help, d.View())
			}
		}
	}
}

// randomWalk returns a walk over a page. Its events change the file and the settings in use.
func randomWalk(t *testing.T, seed uint64) *kittest.Walk {
	d := onFile(t, "")
	w := kittest.NewWalk(d.Host, seed)
	texts := []string{"", "mouse = \n", someFile, "frame_rate = 7\nx = 1\n", "theme = 3\n[keys]\nstop = []\n",
		"[keys]\n\"a\\nb\\u001b\" = \"\\u0007\"\n[slurm.\"a\\u001bb\"]\n", byteOrderMark + "ascii = true"}
	w.Events = []func(){
		func() { put(t, d.path, texts[w.IntN(len(texts))], 0o644) },
		func() { d.program.problems = []error{errors.New("keys.fly: " + strings.Repeat("long ", 30))} },
		func() { d.program.inUse.Mouse = !d.program.inUse.Mouse },
		func() { d.page.form.GoTo(rows[w.IntN(len(rows))].name) },
		func() { d.Keys("right", string(form.NextChoice), "left") }, // These changes wait.
		func() {
			if len(d.page.changes) > 0 {
				w.Deliver(savedMsg{[]error{nil, errors.New("no space left on device")}[w.IntN(2)]})
			}
		},
	}
	return w
}

// Random keys and files never panic, and every frame fills the screen exactly.
func TestRandomWalks(t *testing.T) {
	for seed := range uint64(6) {
		randomWalk(t, seed).Take(t, "walk", 80)
	}
}
