package dash

import (
	"fmt"
	"io"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
)

// planePanel is what the chosen run predicts over the plane of its two inputs.
type planePanel struct{ inModel }

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
	notes = []string{d.ofWhich()}
	if p := planes.chosen(d); p != nil {
		notes = append(notes, "at step "+kit.Grouped(p.Step))
		if n := len(p.Fields); n > 1 {
			notes = append(notes, fmt.Sprintf("%d of %d", d.field(p)+1, n))
		}
		if p.Fields[d.field(p)].Function {
			return "Functions of the posterior", append(notes, "standardised")
		}
		notes = append(notes, sampling(p))
	}
	return "Predictions", notes
}

// sampling says what the predictions are estimated from.
func sampling(p *view.Plane) string {
	if p.Samples > 1 {
		return fmt.Sprintf("%d samples", p.Samples)
	}
	return ""
}

func (planePanel) Draw(d *Dash, w, h int) []string {
	if p := planes.chosen(d); p != nil {
		return kit.Lines(picture.Plane(p, d.field(p)).Render(d.theme.VizStyle(), w, h))
	}
	return d.without("this run does not have two inputs", w, h)
}

func (planePanel) Keys() []kit.Binding {
	return []kit.Binding{kit.Bind(actField, "o", "", "In the plane of predictions, show the next of what is predicted: mean, standard deviation, the next target.", "o")}
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

func (planePanel) Files(d *Dash) []exported {
	p := planes.chosen(d)
	if p == nil {
		return nil
	}
	m := picture.Plane(p, d.field(p))
	o := figure.Options{Title: fmt.Sprintf("%s, step %s", m.Name, kit.Grouped(p.Step))}
	return withCSV("plane", func(w io.Writer) error { return figure.PlaneCSV(w, m) },
		func(w io.Writer, f figure.Format) error { return figure.Plane(w, f, m, o) })
}

// field returns the place of the chosen field, one that the plane has.
func (d *Dash) field(p *view.Plane) int { return d.look.field % len(p.Fields) }
