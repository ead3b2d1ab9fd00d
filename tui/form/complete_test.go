package form

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// dataForm returns a form with a data set field with known names, for one value or many, and types text into
// it.
func dataForm(many bool, base, typed string) *Form {
	f := New(map[string]string{})
	field := NewField(models.Hyperparameter{
		Name:    rundir.DatasetField,
		Section: family.DataSection,
		First:   true,
		Kind:    family.Text,
	}, base)
	field.Many, field.Names = many, []string{"energy", "steps", "steps-wide"}
	f.List([]*Field{field}, "was", nil)
	f.SyncTyping(false)
	if typed != "" {
		f.press("ctrl+w")
	}
	for _, r := range typed {
		f.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	return &f
}

// complete presses tab.
func complete(t *testing.T, f *Form) (took, nothing bool) {
	t.Helper()
	if !f.Completes() {
		return false, false
	}
	msg := f.Complete(f)().(kit.CompletedMsg)
	if msg.Owner != f {
		t.Fatalf("owner %v", msg.Owner)
	}
	return f.Completed(msg.Completion)
}

// folder creates a folder with data files, one of them with a comma in its name, and a subfolder.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"houses.csv", "houses-new.csv", "a,b.csv", "more/fab.csv"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("a,b\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir + "/"
}

func TestCompletion(t *testing.T) {
	dir := folder(t)
	for _, c := range []struct {
		many             bool
		typed, want, say string
		values           int
	}{
		{false, "en", "energy", "", 1},
		{false, "st", "steps", "tab: steps  steps-wide", 1},
		{false, dir + "h", dir + "houses", "tab: houses-new.csv  houses.csv", 1},
		{false, dir + "m", dir + "more/", "", 1},
		{false, dir + "more/", dir + "more/fab.csv", "", 1},
		{true, "energy," + dir + "more/f", "energy," + dir + "more/fab.csv", "", 2},
		{true, "energy, st", "energy, steps", "tab: steps  steps-wide", 2},
		{true, "energy;" + dir + "a", "energy;" + dir + "a,b.csv", "", 2},
		{true, "energy," + dir + "a", "energy;" + dir + "a,b.csv", "", 2},
		{true, dir + "a", ";" + dir + "a,b.csv", "", 1},
	} {
		f := dataForm(c.many, "boston", c.typed)
		took, nothing := complete(t, f)
		if got := f.Value(rundir.DatasetField); !took || nothing || got != c.want {
			t.Errorf("%q becomes %q (%v, %v), want %q", c.typed, got, took, nothing, c.want)
		}
		if text, _ := f.words(kittest.PlainTheme()); c.say != "" && text != c.say {
			t.Errorf("%q: the remark is %q, want %q", c.typed, text, c.say)
		}
		values, err := f.Current().Values()
		if n := len(values); err != nil || n != c.values || !strings.HasSuffix(c.want, values[n-1]) {
			t.Errorf("%q: the values are %q (%v)", c.typed, values, err)
		}
	}
}

// A complete value, a value that was not typed, and text that has changed in the meantime are not completed.
func TestNothingToComplete(t *testing.T) {
	dir := folder(t)
	for _, typed := range []string{"energy", dir + "none", dir + "houses.csv", "zz"} {
		f := dataForm(false, "boston", typed)
		if took, nothing := complete(t, f); !took || !nothing || f.Value(rundir.DatasetField) != typed {
			t.Errorf("%q becomes %q (%v, %v)", typed, f.Value(rundir.DatasetField), took, nothing)
		}
	}
	if dataForm(false, "st", "").Completes() {
		t.Error("a value that was not typed is completed")
	}
	f := dataForm(false, "boston", "st")
	msg := f.Complete(f)().(kit.CompletedMsg)
	f.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x")})
	if took, _ := f.Completed(msg.Completion); took || f.Value(rundir.DatasetField) != "stx" {
		t.Errorf("a late answer changes it to %q", f.Value(rundir.DatasetField))
	}
}

// A picked file is appended to other values, or replaces a path.
func TestPickedFiles(t *testing.T) {
	for _, c := range []struct {
		many             bool
		base, at, become string
	}{
		{false, "boston", "", "/data/x.csv"},
		{false, "/data/old.csv", "/data/old.csv", "/data/x.csv"},
		{true, "boston", "", "boston,/data/x.csv"},
		{true, "boston,/data/old.csv", "/data/old.csv", "boston,/data/x.csv"},
	} {
		f := dataForm(c.many, c.base, "")
		if at := f.PickFrom(); at != c.at {
			t.Errorf("%q: picked from %q, want %q", c.base, at, c.at)
		}
		f.Picked("/data/x.csv")
		if f.Value(rundir.DatasetField) != c.become {
			t.Errorf("%q becomes %q, want %q", c.base, f.Value(rundir.DatasetField), c.become)
		}
	}
}
