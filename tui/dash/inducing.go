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

// inducingPanel is where the inducing points of inputs lie in a layer of the chosen run,
// one whose model gives every input inducing points of its own.
type inducingPanel struct{ inModel }

// actLayer asks for the next layer.
const actLayer kit.Action = "next_layer"

// amortizations finds inducing points of inputs.
var amortizations choice[view.Amortization] = func(v view.Views) *view.Amortization {
	if v.Amortization != nil && len(v.Amortization.Layers) > 0 && len(v.Amortization.Layers[0].Inputs) > 0 {
		return v.Amortization
	}
	return nil
}

func (inducingPanel) Names(*Dash) (long, short string) { return "Inducing", "Ind" }

func (inducingPanel) Applies(d *Dash) bool { return amortizations.somewhere(d) }

func (inducingPanel) Title(d *Dash) (title string, notes []string) {
	a := amortizations.chosen(d)
	if a == nil {
		return "Inducing points", []string{d.ofWhich()}
	}
	l, _ := d.amortized(a)
	return fmt.Sprintf("Inducing points of layer %d of %d", l+1, len(a.Layers)),
		[]string{d.ofWhich(), diagnosedAt(d.snap())}
}

func (inducingPanel) Draw(d *Dash, w, h int) []string {
	a := amortizations.chosen(d)
	if a == nil {
		return d.without("the inducing points of this model are the same for all inputs", w, h)
	}
	l, output := d.amortized(a)
	return picture.Inducing(a.Layers[l], d.input(a), output).Render(d.theme.VizStyle(), w, h)
}

func (inducingPanel) Keys() []kit.Binding {
	return []kit.Binding{kit.Bind(actLayer, "L", "",
		"Look into the next layer: its inducing points, learned points, samples.", "L")}
}

// Act looks into the next layer, of as many as the views of the chosen run have.
func (inducingPanel) Act(d *Dash, _ kit.Action) string {
	n := len(d.views().Units)
	if a := amortizations.chosen(d); a != nil {
		n = max(n, len(a.Layers))
	}
	if n == 0 {
		return "there are no layers to look into"
	}
	d.look.layer = (min(d.look.layer, n-1) + 1) % n
	if d.shows(inducingPanel{}) || d.shows(layersPanel{}) || d.shows(quadraturePanel{}) {
		return ""
	}
	return fmt.Sprintf("layer %d of %d", d.look.layer+1, n)
}

// Arrow goes to another input, or to another output of the layer.
func (p inducingPanel) Arrow(d *Dash, across, down int) string {
	a := amortizations.chosen(d)
	if a == nil {
		return "there are no inducing points of inputs"
	}
	n := len(a.Layers[0].Inputs)
	d.look.input = (d.input(a) + across + n) % n
	l, output := d.amortized(a)
	d.look.gp = min(max(output+down, 0), a.Layers[l].Outputs-1)
	if d.shows(p) {
		return ""
	}
	return fmt.Sprintf("input %d of %d, output %d of %d", d.look.input+1, n, d.look.gp+1, a.Layers[l].Outputs)
}

func (inducingPanel) Wheel() (across, down int) { return 1, 0 }

func (inducingPanel) Files(d *Dash) []exported {
	a := amortizations.chosen(d)
	if a == nil {
		return nil
	}
	pictures := picture.InducingByLayer(a, d.input(a))
	files := []exported{{"inducing.csv",
		func(w io.Writer) error { return vizpoints.InducingCSV(w, pictures) }}}
	for l, p := range pictures {
		o := figure.Options{
			Title: fmt.Sprintf("Inducing points of layer %d of %d, step %s",
				l+1, len(a.Layers), kit.Grouped(d.snap().Diagnostics.Step)),
		}
		files = append(files, both(fmt.Sprintf("inducing-layer-%d", l+1), p, o)...)
	}
	return files
}

// amortized returns the chosen layer and output, ones that there are.
func (d *Dash) amortized(a *view.Amortization) (layer, output int) {
	layer = min(max(d.look.layer, 0), len(a.Layers)-1)
	return layer, min(max(d.look.gp, 0), max(a.Layers[layer].Outputs-1, 0))
}

// input returns the place of the chosen input, one that there is.
func (d *Dash) input(a *view.Amortization) int { return d.look.input % len(a.Layers[0].Inputs) }
