package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// houses has a column of every kind, a question about the last column, and a missing cell.
const houses = `id;sold;town;rooms;area;garden;price;stars
a1;2021-03-04;Ulm;3;75,5;yes;210.000;1
a2;2021-03-09;Ulm;4;98,1;no;320.500;2
a3;2021-04-01;Bonn;2;;no;150.000;1
a4;2021-04-07;Kiel;3;44,5;yes;250.000;3
a5;2021-05-02;Bonn;5;120,7;yes;410.000;2
a6;2021-05-11;Kiel;4;101,0;no;333.000;3
`

// pageHarness is a page whose commands run immediately.
type pageHarness struct {
	*testing.T
	page columnsPage
}

func openPageOn(t *testing.T, text string) *pageHarness {
	t.Helper()
	path := filepath.Join(t.TempDir(), "houses.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	d := &pageHarness{T: t}
	d.do(d.page.Open(datasets.Source{Name: path}))
	return d
}

// do runs a command and passes its messages to the page.
func (d *pageHarness) do(cmd tea.Cmd) {
	kittest.Perform(cmd, func(msg tea.Msg) tea.Cmd {
		next, _ := d.page.Update(context.Background(), msg, datasets.Describe)
		return next
	})
}

func (d *pageHarness) keys(names ...string) {
	for _, name := range names {
		cmd, _ := d.page.Key(kittest.Press(name))
		d.do(cmd)
	}
}

// on selects a column.
func (d *pageHarness) on(name string) {
	d.Helper()
	for i, c := range d.page.table.Known.Columns {
		if c.Name == name {
			d.page.at = i
			return
		}
	}
	d.Fatalf("no column %s", name)
}

func (d *pageHarness) view(w, h int) string {
	return strings.Join(d.page.Lines(kittest.PlainTheme(), w, h), "\n")
}

func TestPageShowsColumnsAndQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, houses)
		for _, want := range []string{"6 rows", "D 8", "P 1", "1 question", "› 7  stars", "target ?",
			"category of 3", "2021-03-04", "ignored", "numbers or counts. 1 classes"} {
			if view := d.view(116, 30); !strings.Contains(view, want) {
				t.Fatalf("no %q in\n%s", want, view)
			}
		}
		d.keys("1")
		if got := d.page.Source(); !reflect.DeepEqual(got.Targets, []string{"stars:class"}) ||
			len(d.page.table.Known.Questions()) > 0 {
			t.Errorf("settings %+v", got)
		}
		if view := d.view(116, 30); !strings.Contains(view, "m: drop such rows or fill in the mean") ||
			strings.Contains(view, "--") {
			t.Errorf("no message about the missing cell:\n%s", view)
		}
		d.keys("m")
		if view := d.view(116, 30); !strings.Contains(view, "1 dropped · 5 points") ||
			!strings.Contains(view, "multiclass · missing: drop") {
			t.Errorf("screen:\n%s", view)
		}
	})
}

// If all questions are answered, the page selects the column that makes the file unusable.
func TestPageSelectsTheError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, "a,b,c,y\n1,2,3,1.5\n2,NA,4,2.5\n3,5,7,3.5\n4,6,9,4.5\n")
		if c := d.page.column(); c == nil || c.Name != "b" || !strings.Contains(d.view(116, 20), "› 1  b") {
			t.Errorf("page:\n%s", d.view(116, 20))
		}
		d.keys("home", "m")
		if c := d.page.column(); c.Name != "a" {
			t.Errorf("the selection moved to %s", c.Name)
		}
	})
}

// After an answer the page selects the next question. After the last answer the selection stays.
func TestPageSelectsTheNextQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, "a;b;y\n1;1.234;1\n2;5.678;2\n3;2.345;3\n4;3.456;1\n5;4.567;2\n6;5.678;3\n")
		for _, want := range []string{"b", "y", "y"} {
			if c := d.page.column(); c == nil || c.Name != want {
				t.Fatalf("on %+v, want %s:\n%s", c, want, d.view(116, 20))
			}
			d.keys("2")
		}
		if n := len(d.page.table.Known.Questions()); n > 0 {
			t.Errorf("%d questions are open:\n%s", n, d.view(116, 20))
		}
	})
}

func TestPageEdits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, houses)
		for _, c := range []struct {
			column  string
			keys    []string
			targets []string
			items   []string
			d       int
		}{
			{"price", []string{"t"}, []string{"price"}, nil, 8},
			{"stars", []string{"c"}, []string{"price"}, []string{"categorical=stars"}, 10},
			{"stars", []string{"c", "c", "c", "c", "c", "T"}, []string{"price", "stars"}, nil, 7},
			{"price", []string{"T"}, []string{"stars"}, nil, 8},
			{"price", []string{"t", "k"}, []string{"price:class"}, nil, 8},
			{"price", []string{"k"}, []string{"price:number"}, nil, 8},
			{"price", []string{"k"}, []string{"price"}, nil, 8},
			{"area", []string{"l"}, []string{"price"}, []string{"log=area"}, 8},
			{"town", []string{" "}, []string{"price"}, []string{"ignore=town", "log=area"}, 5},
			{"area", []string{" "}, []string{"price"}, []string{"ignore=town", "ignore=area"}, 4},
			{"area", []string{" ", "m", "m"}, []string{"price"}, []string{"ignore=town", "missing=mean"}, 5},
			{"stars", []string{"n"}, []string{"price"},
				[]string{"ignore=town", "noise=stars", "missing=mean"}, 4},
			{"stars", []string{"n"}, []string{"price"},
				[]string{"ignore=town", "noise=sd:stars", "missing=mean"}, 4},
			{"stars", []string{"n"}, []string{"price"},
				[]string{"ignore=town", "noise=stars+learned", "missing=mean"}, 4},
			{"stars", []string{"n", "n"}, []string{"price"}, []string{"ignore=town", "missing=mean"}, 5},
			{"stars", []string{"w"}, []string{"price"},
				[]string{"ignore=town", "weight=stars", "missing=mean"}, 4},
			{"stars", []string{"n", " "}, []string{"price"},
				[]string{"ignore=town", "ignore=stars", "missing=mean"}, 4},
			{"stars", []string{" ", "n", "w", "n", "n", "n", "n", "w"}, []string{"price"},
				[]string{"ignore=town", "weight=stars", "missing=mean"}, 4},
			{"stars", []string{"w"}, []string{"price"}, []string{"ignore=town", "missing=mean"}, 5},
			{"town", []string{"r"}, nil, nil, 8},
		} {
			d.on(c.column)
			d.keys(c.keys...)
			got := d.page.Source()
			if !reflect.DeepEqual(got.Targets, c.targets) ||
				!reflect.DeepEqual(got.Columns.Items(), c.items) || d.page.table.Known.D != c.d {
				t.Errorf("%v on %s: targets %q, choices %q, D %d; want %q, %q, %d", c.keys, c.column,
					got.Targets, got.Columns.Items(), d.page.table.Known.D, c.targets, c.items, c.d)
			}
		}
		// Unavailable actions change nothing.
		d.on("price")
		d.keys("t")
		before := d.page.Source()
		for column, keys := range map[string][]string{
			"price": {"t", "T", " ", "l", "c", "n", "w"}, "town": {"l", "k", "n", "w"},
		} {
			d.on(column)
			for _, key := range keys {
				d.keys(key)
				if d.page.why == "" || !reflect.DeepEqual(d.page.Source(), before) ||
					!strings.Contains(d.view(116, 30), d.page.why) {
					t.Errorf("%q on %s: %q, settings %+v", key, column, d.page.why, d.page.Source())
				}
			}
		}
	})
}

// A missing target makes the description fail until the settings are reset.
func TestMissingTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, houses)
		d.do(d.page.Open(datasets.Source{Name: d.page.name, Targets: []string{"rent"}}))
		if view := d.view(116, 30); !strings.Contains(view, `no target column "rent"`) ||
			!strings.Contains(view, "r resets") {
			t.Errorf("page:\n%s", view)
		}
		if hint := d.page.Hint(kittest.PlainTheme(), 120); strings.Contains(hint, "target") ||
			!strings.Contains(hint, "r reset") {
			t.Errorf("keys %q", hint)
		}
		d.keys("r")
		if c := d.page.column(); c == nil || d.page.Source().Targets != nil {
			t.Errorf("page:\n%s", d.view(116, 30))
		}
	})
}

// Actions on the whole file work before the file is described.
func TestEditBeforeDescription(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, houses)
		due := d.page.Open(datasets.Source{Name: d.page.name, Targets: []string{"price"}})
		d.keys("m")
		d.do(due)
		if d.page.Source().Columns.Missing != table.MissingDrop || d.page.table.Known.Dropped != 1 {
			t.Errorf("settings %+v", d.page.Source())
		}
	})
}

// An ignored column is not read and has no description.
// The keys of answers fix a file whose header is unclear, whose bytes do not decode or whose cells do not
// fit.
func TestAnswersFixFiles(t *testing.T) {
	for text, want := range map[string]string{
		"a,1\n2,3.5\n4,5.5\n":                                                       "header=yes",
		"# °\na,y\nK\xf6ln,1.5\nBonn,2.5\nBonn,3\n":                                 "encoding=windows-1252",
		"a,y\n" + strings.Repeat("2021-01-02,1.5\n2021-01-03,2.5\n", 10) + "?!,2\n": "na=?! missing=drop",
		"a,y\n1,1.5\n,2.5\n3,4\n":                                                   "missing=drop",
	} {
		synctest.Test(t, func(t *testing.T) {
			d := openPageOn(t, text)
			for range strings.Fields(want) {
				d.keys("1")
			}
			if got := strings.Join(d.page.Source().Columns.Items(), " "); got != want {
				t.Errorf("%q: the first answers set %s, want %s", text, got, want)
			}
			if d.page.table.Known == nil || d.page.table.Known.Err != nil {
				t.Errorf("%q: the file cannot be used: %v", text, d.page.table.Err)
			}
		})
	}
}

func TestIgnoredColumn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, houses)
		d.on("area")
		d.keys(" ")
		for line := range strings.SplitSeq(d.view(116, 30), "\n") {
			if strings.Contains(line, " area ") &&
				strings.Join(strings.Fields(line), " ") != "› 4 area not read ignored" {
				t.Errorf("the column is %q", line)
			}
		}
	})
}

// Columns with the same name have names of their own.
func TestDuplicateNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, "a,a,y\n1,2,3.5\n4,5,7.5\n6,1,2.25\n")
		d.page.at = 1
		d.keys(" ")
		if got := d.page.Source().Columns.Items(); !reflect.DeepEqual(got, []string{"ignore=a.1"}) {
			t.Errorf("settings %q", got)
		}
		d.keys(" ")
		if got := d.page.Source().Columns.Items(); got != nil {
			t.Errorf("settings %q", got)
		}
	})
}

func TestPageCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, houses)
		d.on("price")
		d.keys("t", "enter")
		if d.page.IsOpen() || !reflect.DeepEqual(d.page.Source().Targets, []string{"price"}) {
			t.Errorf("after enter: %+v", d.page.Source())
		}
		d.do(d.page.Open(d.page.Source()))
		d.keys("m")
		if _, changed := d.page.Key(kittest.Press("esc")); !changed || d.page.IsOpen() ||
			d.page.Source().Columns.Missing != "" || len(d.page.Source().Targets) != 1 {
			t.Errorf("after esc: %+v", d.page.Source())
		}
	})
}

func TestPageFits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, houses)
		for w := 1; w <= 130; w += 3 {
			for h := 1; h <= 30; h += 2 {
				kittest.CheckFrame(t, "columns", d.view(w, h), w, h)
			}
		}
		few := d.page.Note(12)
		many := d.page.Note(40)
		if few != "8 of 8" || many != "" {
			t.Errorf("settings %q and %q", few, many)
		}
		for _, line := range d.page.Lines(kittest.ASCIITheme(), 116, 30) {
			if i := strings.IndexFunc(line, func(r rune) bool { return r < 32 || r > 126 }); i >= 0 {
				t.Errorf("in ASCII: %q", line)
			}
		}
		d.do(d.page.Open(datasets.Source{Name: "gone.csv"}))
		kittest.CheckFrame(t, "no file", d.view(60, 5), 60, 5)
		if !strings.Contains(d.view(60, 5), "no such file") {
			t.Errorf("a missing file:\n%s", d.view(60, 5))
		}
		d.keys("t", "down", "1") // The columns are unknown.
	})
}

// TestTroubleText checks all kinds of remedies. The text names keys instead of flags.
func TestTroubleText(t *testing.T) {
	drop := table.Choose("missing", "drop", "leaves such rows out")
	mean := table.Choose("missing", "mean", "fills in the mean")
	category := table.Choose("categorical", "b", "takes the column as a category")
	levels := table.Choose("levels", "79", "allows them")
	ignore := table.Choose("ignore", "b", "leaves it out")
	classes := table.Answer{Target: "b:class", Label: "takes them as classes"}
	for _, c := range []struct {
		remedies    []table.Answer
		keys, flags string
	}{
		{nil, "", ""},
		{[]table.Answer{drop, mean}, "; m: drop such rows or fill in the mean",
			"; --missing drop leaves such rows out, --missing mean fills in the mean"},
		{[]table.Answer{category, ignore},
			"; c: treat the column as categorical; space: ignore the column",
			"; --categorical b takes the column as a category, --ignore b leaves it out"},
		{[]table.Answer{levels}, "; set columns to levels=N to allow more levels",
			"; --levels 79 allows them"},
		{[]table.Answer{classes}, "; k: classes or numbers",
			"; --target b:class takes them as classes"},
	} {
		trouble := &table.Error{
			File:     "f.csv",
			Column:   2,
			Problem:  "-- is wrong; --",
			Remedies: c.remedies,
		}
		const place = "f.csv, column 2: -- is wrong; --"
		keys := troubleText(trouble)
		flags := trouble.Error()
		if keys != place+c.keys || flags != place+c.flags {
			t.Errorf("settings %q and %q, want %q and %q behind the place", keys, flags, c.keys, c.flags)
		}
	}
	for _, o := range table.Options() {
		_, ok := remedies[o.Name]
		neverRemedy := slices.Contains([]string{"log", "noise", "weight"}, o.Name)
		if !ok && !neverRemedy && len(o.Words) == 0 {
			t.Errorf("no key for --%s", o.Name)
		}
	}
}

// Notes name keys. The file has a first column that looks like an index, and a target with two values.
func TestNotesNameKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		view := openPageOn(t, ",a,y\n1,2.5,1\n2,4,2\n3,6,1\n4,7.5,2\n").view(170, 30)
		for _, want := range []string{"looks like an index; space: ignore the column",
			"two classes, 1 and 2; k: classes"} {
			if !strings.Contains(view, want) || strings.Contains(view, "--") {
				t.Errorf("no %q in\n%s", want, view)
			}
		}
	})
}

// In a file with wide columns, histograms shrink before the name of a column is truncated.
func TestNamesAreWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := openPageOn(t, "verkauft am,price\n"+
			"2021-04-03,1.5\n2021-05-03,2.5\n2021-06-05,3.5\n2021-07-05,4.5\n")
		for w, want := range map[int]string{116: "verkauft am", 90: "verkauft am", 140: "verkauft am"} {
			if view := d.view(w, 20); !strings.Contains(view, want) {
				t.Errorf("%d cells wide:\n%s", w, view)
			}
		}
	})
}

// widePage returns a page on a file of n columns, each with a note.
func widePage(n int) *columnsPage {
	t := &table.Description{Rows: 6, D: n - 1, P: 1}
	for i := range n {
		t.Columns = append(t.Columns,
			table.Column{Index: i, Name: fmt.Sprintf("c%d", i), Kind: table.Number,
				Distinct: 6, Min: -1.5, Mean: 0.25, Max: 3, Spark: []int{1, 0, 2, 0, 0, 0, 1, 1, 0, 1}})
		t.Warnings = append(t.Warnings, table.Note{Text: fmt.Sprintf("column c%d is constant", i)})
	}
	t.Columns[n-1].Role = table.Target
	p := new(columnsPage)
	p.Open(datasets.Source{Name: "wide.csv"})
	describe := func(context.Context, datasets.Source) (*table.Description, error) { return t, nil }
	cmd, _ := p.Update(context.Background(), kit.PreviewDueMsg[described]{Gen: p.table.Gen}, describe)
	p.Update(context.Background(), cmd(), describe)
	return p
}

// pressOnPage sends keys to a page and draws it after each.
func pressOnPage(p *columnsPage, th *kit.Theme) {
	for _, key := range []string{"down", "pgdown", "end", "up", "home", "t", " ", " ", "l", "l", "r"} {
		p.Key(kittest.Press(key))
		p.Lines(th, 116, 30)
		p.Hint(th, 116)
		p.Note(30)
	}
}

// The number of allocations per key must not grow with the number of columns.
func TestKeysOfWideFiles(t *testing.T) {
	th := kittest.PlainTheme()
	count := func(n int) float64 {
		p := widePage(n)
		return testing.AllocsPerRun(3, func() { pressOnPage(p, th) })
	}
	few := count(100)
	many := count(5000)
	if many > 1.2*few {
		t.Errorf("keys allocate %v times for 100 columns and %v times for 5,000", few, many)
	}
}

// BenchmarkKeysOfWideFiles presses eleven keys on a page of 100,000 columns and draws the page after each
// key.
func BenchmarkKeysOfWideFiles(b *testing.B) {
	p := widePage(100_000)
	th := kittest.PlainTheme()
	for b.Loop() {
		pressOnPage(p, th)
	}
}

// BenchmarkDescribed prepares the description of 100,000 columns.
func BenchmarkDescribed(b *testing.B) {
	p := widePage(100_000)
	for b.Loop() {
		newDescribed(&p.table.Known.Description)
	}
}

// The line about a column lists its note, its unit, its levels and the number of its inputs.
func TestColumnDescriptions(t *testing.T) {
	for want, c := range map[string]*table.Column{
		"area is ignored": {Name: "area", Role: table.Ignored},
		"town is an input; few levels; Ulm 1,200, Bonn 3; 2 inputs": {Name: "town", Note: "few levels",
			Levels: []table.Level{{Name: "Ulm", Count: 1200}, {Name: "Bonn", Count: 3}},
			Inputs: []string{"town=Ulm", "town=Bonn"}},
		"s is the known noise; variance": {Name: "s", Role: table.KnownNoise, Note: "variance"},
		"w is the weight of each row":    {Name: "w", Role: table.Weight},
		"price is a target; EUR": {Name: "price", Role: table.Target, Unit: "EUR",
			Inputs: []string{"price"}},
	} {
		if got := aboutColumn(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := troubleText(errors.New("no such file")); got != "no such file" {
		t.Errorf("an error outside of the table: %q", got)
	}
}

// A key that does not apply to a column says why.
func TestColumnObstacles(t *testing.T) {
	one := &described{Description: table.Description{P: 1}}
	two := &described{Description: table.Description{P: 2}}
	for _, c := range []struct {
		act  kit.Action
		t    *described
		c    table.Column
		want string
	}{
		{actLog, one, table.Column{Role: table.Target}, "for targets, use the setting log_targets"},
		{actLog, one, table.Column{Kind: table.Category}, "c has no logarithm"},
		{actLog, one, table.Column{Kind: table.Boolean}, "c has no logarithm"},
		{actLog, one, table.Column{Kind: table.Text}, "c has no logarithm"},
		{actLog, one, table.Column{Role: table.Ignored}, "c is ignored"}, {actLog, one, table.Column{}, ""},
		{actClasses, one, table.Column{}, "classes need a single target"},
		{actClasses, two, table.Column{Role: table.Target}, "classes need a single target"},
		{actClasses, one, table.Column{Role: table.Target, Kind: table.Text},
			"c is text and already has classes"},
		{actClasses, one, table.Column{Role: table.Target}, ""},
		{actKind, two, table.Column{Role: table.Target}, "for targets, use k (classes)"},
		{actKind, one, table.Column{}, ""},
		{actTarget, one, table.Column{Role: table.Target}, "c is already the target"},
		{actTarget, two, table.Column{Role: table.Target}, ""}, {actTarget, one, table.Column{}, ""},
		{actAddTarget, one, table.Column{Role: table.Target},
			"at least one target is required; select another column and press t"},
		{actAddTarget, two, table.Column{Role: table.Target}, ""},
		{actIgnore, one, table.Column{Role: table.Target},
			"at least one target is required; select another column and press t"},
		{actIgnore, two, table.Column{Role: table.Target}, ""}, {actIgnore, one, table.Column{}, ""},
		{actNoise, one, table.Column{}, ""}, {actWeight, one, table.Column{}, ""},
		{actNoise, one, table.Column{Role: table.Target}, "c is a target"},
		{actWeight, one, table.Column{Kind: table.Category}, "c is not a column of numbers"},
		{actNoise, one, table.Column{Role: table.Weight}, "c is the weight"},
		{actLog, one, table.Column{Role: table.KnownNoise}, "c is the known noise"},
	} {
		c.c.Name = "c"
		if got := columnObstacle(c.act, c.t, &c.c); got != c.want {
			t.Errorf("%s of %+v with %d targets: %q, want %q", c.act, c.c, c.t.P, got, c.want)
		}
	}
}

// The treatment of missing cells returns to the first after the last.
func TestMissingRules(t *testing.T) {
	var s columnEdits
	for _, want := range []string{table.MissingDrop, table.MissingMean, "", table.MissingDrop} {
		s = s.missing()
		if s.choices.Missing != want {
			t.Errorf("%q, want %q", s.choices.Missing, want)
		}
	}
}

// A description of the columns redraws the screen, and an unknown message does not.
func TestColumnsRedraw(t *testing.T) {
	a := newHarness(kittest.NewEngine(), rundir.Config{Dataset: "/data/one.csv"}, 120, 40)
	for msg, want := range map[tea.Msg]bool{kit.PreviewDueMsg[described]{}: true, "unknown": false} {
		if _, changed := a.setup.Update(msg); changed != want {
			t.Errorf("%T changes the screen: %v", msg, changed)
		}
	}
}
