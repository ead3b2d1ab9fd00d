package setup

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// folderOf creates a folder with empty files that have the given names.
func folderOf(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("a,b\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// chooseFile selects a file that need not exist. recent are the recent files.
func (d *harness) chooseFile(path string, recent ...string) {
	d.setup.files.remember(append([]string{path}, recent...))
	c := d.setup.config()
	c.Dataset = path
	d.setup.fill(c)
}

// read waits for the plan of the current configuration.
func (d *harness) read() { d.Perform(d.setup.plan.Schedule()) }

// After a run on a file, the restarted program selects this file on a row where letters are keys instead of
// text.
func TestLettersAreKeysOnRecentFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		houses := filepath.Join(folderOf(t, "houses.csv"), "houses.csv")
		a.Keys(houses)
		a.read()
		a.Keys("enter")
		if len(a.Starts) != 1 || a.Starts[0].Config.Dataset != houses {
			t.Fatalf("started %+v", a.Starts)
		}
		a.Send(kit.RunStartedMsg{Asked: a.Starts[0]})
		state, err := json.Marshal(a.setup.Keep())
		if err != nil {
			t.Fatal(err)
		}
		next := newHarness(kittest.NewEngine(), rundir.Config{}, 120, 40)
		next.setup.Restore(state)
		partial := newHarness(kittest.NewEngine(), rundir.Config{}, 120, 40)
		partial.setup.Restore([]byte(`{"dataset":"` + houses + `","family":"star"}`))
		given := newHarness(kittest.NewEngine(), rundir.Config{Dataset: houses}, 120, 40)
		for what, d := range map[string]*harness{
			"the same program": a, "the next start": next,
			"a state without other fields": partial, "--dataset": given,
		} {
			if got := d.setup.config().Dataset; got != houses ||
				d.setup.Types('q') || d.setup.Types('b') {
				t.Errorf("%s: %s is selected; q is typed: %v", what, got, d.setup.Types('q'))
			}
			if _, taken := d.setup.Typed(kittest.Press("q")); taken ||
				!strings.Contains(d.View(), "› houses.csv  ") || !strings.Contains(d.View(), "q quit") {
				t.Errorf("%s: screen\n%s", what, d.View())
			}
		}
		// The path can be edited from this row.
		next.Keys("right", "backspace", "backspace", "backspace", "tsv")
		if got := next.setup.config().Dataset; got != strings.TrimSuffix(houses, "csv")+"tsv" {
			t.Errorf("the path is %s", got)
		}
	})
}

// A path typed relative to the working directory remains the same file when its run has started, so that its
// column settings are kept.
func TestTypedPathKeepsColumns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := planned(t, 120, 40)
		a.Keys("./houses.csv")
		a.on("targets")
		a.Keys("right", "price")
		a.read()
		a.Keys("enter")
		a.Send(kit.RunStartedMsg{Asked: a.Starts[0]})
		c := a.setup.config()
		if !filepath.IsAbs(c.Dataset) || !reflect.DeepEqual(c.Targets, []string{"price"}) {
			t.Errorf("%+v", c)
		}
	})
}

// The first row has the path. A path typed or pasted on another row goes there, and its letters are not keys.
func TestPathTypedOnAnyRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, msg := range []tea.KeyMsg{
			{Type: tea.KeyRunes, Runes: []rune("/data/fab.csv")},
			{Type: tea.KeyRunes, Runes: []rune("fab.csv"), Paste: true},
			{Type: tea.KeyRunes, Runes: []rune("./q.csv")},
		} {
			a, _ := planned(t, 80, 24)
			if lines := strings.Split(a.View(), "\n"); !strings.Contains(lines[3], "file  CSV file") {
				t.Fatalf("the first row is %q", lines[3])
			}
			// The program sends one message per rune, except for a paste.
			for i, r := range msg.Runes {
				one := msg
				if !msg.Paste {
					one.Runes = []rune{r}
					a.Send(one)
				} else if i == 0 {
					a.Send(one)
				}
			}
			if got := a.setup.config().Dataset; got != string(msg.Runes) || len(a.Visits)+len(a.Starts) > 0 {
				t.Errorf("%q: the data are %s; visits %v", string(msg.Runes), got, a.Visits)
			}
		}
		a, _ := planned(t, 80, 24)
		a.Keys("~/x.csv")
		home, err := os.UserHomeDir()
		if got := a.setup.config().Dataset; err == nil && got != filepath.Join(home, "x.csv") {
			t.Errorf("~ became %s", got)
		}
	})
}

func TestCompletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := folderOf(t, "houses.csv", "houses.tsv", "plots/north.csv", ".hidden")
		a, _ := planned(t, 120, 40)
		tab := func(want string) {
			t.Helper()
			a.Perform(a.Keys("tab"))
			if got := a.setup.files.path.Value(); got != dir+want || a.setup.section != sectionData {
				t.Fatalf("the path is %s, want %s%s", got, dir, want)
			}
		}
		a.Keys(dir + "/p")
		tab("/plots/")
		tab("/plots/north.csv")
		a.Perform(a.Keys("tab"))
		if a.setup.section != sectionFamily {
			t.Fatal("tab does not leave a complete path")
		}
		a.Keys("shift+tab", "ctrl+u", dir+"/h")
		tab("/houses.")
		if view := a.View(); !strings.Contains(view, "tab: houses.csv  houses.tsv") ||
			!strings.Contains(view, "tab complete") {
			t.Fatalf("screen:\n%s", view)
		}
		cmd := a.Keys("tab")
		a.Keys("c")
		a.Perform(cmd) // The result is outdated.
		if got := a.setup.files.path.Value(); got != dir+"/houses.c" {
			t.Fatalf("a late answer changed the path to %s", got)
		}
	})
}

func TestPickFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := folderOf(t, "houses.csv", "plots/north.csv")
		a, _ := planned(t, 120, 40)
		a.setup.Restore([]byte(`{"dataset":"` + dir + `/houses.csv","files":["` + dir +
			`/houses.csv","` + dir + `/gone.csv"]}`))
		a.Perform(a.Keys("ctrl+o"))
		if view := a.View(); !strings.Contains(view, "recent") || !strings.Contains(view, "› houses.csv") ||
			!strings.Contains(view, "plots/") {
			t.Fatalf("screen:\n%s", view)
		}
		a.Keys("p", "l")
		a.Perform(a.Keys("enter"))
		a.Keys("down")
		a.Perform(a.Keys("enter"))
		if got := a.setup.config().Dataset; got != dir+"/gone.csv" || a.setup.files.picker.IsOpen() {
			t.Fatalf("picked %s", got) // The second row is the most recent file.
		}
		a.Perform(a.Keys("ctrl+o"))
		a.Keys("q") // The key is typed into the search.
		if len(a.Visits) > 0 || !strings.Contains(a.View(), "find q") {
			t.Fatalf("screen:\n%s", a.View())
		}
		a.Keys("esc", "esc")
		if a.setup.files.picker.IsOpen() || a.Backs > 0 {
			t.Fatal("esc does not close only the picker")
		}
		if want := []string{dir + "/gone.csv",
			dir + "/houses.csv"}; !reflect.DeepEqual(a.setup.files.recent, want) {
			t.Errorf("recent files: %v", a.setup.files.recent)
		}
	})
}

// describeFile describes every file as two inputs and a target.
func describeFile(s datasets.Source) *table.Description {
	t := &table.Description{
		Rows: 40,
		D:    2,
		P:    1,
		Task: "regression",
		Columns: []table.Column{{Name: "a"}, {Name: "b", Index: 1},
			{Name: "y", Index: 2, Role: table.Target}},
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		c.Distinct = 5 + i
		c.Min = 0.5
		c.Mean = 1.25 * float64(i+1)
		c.Max = 9.75
		c.Spark = []int{1, 4, 2, 3 + i}
	}
	if s.Columns.Missing == table.MissingDrop {
		t.Dropped = 3
	}
	return t
}

// The settings of the columns page are part of the configuration and belong to one file.
func TestColumnsPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := kittest.NewEngine()
		e.Describes = describeFile
		a := newHarness(e, rundir.Config{}, 120, 40)
		a.Keys("c")
		if a.setup.page.IsOpen() || !strings.Contains(a.Note, "only files have a columns page") {
			t.Fatalf("a data set in the catalogue has a columns page; note %q", a.Note)
		}
		a.chooseFile("/data/one.csv", "/data/two.csv")
		a.Perform(a.Keys("c"))
		for _, want := range []string{"Columns of one.csv", "40 rows · 40 points · D 2 · P 1", "› 0  a",
			"This run", "m missing"} {
			if !strings.Contains(a.View(), want) {
				t.Fatalf("no %q in\n%s", want, a.View())
			}
		}
		a.Perform(a.Keys("m"))
		a.Perform(a.Keys("t"))
		if view := a.View(); !strings.Contains(view, "3 dropped · 37 points") || !a.setup.Types('q') {
			t.Errorf("screen:\n%s", view)
		}
		a.Keys("enter")
		c := a.setup.config()
		if !reflect.DeepEqual(c.Targets, []string{"a"}) ||
			c.Columns.Missing != table.MissingDrop || a.setup.page.IsOpen() {
			t.Errorf("%+v", c)
		}
		if view := a.View(); !strings.Contains(view, "missing=drop") {
			t.Errorf("the settings are not shown:\n%s", view)
		}
		a.Keys("down")
		if c := a.setup.config(); c.Dataset != "/data/two.csv" || c.Targets != nil || !c.Columns.IsZero() {
			t.Errorf("another file has %+v", c)
		}
		a.Keys("up")
		if c := a.setup.config(); c.Columns.Missing != table.MissingDrop || len(c.Targets) != 1 {
			t.Errorf("the first file has %+v", c)
		}
		a.setup.form.Put("targets", "") // Columns alone are kept, too.
		a.Keys("down", "up")
		if c := a.setup.config(); c.Columns.Missing != table.MissingDrop || c.Targets != nil {
			t.Errorf("without a target the first file has %+v", c)
		}
		a.Perform(a.Keys("c"))
		a.Keys("m", "esc")
		if c := a.setup.config(); c.Columns.Missing != table.MissingDrop {
			t.Errorf("esc leaves %+v", c)
		}
		a.Perform(a.Keys("c"))
		kittest.CheckPage(t, "columns", a.ViewAt)
		kittest.CheckSizes(t, "columns", a.ViewAt)
		kittest.CheckShows(t, "columns", a.ViewAt(80, 24), "3 dropped · 37 points · D 2 · P 1 · regression",
			"› 0  a       number  input         0         5  0.5  1.25  9.75", "a is an input", "enter done")
		kittest.CheckShows(t, "columns", a.ViewAt(40, 10), "40 rows · 3 dropped · 37 points",
			"y       number  target")
	})
}

// An invalid setting is reported once. The open columns page has the focus.
func TestInvalidColumnSetting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newHarness(kittest.NewEngine(), rundir.Config{Dataset: "/data/one.csv"}, 120, 40)
		a.on("columns")
		a.Keys("right", "levels=99999")
		if why := a.setup.obstacle(); why == nil ||
			why.Error() != "columns: levels=99999: want a whole number from 2 to 4096" {
			t.Errorf("obstacle %v", why)
		}
		a.Perform(a.setup.openPage())
		if view := a.View(); !strings.Contains(view, "▸ Columns of one.csv") {
			t.Errorf("screen:\n%s", view)
		}
	})
}

// asking is an engine with files that raise a question until it is answered.
type asking struct{ *kittest.Engine }

func (asking) Inspect(_ context.Context, c rundir.Config) (session.Preview, error) {
	if c.Columns.Decimal != "" {
		return session.Preview{Data: rundir.DataFacts{N: 40, D: 2, P: 1}}, nil
	}
	q := &table.Question{
		Text: "1.234 may be 1.234 or 1234",
		Answers: []table.Answer{{Label: "decimal point", Item: "decimal=point"},
			{Label: "thousands", Item: "thousands=point"}},
	}
	return session.Preview{}, &table.Error{
		File:     c.Dataset,
		Column:   2,
		Name:     "b",
		Problem:  q.Text,
		Question: q,
	}
}

// An open question is asked before a run starts.
func TestOpenQuestionBeforeStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := asking{kittest.NewEngine()}
		e.Describes = func(s datasets.Source) *table.Description {
			out := describeFile(s)
			if s.Columns.Decimal == "" {
				out.Columns[1].Question = &table.Question{
					Text:    "1.234 may be 1.234 or 1234",
					Answers: []table.Answer{{Label: "decimal point", Item: "decimal=point"}},
				}
			}
			return out
		}
		a := newHarness(e, rundir.Config{Dataset: "/data/one.csv"}, 80, 24)
		a.Perform(a.setup.Open(nil))
		if view := a.View(); !strings.Contains(view,
			"? column 2 (b): 1.234 may be 1.234 or 1234; press enter to answer") {
			t.Fatalf("screen:\n%s", view)
		}
		a.Perform(a.Keys("enter"))
		if len(a.Starts) > 0 || strings.Contains(a.View(), "press enter to answer") ||
			!strings.Contains(a.View(), "› 1  b") || !strings.Contains(a.View(), "1 decimal point") {
			t.Fatalf("started %v; screen:\n%s", a.Starts, a.View())
		}
		a.Perform(a.Keys("1"))
		a.Perform(a.Keys("enter"))
		a.Keys("enter")
		if len(a.Starts) != 1 || a.Starts[0].Config.Columns.Decimal != table.Point {
			t.Errorf("started %+v", a.Starts)
		}
	})
}

// broken is an engine with files that have a missing cell.
type broken struct{ *kittest.Engine }

func (broken) Inspect(_ context.Context, c rundir.Config) (session.Preview, error) {
	return session.Preview{}, &table.Error{File: c.Dataset, Line: 7, Column: 2, Name: "b",
		Problem:  "the cell is missing",
		Remedies: []table.Answer{table.Choose("missing", table.MissingDrop, "omits such rows")}}
}

// The error in a file names the key that fixes it. While the path is being typed, this is another key.
func TestErrorNamesTheKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newHarness(broken{kittest.NewEngine()}, rundir.Config{}, 120, 40)
		a.chooseFile("/data/one.csv")
		a.Perform(a.setup.Open(nil))
		if view := a.View(); !strings.Contains(view,
			"the cell is missing; press enter to fix it") ||
			strings.Contains(view, "--missing") {
			t.Errorf("screen:\n%s", view)
		}
		a.Perform(a.Keys("enter"))
		if view := a.View(); len(a.Starts) > 0 || !strings.Contains(view, "the cell is missing") ||
			strings.Contains(view, "press enter to fix it") {
			t.Errorf("on the page, where c is another key:\n%s", view)
		}
		a.Keys("esc")
		a.Keys("up")
		a.setup.files.path.Replace("/data/one.csv")
		a.Perform(a.setup.plan.Schedule())
		if view := a.View(); !strings.Contains(view, "Press ctrl+t to show") {
			t.Errorf("screen:\n%s", view)
		}
	})
}

// gone is an engine without files.
type gone struct{ *kittest.Engine }

func (gone) Validate(c rundir.Config) error { return &datasets.UnknownError{Name: c.Dataset} }

// A missing file is reported and not saved, and no run starts on it.
func TestMissingFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newHarness(gone{kittest.NewEngine()}, rundir.Config{}, 120, 40)
		a.Keys("up", "up")
		a.read()
		if view := a.View(); !strings.Contains(view, "type the path of a CSV file") ||
			strings.Contains(view, "✗") {
			t.Errorf("screen:\n%s", view)
		}
		a.Keys("./hou")
		a.read()
		a.Keys("enter")
		if view := a.View(); len(a.Starts) > 0 || strings.Count(view, "no such file: ./hou") != 2 ||
			strings.Contains(view, "no data set") {
			t.Errorf("started %v; screen:\n%s", a.Starts, view)
		}
		if k := a.setup.Keep().(kept); k.Dataset != "" || len(k.Files) > 0 {
			t.Errorf("kept %+v", k)
		}
	})
}

// A run on a file starts when the file has been inspected, unless the configuration has changed by then.
func TestStartWaitsForTheFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			later string
			want  int
		}{{"", 1}, {"backspace", 0}} {
			a, _ := planned(t, 120, 40)
			a.Keys("/data/houses.csv")
			due := a.setup.plan.Schedule()
			a.Keys("enter")
			const waiting = "the run starts when the file has been read"
			if len(a.Starts) > 0 || !strings.Contains(a.View(), waiting) {
				t.Fatalf("started %v; screen:\n%s", a.Starts, a.View())
			}
			if c.later != "" {
				a.Keys(c.later)
			}
			a.Perform(due)
			a.read()
			if len(a.Starts) != c.want {
				t.Errorf("after enter and %q, %d runs have started", c.later, len(a.Starts))
			}
		}
		// A program that starts a run immediately also waits for the file.
		a := newHarness(broken{kittest.NewEngine()}, rundir.Config{Dataset: "/data/one.csv"}, 120, 40)
		a.Perform(a.setup.Start())
		if len(a.Starts) > 0 || !a.setup.page.IsOpen() {
			t.Errorf("started %v; screen:\n%s", a.Starts, a.View())
		}
	})
}

// A device, an open file of this process and a folder are not saved, and a file that cannot be read is not
// selected at the next start, so that a run can start.
func TestOnlyReadableFilesAreRestored(t *testing.T) {
	dir := folderOf(t, "houses.csv", "plots/north.csv")
	good, gone := filepath.Join(dir, "houses.csv"), filepath.Join(dir, "gone.csv")
	for _, c := range []struct{ data, saved, selected string }{
		{good, good, good},
		{"/dev/null", "", ""},
		{"/dev/fd/63", "", ""},
		{"/dev/stdin", "", ""},
		{filepath.Join(dir, "plots"), "", ""},
		{gone, gone, ""}, // Its disk may return.
	} {
		a := newHarness(kittest.NewEngine(), rundir.Config{Dataset: c.data}, 120, 40)
		state := a.setup.Keep().(kept)
		if got := strings.Join(state.Files, " "); got != c.saved {
			t.Errorf("the recent files after a start on %s are %q, want %q", c.data, got, c.saved)
		}
		next := newHarness(kittest.NewEngine(), rundir.Config{Dataset: "steps"}, 120, 40)
		next.setup.Restore(fmt.Appendf(nil, `{"dataset":%q,"files":[%[1]q]}`, c.data))
		want := cmp.Or(c.selected, "steps")
		if got := next.setup.dataset(); got != want {
			t.Errorf("with a state of %s the next start selects %s, want %s", c.data, got, want)
		}
	}
}
