package dash

import (
	"fmt"
	"slices"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/tui/printable"
	"dgplab/viz/figure"
	"dgplab/viz/plane"
)

// planePanel is what the runs predict over the plane of their two inputs, on one range of
// colours.
type planePanel struct{ plain }

func (planePanel) Shows(d *Dash, r *shown) any {
	v, _ := r.views()
	return struct {
		plane  *view.Plane
		fit    *view.Fit // has the inducing inputs
		state  state
		chosen bool
	}{v.Plane, v.Fit, stateOf(r.snap), r == d.current()}
}

// actField asks for the next field of the plane.
const actField kit.Action = "plane_field"

// planes finds predictions over a plane.
var planes choice[view.Plane] = func(v view.Views) *view.Plane {
	if v.Plane != nil && len(v.Plane.Fields) > 0 {
		return v.Plane
	}
	return nil
}

func (planePanel) Names(*Dash) (long, short string) { return "Plane", "Plane" }

func (planePanel) Applies(d *Dash) bool { return planes.somewhere(d) }

func (planePanel) Title(d *Dash) (title string, notes []string) {
	many := len(d.planeMaps()) > 1 // Each says whose it is.
	if !many {
		notes = []string{d.ofWhich()}
	}
	if p := planes.chosen(d); p != nil {
		field := p.Fields[d.field(p)]
		title = ": " + printable.Text(field.Name)
		if !many {
			notes = append(notes, "at step "+kit.Grouped(p.Step))
		}
		if n := len(p.Fields); n > 1 {
			notes = append(notes, fmt.Sprintf("quantity %d of %d", d.field(p)+1, n))
		}
		if field.Function {
			return "Functions of the posterior" + title, append(notes, "standardised")
		}
		if p.Others > 0 {
			notes = append(notes, kit.Plural(p.Others, "other input", "other inputs")+" at the median")
		}
		notes = append(notes, sampling(p))
	}
	return "Predictions" + title, notes
}

// sampling says what the predictions are estimated from.
func sampling(p *view.Plane) string {
	if p.Samples > 1 {
		return fmt.Sprintf("%d samples", p.Samples)
	}
	return ""
}

func (planePanel) Draw(d *Dash, w, h int) []string {
	if maps := d.planeMaps(); len(maps) > 0 {
		return maps.Render(d.theme.VizStyle(), w, h)
	}
	return d.without("this run does not have two inputs", w, h)
}

// planeMaps are those of the runs that predict what is chosen, the field of that name over
// the same inputs.
func (d *Dash) planeMaps() (list plane.Maps) {
	first := planes.chosen(d)
	if first == nil {
		return nil
	}
	name := first.Fields[d.field(first)].Name
	for _, r := range d.runs {
		v, _ := r.views()
		p := planes(v)
		if p == nil || p.Inputs != first.Inputs {
			continue
		}
		if k := slices.IndexFunc(p.Fields, func(f view.Field) bool { return f.Name == name }); k >= 0 {
			m := picture.Plane(p, k)
			m.Title, m.Note, m.Run = r.brief, "step "+kit.Grouped(p.Step), r.index
			if f := v.Fit; f != nil && len(f.Lines) == 2 && len(f.Inputs) == 2 {
				m.Marks = plane.Points{Label: "inducing", X: f.Lines[0].Inducing, Y: f.Lines[1].Inducing}
			}
			list = append(list, m)
		}
	}
	return list
}

func (planePanel) Keys() []kit.Binding {
	return []kit.Binding{kit.Bind(actField, "o", "",
		"In the plane of predictions, show the next of what is predicted: mean, standard deviation, the "+
			"next target.", "o")}
}

func (p planePanel) Act(d *Dash, _ kit.Action) string { return p.turn(d, 1) }

// Arrow goes to another field.
func (p planePanel) Arrow(d *Dash, across, down int) string { return p.turn(d, across+down) }

// turn goes to another field, and says which it is where the panel is not to be seen.
func (p planePanel) turn(d *Dash, by int) string {
	v := planes.chosen(d)
	if v == nil {
		return "there is no plane of predictions"
	}
	n := len(v.Fields)
	d.look.field = (d.field(v) + by + n) % n
	switch {
	case n == 1:
		return "there is nothing else to show of the plane"
	case d.shows(p):
		return ""
	}
	return fmt.Sprintf("plane: %s (%d of %d)", v.Fields[d.look.field].Name, d.look.field+1, n)
}

// Files has the map of the chosen run and those of the others, on the range of colours that
// they share.
func (planePanel) Files(d *Dash) (files []exported) {
	for i, m := range d.planeMaps().Ranged() {
		name := "plane"
		if r := d.current(); m.Run != r.index {
			name = fmt.Sprintf("plane-run-%d", i+1)
		}
		o := figure.Options{Title: m.Name + ", " + m.Title + ", " + m.Note}
		files = append(files, withCSV(name, m, o)...)
	}
	return files
}

// field returns the place of the chosen field, one that the plane has.
func (d *Dash) field(p *view.Plane) int { return d.look.field % len(p.Fields) }
