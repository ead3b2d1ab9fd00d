package dash

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/tui/printable"
	"dgplab/viz/figure"
)

// functionsPanel is the chosen run's posterior along one input.
type functionsPanel struct{ inModel }

// functions finds functions of a posterior.
var functions choice[view.Functions] = func(v view.Views) *view.Functions {
	if v.Functions != nil && len(v.Functions.Items) > 0 {
		return v.Functions
	}
	return nil
}

func (functionsPanel) Names(*Dash) (long, short string) { return "Functions", "Func" }

func (functionsPanel) Applies(d *Dash) bool { return functions.somewhere(d) }

func (functionsPanel) Title(d *Dash) (title string, notes []string) {
	notes = []string{d.ofWhich()}
	if f := functions.chosen(d); f != nil {
		if n := len(f.Items); n > 1 {
			name := "all functions"
			if k := d.function(f); k >= 0 {
				name = fmt.Sprintf("%s, %d of %d", printable.Text(f.Items[k].Name), k+1, n)
			}
			notes = append(notes, name)
		}
		if n := len(f.Lines()); n > 1 {
			notes = append(notes, fmt.Sprintf("along input %d of %d", d.line(f)+1, n))
		}
		notes = append(notes, diagnosedAt(d.snap()), "without noise")
		if d.snap().D > 1 {
			notes = append(notes, "other inputs at their means")
		}
	}
	return "Functions of the posterior", notes
}

func (functionsPanel) Draw(d *Dash, w, h int) []string {
	if f := functions.chosen(d); f != nil {
		return picture.Functions(f.Lines()[d.line(f)], d.function(f)).Render(d.theme.VizStyle(),
			w, h)
	}
	return d.without("this model shows no functions", w, h)
}

func (functionsPanel) Files(d *Dash) []exported {
	f := functions.chosen(d)
	if f == nil {
		return nil
	}
	o := figure.Options{Title: "Functions of the posterior, step " + kit.Grouped(d.snap().Diagnostics.Step)}
	var files []exported
	for k, l := range f.Lines() {
		name := "functions"
		if k > 0 {
			name = fmt.Sprintf("functions-input-%d", l.Input+1)
		}
		b := picture.Functions(l, -1)
		files = append(files, withCSV(name, b, o)...)
	}
	return files
}

// Arrow goes to another input, or to another function; where there is but one of each, to
// another run.
func (p functionsPanel) Arrow(d *Dash, across, down int) string {
	f := functions.chosen(d)
	if f == nil || len(f.Items) == 1 && len(f.Lines()) == 1 {
		return p.plain.Arrow(d, across, down)
	}
	n := len(f.Lines())
	d.look.line = (d.line(f) + across + n) % n
	d.look.function = (d.look.function + down + len(f.Items) + 1) % (len(f.Items) + 1)
	if d.shows(p) {
		return ""
	}
	return "functions along " + picture.Functions(f.Lines()[d.look.line], -1).XName
}

func (functionsPanel) Wheel() (across, down int) { return 0, 1 }

// line returns which of the inputs functions are drawn along, one that there is.
func (d *Dash) line(f *view.Functions) int { return d.look.line % len(f.Lines()) }

// manyFunctions is the number of functions from which on the first is shown by itself
// until someone asks for all.
const manyFunctions = 4

// function returns the place of the chosen function, -1 for all.
func (d *Dash) function(f *view.Functions) int {
	n := len(f.Items)
	k := d.look.function
	if n < manyFunctions {
		k--
	}
	k = (k + n + 1) % (n + 1)
	if k == n {
		return -1
	}
	return k
}
