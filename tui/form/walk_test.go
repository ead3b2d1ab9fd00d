package form

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// pick returns a random element of a list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// randomFields returns fields of all kinds. Some of them apply only for some values of an earlier field.
func randomFields(r *rand.Rand, many bool) (fields []*Field) {
	names := []string{rundir.DatasetField, rundir.PresetField, rundir.BudgetSetting, rundir.TargetsField,
		rundir.ColumnsField, "layers", "batch", "kernel", "widths", "warm_up", "natural", "rate", "scales",
		"likelihood", "inducing", "seed_of_a_very_long_name", "note", "ard", "jitter", "samples"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	sections := []family.Section{family.DataSection, family.ModelSection, family.KernelSection, "x", ""}
	for i, name := range names[:min(2+r.IntN(30), len(names))] {
		h := models.Hyperparameter{Name: name, Kind: family.Kind(r.IntN(8)),
			Section: pick(r, sections...), First: r.IntN(3) == 0,
			Min: float64(r.IntN(3)), Max: 99, MinOpen: r.IntN(4) == 0,
			Help: "the " + name + " of the model, in a sentence that is long enough for a second line"}
		h.Source = pick(r, "", "", "a book")
		h.Paper = pick(r, "", "", "8")
		if h.Kind == family.Text || name == rundir.DatasetField || name == rundir.PresetField {
			h.Kind = family.Text
			h.Check = func(text string) error {
				if strings.Contains(text, "9") {
					return fmt.Errorf("want no %q", "9")
				}
				return nil
			}
		}
		if h.Kind == family.Choice || h.Kind == family.Expression || h.Kind == family.Text && r.IntN(2) == 0 {
			h.Choices = []string{"rbf", "matern32", "linear", "7"}[:1+r.IntN(4)]
		}
		h.Default = map[family.Kind]string{family.Int: "5", family.Float: "0.5", family.Bool: "on",
			family.Choice: "rbf", family.IntList: "3,4", family.FloatList: "1,0.1", family.Text: "boston",
			family.Expression: "rbf"}[h.Kind]
		if r.IntN(6) == 0 && h.Kind == family.Text {
			h.Default = ""
		}
		if i > 0 && r.IntN(3) == 0 {
			other := fields[r.IntN(i)]
			h.When = &family.Condition{Name: other.Name, Is: []string{other.Default, "off", "7"}}
		}
		f := NewField(h, pick(r, h.Default, h.Default, "7", "1e1"))
		f.Many = many && r.IntN(2) == 0
		if f.File || name == "note" {
			f.Names = []string{"energy", "steps", "steps-wide"}
		}
		fields = append(fields, f)
	}
	return fields
}

// formKeys holds the keys of a walk. Most letters are typed into fields.
var formKeys = strings.Fields("down down down down up up left right left right pgup pgdown home end " +
	"backspace delete ctrl+u ctrl+r ctrl+w ctrl+a 7 9 1 , . - ; e s e s ./h /no on rbf ( * x ? 12,3..5 +")

// walk performs steps on a form and draws the form after each step.
func walk(t *testing.T, r *rand.Rand, steps int) {
	th := pick(r, kittest.PlainTheme(), kittest.ASCIITheme(),
		kit.NewTheme(termenv.TrueColor, true, kit.Unicode))
	many := r.IntN(2) == 0
	f := New(map[string]string{"layers": "3", "kernel": "linear", "rate": "-1", "batch": "5"})
	list := func() {
		fields := randomFields(r, many)
		preset := models.Values{}
		for _, field := range fields {
			if r.IntN(3) > 0 {
				preset[field.Name] = field.Base
			}
			if r.IntN(5) == 0 {
				f.Adapted = append(f.Adapted, rundir.Adaptation{Name: field.Name, To: "3", Why: "few rows"})
			}
		}
		f.List(fields, pick(r, defaultWord, "paper"), preset)
	}
	list()
	width, height := 60, 16
	for range steps {
		key := pick(r, append(formKeys, " ", " ", " ")...)
		switch n := r.IntN(40); n {
		case 0:
			list()
		case 1, 2:
			f.Click(r.IntN(height+3) - 1)
		case 3, 4:
			f.Scroll(pick(r, -3, -1, 1, 3))
		case 5:
			f.Undo()
			f.PickFrom()
			f.Picked("/data/" + key)
		case 6:
			width, height = pick(r, 60, 80, r.IntN(90)), pick(r, 16, 24, 32, r.IntN(60))
		case 7:
			f.Put("note", key)
			f.Act(AddValue, kittest.Press("ctrl+n"))
		case 8, 9, 10, 11, 12:
			if f.Completes() {
				c := f.Complete(nil)().(kit.CompletedMsg).Completion
				if r.IntN(3) == 0 {
					c.To, c.Names = c.Typed+pick(r, "", "a", ",b"), []string{"x", "y"}[:r.IntN(3)]
				}
				f.Completed(c)
			}
		default:
			msg := kittest.Press(key)
			msg.Paste = len(msg.Runes) > 1
			act := kit.Lookup(Bindings, msg)
			_, reason := f.Available(act)
			if !f.Type(msg) && reason == "" {
				f.Act(act, msg)
			}
		}
		f.SyncTyping(r.IntN(12) == 0)
		wrong := pick(r, "", "", "", "the file is missing and so is the folder that held it")
		for _, line := range f.Body(th, width, height, r.IntN(6) > 0, wrong) {
			if n := kit.Cells(line); n > width {
				t.Fatalf("%d cells, want at most %d: %q", n, width, line)
			}
		}
		bad, _ := f.FirstBad()
		if bad != nil && r.IntN(4) == 0 {
			f.GoTo(bad.Name)
			f.PlainText()
		}
	}
}

// Random keys, clicks and texts on random forms never panic, and no line is wider than the form.
func TestRandomWalks(t *testing.T) {
	kittest.Home(t, map[string]string{"energy-new.csv": "1", "houses.csv": "1", "s/e.csv": "1"})
	for seed := range uint64(12) {
		walk(t, rand.New(rand.NewPCG(seed, 0)), 90)
	}
}
