package dash

import (
	"fmt"
	"io"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
	vizpoints "dgplab/viz/points"
)

// quadraturePanel is the points that the chosen run has learned in place of random draws.
type quadraturePanel struct{ inModel }

// quadratures finds learned points.
var quadratures choice[view.Quadrature] = func(v view.Views) *view.Quadrature {
	if v.Quadrature != nil && len(v.Quadrature.Layers) > 0 {
		return v.Quadrature
	}
	return nil
}

func (quadraturePanel) Names(*Dash) (long, short string) { return "Quadrature", "Quad" }

func (quadraturePanel) Applies(d *Dash) bool { return quadratures.somewhere(d) }

func (quadraturePanel) Title(d *Dash) (title string, notes []string) {
	q := quadratures.chosen(d)
	if q == nil {
		return "Quadrature points", []string{d.ofWhich()}
	}
	l, _ := d.learned(q)
	return fmt.Sprintf("Quadrature points of layer %d", l+1),
		[]string{d.ofWhich(), diagnosedAt(d.snap()),
			kit.Plural(len(q.Layers), "hidden layer", "hidden layers")}
}

func (quadraturePanel) Draw(d *Dash, w, h int) []string {
	q := quadratures.chosen(d)
	if q == nil {
		return d.without("this model draws its samples at random", w, h)
	}
	l, output := d.learned(q)
	return picture.Quadrature(q, l, output).Render(d.theme.VizStyle(), w, h)
}

// Arrow goes to another hidden layer, or to another output of it.
func (p quadraturePanel) Arrow(d *Dash, across, down int) string {
	q := quadratures.chosen(d)
	if q == nil {
		return "there are no learned points"
	}
	l, output := d.learned(q)
	d.look.layer = min(max(l+across, 0), len(q.Layers)-1)
	d.look.gp = output + down
	d.look.layer, d.look.gp = d.learned(q)
	if d.shows(p) {
		return ""
	}
	return fmt.Sprintf("layer %d of %d, GP %d", d.look.layer+1, len(q.Layers), d.look.gp+1)
}

func (quadraturePanel) Wheel() (across, down int) { return 0, 1 }

func (quadraturePanel) Files(d *Dash) []exported {
	q := quadratures.chosen(d)
	if q == nil {
		return nil
	}
	l, output := d.learned(q)
	p := picture.Quadrature(q, l, output)
	o := figure.Options{
		Title: fmt.Sprintf("Quadrature points of layer %d, GP %d, step %s",
			l+1, output+1, kit.Grouped(d.snap().Diagnostics.Step)),
	}
	all := picture.QuadratureByLayer(q)
	return append([]exported{{"quadrature" + ".csv",
		func(w io.Writer) error { return vizpoints.StemsCSV(w, all) }}},
		both("quadrature", p, o)...)
}

// learned returns the chosen hidden layer and output, ones that there are.
func (d *Dash) learned(q *view.Quadrature) (layer, output int) {
	layer = min(max(d.look.layer, 0), len(q.Layers)-1)
	return layer, min(max(d.look.gp, 0), max(len(q.Layers[layer].Points)-1, 0))
}
