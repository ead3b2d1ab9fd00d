package form

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

func TestFields(t *testing.T) {
	f := NewField(models.Hyperparameter{
		Name:    "kernel",
		Kind:    family.Choice,
		Default: "a",
		Choices: []string{"a", "b", "c"},
	}, "a")
	var got []string
	for _, step := range []int{1, 1, 1, -1} {
		f.Turn(step)
		got = append(got, f.Value())
	}
	if want := []string{"b", "c", "a", "c"}; !slices.Equal(got, want) {
		t.Errorf("stepped through %v, want %v", got, want)
	}
	n := NewField(models.Hyperparameter{Name: "layers", Kind: family.Int, Default: "2", Min: 1, Max: 10}, "2")
	n.Input.SetValue(" 99 ")
	if n.Err() == nil || !n.Changed() || n.Turn(1) || n.accepts('x') || !n.accepts('7') {
		t.Errorf("99 layers: error %v, changed %v", n.Err(), n.Changed())
	}
}

// A field accepts the characters of its kind. In numbers, letters remain keys of the screen. A list of values
// also accepts separators.
func TestAcceptedCharacters(t *testing.T) {
	const all = "7a-,.+eE; x"
	for _, c := range []struct {
		kind      family.Kind
		one, many string
	}{
		{family.Int, "7-", "7-,.; "}, {family.IntList, "7,", "7,.; "}, {family.Float, "7-.+eE", "7-,.+eE; "},
		{family.FloatList, "7-,.+eE", "7-,.+eE; "}, {family.Text, all, all}, {family.Choice, "", all},
		{family.Bool, "", all},
	} {
		f := NewField(models.Hyperparameter{Name: "x", Kind: c.kind}, "")
		for _, many := range []bool{false, true} {
			f.Many = many
			want := map[bool]string{false: c.one, true: c.many}[many]
			got := strings.Map(func(r rune) rune {
				if f.accepts(r) {
					return r
				}
				return -1
			}, all)
			if got != want {
				t.Errorf("kind %v, many values: %v: accepts %q, want %q", c.kind, many, got, want)
			}
		}
	}
}

// An empty value has a meaning or is an error. The error in a list names the value.
func TestFieldValues(t *testing.T) {
	for _, c := range []struct {
		field models.Hyperparameter
		many  bool
		text  string
		count int
		err   string
		empty string
	}{
		{models.Hyperparameter{Name: "n", Kind: family.Int, Min: 1, Max: 9}, false, "3", 1, "", ""},
		{models.Hyperparameter{Name: "n", Kind: family.Int, Min: 1, Max: 9}, false, "12", 0,
			"want a whole number from 1 to 9", ""},
		{models.Hyperparameter{Name: "n", Kind: family.Int, Min: 1, Max: 9}, true, "1..3", 3, "", ""},
		{models.Hyperparameter{Name: "n", Kind: family.Int, Min: 1, Max: 9}, true, "1,12", 0,
			"12: want a whole number from 1 to 9", ""},
		{models.Hyperparameter{Name: "n", Kind: family.Int, Min: 1, Max: 9}, true, " ", 0,
			"want at least one value", ""},
		{models.Hyperparameter{Name: "n", Kind: family.Int, Min: 1, Max: 9}, true, "1..x", 0, "1..x", ""},
		{models.Hyperparameter{Name: "n", Kind: family.Text}, true, "", 0, "", "default"},
		{models.Hyperparameter{Name: rundir.BudgetSetting}, false, "", 0, "", "none"},
		{models.Hyperparameter{Name: rundir.TargetsField}, false, "", 0, "", "last column"},
		{models.Hyperparameter{Name: rundir.ColumnsField}, false, "", 0, "", "as detected"},
	} {
		f := NewField(c.field, c.text)
		f.Many = c.many
		err := f.Err()
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			f.Count() != c.count || f.Empty != c.empty {
			t.Errorf("%s=%q: %d values, %v, empty means %q; want %d, %q, %q", c.field.Name, c.text,
				f.Count(), err, f.Empty, c.count, c.err, c.empty)
		}
	}
	if f := NewField(models.Hyperparameter{Kind: family.Bool, Default: "on"}, "on"); !f.Turn(1) ||
		f.Value() != "off" || !f.Turn(1) || f.Value() != "on" {
		t.Errorf("a switch is %q", f.Value())
	}
}

// The next choice is added to a list until none is missing.
func TestAddedChoices(t *testing.T) {
	f := NewField(models.Hyperparameter{Name: "kernel", Kind: family.Choice,
		Choices: []string{"a", "b", "c"}}, "b")
	if f.addNext() || f.addObstacle() != "type the values of kernel" {
		t.Errorf("of a single value: %q, %q", f.Value(), f.addObstacle())
	}
	f.Many = true
	for _, want := range []string{"b,a", "b,a,c"} {
		if f.addObstacle() != "" || !f.addNext() || f.Value() != want {
			t.Errorf("%q, want %q", f.Value(), want)
		}
	}
	if f.addNext() || f.addObstacle() != "all values of kernel are listed" {
		t.Errorf("after all: %q, %q", f.Value(), f.addObstacle())
	}
}

// remarked returns a form with all kinds of remarks on rows.
func remarked() *Form {
	field := func(name string, kind family.Kind, base string) *Field {
		return NewField(models.Hyperparameter{Name: name, Section: family.ModelSection, First: true,
			Kind: kind, Default: "5", Max: 100, Help: "about " + name, Paper: "8", Source: "a book"}, base)
	}
	list := []*Field{field(rundir.PresetField, family.Text, "paper"), field("a", family.Int, "5"),
		field("b", family.Int, "5"), field("c", family.Int, "5"), field("d", family.Int, ""),
		field("e", family.Choice, "x"), field("f", family.Text, "")}
	list[3].Many = true
	list[5].Choices = []string{"x", "y"}
	f := New(nil)
	f.List(list, "paper", models.Values{"a": "5", "b": "5"})
	f.Adapted = []rundir.Adaptation{{Name: "b", To: "3", Why: "few rows"}}
	for name, text := range map[string]string{"a": "7", "c": "1,2,3", "d": "101"} {
		f.Field(name).Input.SetValue(text)
	}
	f.GoTo("b")
	f.SyncTyping(false)
	return &f
}

// Rows have remarks on their values, and the selected row has a description.
func TestRemarks(t *testing.T) {
	f := remarked()
	rows := "" +
		"model\n" +
		"   preset              paper           1 changed\n" +
		"  •a                   7                 paper 5\n" +
		"›  b                   [5]                3 here\n" +
		"  •c                   1,2,3            3 values\n" +
		"  •d                   101  ✗ want a whole numb…\n" +
		"   e                   x\n" +
		"   f                   default\n"
	trim := func(lines []string) (text string) {
		for _, line := range lines {
			text += strings.TrimRight(line, " ") + "\n"
		}
		return text
	}
	th := kittest.PlainTheme()
	for wrong, below := range map[string]string{
		"": "\nabout b; 3 here: few rows\ndefault 5 (a book) · paper: 8 · a whole number\n" +
			"from 0 to 100\n",
		"the file is missing": "\n✗ the file is missing\n",
	} {
		if got := trim(f.Body(th, 48, 12, true, wrong)); !strings.HasPrefix(got, rows+below) {
			t.Errorf("error %q:\n%swant\n%s%s", wrong, got, rows, below)
		}
	}
	low := f.Body(th, 48, 3, true, "the file is missing and so is the folder that held it")
	if len(low) != 3 || low[2] != "✗ the file is missing and so is the folder that…" {
		t.Errorf("an error in three lines:\n%s", trim(low))
	}
	if got := f.PlainText(); got != "preset paper\na 7\nb 5\nc 1,2,3\nd 101\ne x\nf" {
		t.Errorf("as text:\n%s", got)
	}
	f.GoTo(rundir.PresetField)
	f.SyncTyping(false)
	if got := trim(f.Body(th, 48, 12, true, "")); !strings.Contains(got, "\n›  preset") ||
		!strings.Contains(got, "about preset; ctrl+r resets all values to it\n") {
		t.Errorf("on the preset:\n%s", got)
	}
	f.GoTo("e")
	f.SyncTyping(false)
	if got := trim(f.Body(th, 48, 12, true, "")); !strings.Contains(got, "e                   ← x →\n") {
		t.Errorf("on a choice:\n%s", got)
	}
}

// The arrows step through the names in an expression until another character continues the text.
func TestExpressions(t *testing.T) {
	f := NewField(family.KernelHyperparameter("kernel", "covariance function", family.PerLayer), "rbf")
	f.Turn(1)
	if f.Value() != "matern12" || f.typed() || f.accepts('x') || f.accepts(' ') || !f.accepts('*') ||
		!f.accepts('|') {
		t.Errorf("%q: typed %t, accepts x %t, space %t", f.Value(), f.typed(), f.accepts('x'), f.accepts(' '))
	}
	if lines := bounds(f); !slices.Contains(lines, "matern12 = v exp(-r)") {
		t.Errorf("%q explains %v", f.Value(), lines)
	}
	f.Input.SetValue("matern12*lin")
	if !f.typed() || !f.accepts('x') || !f.accepts(' ') || f.Err() == nil {
		t.Errorf("%q: typed %t, error %v", f.Value(), f.typed(), f.Err())
	}
	f.Input.SetValue("matern12*linear(0)")
	if f.Err() != nil {
		t.Error(f.Err())
	}
}

// many returns forty settings in four sections. Each section always shows two of them, and one setting is
// conditional.
func many() []*Field {
	var fields []*Field
	for i := range 40 {
		section := []family.Section{family.ModelSection, family.KernelSection, family.InferenceSection,
			family.TrainingSection}[i/10]
		fields = append(fields, NewField(models.Hyperparameter{
			Name: fmt.Sprintf("%s_%d", section, i%10), Section: section, First: i%10 < 2,
			Kind: family.Int, Default: "5", Max: 100,
			Help: "a number"}, "5"))
	}
	fields[9].Kind = family.Choice
	fields[9].Choices = []string{"5", "off"}
	fields[9].Default = "5"
	fields[19].When = &family.Condition{Name: "model_9", Is: []string{"off"}}
	return fields
}

// closedHeight is a height at which the form of forty settings has no room for an open section.
const closedHeight = 20

// made returns a form of forty settings, drawn once.
func made() *Form {
	f := New(map[string]string{})
	f.List(many(), "default", nil)
	f.SyncTyping(false)
	f.Body(kittest.PlainTheme(), 60, closedHeight, true, "")
	return &f
}

// press presses a key by name.
func (f *Form) press(name string) bool {
	msg := kittest.Press(name)
	f.SyncTyping(false)
	defer f.SyncTyping(false)
	return f.Type(msg) || f.Act(kit.Lookup(Bindings, msg), msg)
}

// text draws the form.
func (f *Form) text(w, h int) string {
	return strings.Join(f.Body(kittest.PlainTheme(), w, h, true, ""), "\n")
}

func TestSectionFolding(t *testing.T) {
	f := made()
	if _, n := f.Len(); n != 4*3 { // Two settings and a fold in each section.
		t.Errorf("%d rows:\n%s", n, f.text(60, closedHeight))
	}
	if text := f.text(60, closedHeight); !strings.Contains(text, "+ 8 more: model_2, model_3,") ||
		!strings.Contains(text, "\nkernel") || !strings.Contains(text, "+ 7 more: kernel_2") {
		t.Errorf("screen:\n%s", text)
	}
	f.press("down")
	f.press("down")
	if word, reason := f.Available(NextChoice); word != "open" || reason != "" {
		t.Errorf("%q, %q", word, reason)
	}
	f.press(" ")
	if _, n := f.Len(); n != 4*3+8 || f.Row() != "model_2" {
		t.Errorf("%d rows, at %s", n, f.Row())
	}
	// Changed and invalid fields stay visible when the section is closed.
	f.press("7")
	f.press("down")
	f.press("3")
	f.press("9")
	f.press("9")
	f.GoTo("+model")
	f.press("left")
	if text := f.text(60, closedHeight); !strings.Contains(text, "model_2") ||
		!strings.Contains(text, "want a whole number") || !strings.Contains(text, "+ 6 more: model_4") {
		t.Errorf("screen:\n%s", text)
	}
	if field, err := f.FirstBad(); err == nil || field.Name != "model_3" {
		t.Errorf("%v", err)
	}
}

// Sections are open if they fit. Once the user has closed or opened a section, it stays closed or open at any
// height.
func TestSectionsUnfold(t *testing.T) {
	f := made()
	for _, c := range []struct{ h, rows int }{
		{closedHeight, 4 * 3},
		{26, 4 * 3},
		{27, 4*3 + 7}, // The kernel section has a hidden field and fits first.
		{28, 4*3 + 8},
		{35, 4*3 + 8 + 7},
		{51, 4*3 + 8 + 7 + 8 + 8},
		{closedHeight, 4 * 3},
	} {
		text := f.text(60, c.h)
		if _, n := f.Len(); n != c.rows {
			t.Errorf("height %d: %d rows, want %d:\n%s", c.h, n, c.rows, text)
		}
	}
	f.text(60, 35)
	f.GoTo("+kernel")
	if word, _ := f.Available(NextChoice); word != "close" {
		t.Errorf("the word of the key in an open section is %q", word)
	}
	f.press("left")
	for _, h := range []int{35, 51, closedHeight} {
		text := f.text(60, h)
		if _, n := f.Len(); n != 4*3+8 {
			t.Errorf("height %d after closing a section: %d rows:\n%s", h, n, text)
		}
	}
}

func TestConditionalFields(t *testing.T) {
	f := made()
	f.GoTo("model_9")
	if slices.Contains(f.Fields(), f.Field("kernel_9")) {
		t.Error("kernel_9 is shown")
	}
	f.press("right")
	if !slices.Contains(f.Fields(), f.Field("kernel_9")) {
		t.Error("kernel_9 is not shown")
	}
	f.GoTo("kernel_9")
	f.press("8")
	if got := f.Config().Set; !maps.Equal(got, map[string]string{"model_9": "off", "kernel_9": "8"}) {
		t.Errorf("%v", got)
	}
	f.GoTo("model_9")
	f.press("left")
	if got := f.Config().Set; len(got) != 0 {
		t.Errorf("a hidden field is set: %v", got)
	}
}

// When a preset is selected, a typed value is kept, is marked and can be reset.
func TestPresetsAreBases(t *testing.T) {
	f := New(map[string]string{})
	list := func(base string, word string) {
		fields := many()
		preset := models.Values{}
		for _, field := range fields[:3] {
			field.Base = base
			preset[field.Name] = base
		}
		f.List(fields, word, preset)
	}
	list("5", "default")
	f.GoTo("model_0")
	f.press("9")
	list("7", "paper")
	if got := f.Config().Set; !maps.Equal(got, map[string]string{
		"model_0": "9", "model_1": "7", "model_2": "7",
	}) || f.changes() != 1 {
		t.Errorf("%v, %d changed", got, f.changes())
	}
	if text := f.text(60, 30); !strings.Contains(text, "paper 7") || !strings.Contains(text, "•model_0") {
		t.Errorf("screen:\n%s", text)
	}
	// A default that replaces the value of a preset is kept in the configuration.
	f.GoTo("model_1")
	f.press("5")
	if f.Config().Set["model_1"] != "5" || f.changes() != 2 {
		t.Errorf("%v, %d changed", f.Config().Set, f.changes())
	}
	if !f.press("ctrl+u") || f.Value("model_1") != "7" || !f.press("ctrl+r") ||
		f.Value("model_0") != "7" || f.changes() != 0 {
		t.Errorf("%v, %d changed", f.Config().Set, f.changes())
	}
	list("5", "default")
	if got := f.Config().Set; len(got) != 0 {
		t.Errorf("back at the defaults: %v", got)
	}
}

// TestEveryFormFits draws forty settings at every size: unfolded if they fit, closed and open.
func TestEveryFormFits(t *testing.T) {
	f := made()
	for _, open := range []map[family.Section]bool{nil, {}, {family.InferenceSection: true}} {
		f.open = open
		for w := 1; w <= 90; w += 8 {
			for h := 1; h <= 45; h++ {
				f.GoTo("inference_1")
				f.Body(kittest.PlainTheme(), w, h, true, "")
				lines := f.Body(kittest.PlainTheme(), w, h, true, "")
				if len(lines) > h {
					t.Fatalf("%d x %d has %d lines", w, h, len(lines))
				}
				for _, line := range lines {
					if kit.Cells(line) > w {
						t.Fatalf("%d x %d: %q", w, h, line)
					}
				}
				if w > 20 && !strings.Contains(strings.Join(lines, ""), "›") {
					t.Fatalf("%d x %d: the selected row is not visible:\n%s", w, h, strings.Join(lines, "\n"))
				}
			}
		}
	}
}

// TestWheelAndClicks scrolls and clicks on headings.
func TestWheelAndClicks(t *testing.T) {
	f := made()
	f.Body(kittest.PlainTheme(), 60, 13, true, "")
	for range 20 {
		f.Scroll(2)
		f.Body(kittest.PlainTheme(), 60, 13, true, "")
	}
	if f.Row() == "model_0" {
		t.Error("the selection does not move with the window")
	}
	for range 20 {
		f.Scroll(-2)
		f.Body(kittest.PlainTheme(), 60, 13, true, "")
	}
	f.Click(0) // the heading
	f.Click(2)
	if f.Row() != "model_1" {
		t.Errorf("at %s", f.Row())
	}
	f.Click(3)
	if !f.open[family.ModelSection] || f.Row() != "model_2" {
		t.Errorf("a click opens no section; at %s", f.Row())
	}
}

// After a turn of the wheel, the selection is the visible selectable row nearest to the previous selection.
// The test starts from each row, in windows of many heights.
func TestWheelKeepsSelectionVisible(t *testing.T) {
	f := made()
	th := kittest.PlainTheme()
	for h := 1; h < 22; h++ { // Headings are shown from 12 on.
		for _, start := range f.places() {
			for _, by := range []int{-20, -3, -2, -1, 1, 2, 3, 20} {
				f.at = start.key()
				f.Body(th, 60, h, true, "")
				before := f.index(f.drawn)
				f.Scroll(by)
				at := slices.IndexFunc(f.drawn, func(r row) bool { return r.key() == f.at })
				top := f.list.Top()
				bottom := f.list.Top() + f.list.Height() - 1
				where := fmt.Sprintf("height %d, from %s by %d: on %q", h, start.key(), by, f.at)
				if f.at == "" || at < top || at > bottom {
					t.Fatalf("%s, row %d of %d to %d", where, at, top, bottom)
				}
				for i := min(at, before) + 1; i < max(at, before); i++ {
					if i >= top && i <= bottom && f.drawn[i].key() != "" {
						t.Errorf("%s, and %q is nearer", where, f.drawn[i].key())
					}
				}
			}
		}
	}
}

// If only one field would be folded, it is shown at its usual position. It stays there when it is selected or
// changed, so that down moves past it.
func TestSingleFoldedField(t *testing.T) {
	f := New(map[string]string{})
	var fields []*Field
	for _, name := range []string{"a", "late", "b", "c"} {
		fields = append(fields, NewField(models.Hyperparameter{
			Name:    name,
			Section: family.DataSection,
			First:   name != "late",
			Kind:    family.Text,
			Default: "x",
		}, "x"))
	}
	fields = append(fields, NewField(models.Hyperparameter{
		Name:    "d",
		Section: family.ModelSection,
		First:   true,
		Kind:    family.Text,
		Default: "x",
	}, "x"))
	f.List(fields, "default", nil)
	var visited []string
	for range 5 {
		f.SyncTyping(false)
		visited = append(visited, f.Row())
		f.press("down")
	}
	want := []string{"a", "late", "b", "c", "d"}
	if !slices.Equal(visited, want) {
		t.Errorf("down selects %v, want %v", visited, want)
	}
	f.Put("late", "y")
	var rows []string
	for _, r := range f.places() {
		rows = append(rows, r.key())
	}
	if !slices.Equal(rows, want) {
		t.Errorf("after the change the rows are %v, want %v", rows, want)
	}
}

// A search by name selects the first field that begins with the text, or contains it, even in a closed
// section. It ends at enter and moves, and esc returns to the row before.
func TestFind(t *testing.T) {
	list := []models.Hyperparameter{
		{Name: "layers", First: true, Kind: family.Int, Default: "2", Min: 1, Max: 9},
		{Name: "kernel", First: true, Kind: family.Choice, Choices: []string{"rbf", "linear"},
			Default: "rbf"},
		{Name: "jitter", Kind: family.Float, Default: "0", Max: 1},
		{Name: "early_jitter", Kind: family.Float, Default: "0", Max: 1},
	}
	newForm := func() Form {
		f := New(map[string]string{})
		var fields []*Field
		for _, h := range list {
			fields = append(fields, NewField(h, h.Default))
		}
		f.List(fields, defaultWord, nil)
		f.GoTo("layers")
		f.SyncTyping(false)
		return f
	}
	find := func(text string) Form {
		f := newForm()
		key := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(findKey)}
		if f.Type(key) {
			t.Fatalf("%s is typed into the value", findKey)
		}
		f.Act(Find, key)
		for _, r := range text {
			if !f.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}) {
				t.Errorf("%q is not typed into the search", r)
			}
		}
		return f
	}
	for text, want := range map[string]string{
		"k": "kernel", "jit": "jitter", "y_j": "early_jitter", "xyz": "layers",
	} {
		f := find(text)
		if f.Row() != want {
			t.Errorf("%q selects %s, want %s", text, f.Row(), want)
		}
		if f.Undo(); f.Finding() || f.Row() != "layers" {
			t.Errorf("esc after %q: row %s", text, f.Row())
		}
	}
	f := find("jitx")
	f.Act(kit.ActErase, tea.KeyMsg{Type: tea.KeyBackspace})
	if !f.Finding() || f.Row() != "jitter" {
		t.Errorf("after an erased letter: row %s", f.Row())
	}
	f.Found(true)
	if f.Finding() || f.Row() != "jitter" || f.Value("layers") != "2" {
		t.Errorf("found %s, and layers is %s", f.Row(), f.Value("layers"))
	}
	f = find("k")
	if f.Act(kit.ActDown, tea.KeyMsg{Type: tea.KeyDown}); f.Finding() || f.Row() == "kernel" {
		t.Errorf("down ends the search and moves; the row is %s", f.Row())
	}
}
