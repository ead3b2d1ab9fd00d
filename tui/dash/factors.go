package dash

import (
	"fmt"

	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
)

// factorPanel is how strong the factor of a GP of the chosen run is at each inducing
// point.
type factorPanel struct{ inModel }

func (factorPanel) Names(*Dash) (long, short string) { return "Factors", "Fact" }

func (factorPanel) Applies(d *Dash) bool { return maps.somewhere(d) }

func (factorPanel) Title(d *Dash) (title string, notes []string) {
	notes = []string{d.ofWhich()}
	m := maps.chosen(d)
	if m == nil {
		return "Factor by inducing point", notes
	}
	g := d.mapped(m)
	most := 0
	for k, s := range g.Strength {
		if s > g.Strength[most] {
			most = k
		}
	}
	return "Factor of " + picture.GPName(g.Layer, g.GP),
		append(notes, d.whichMap(m), fmt.Sprintf("strongest at point %d", most+1), diagnosedAt(d.snap()))
}

func (factorPanel) Draw(d *Dash, w, h int) []string {
	if m := maps.chosen(d); m != nil {
		return picture.Factor(d.mapped(m)).Render(d.theme.VizStyle(), w, h)
	}
	return d.without("this model has no factors", w, h)
}

// Arrow goes to another GP.
func (p factorPanel) Arrow(d *Dash, across, down int) string {
	m := maps.chosen(d)
	if m == nil {
		return "there are no factors"
	}
	d.turnMap(m, across+down)
	if d.shows(p) {
		return ""
	}
	return "factor of " + d.whichMap(m)
}

func (factorPanel) Wheel() (across, down int) { return 1, 0 }

// Files has the picture of the chosen GP; the numbers of all are among the points of
// maps.
func (factorPanel) Files(d *Dash) []exported {
	m := maps.chosen(d)
	if m == nil {
		return nil
	}
	b := picture.Factor(d.mapped(m))
	o := figure.Options{Title: "Factor of " + b.Label + ", step " + kit.Grouped(d.snap().Diagnostics.Step)}
	return withCSV("factor", b, o)
}
