package dash

import (
	"fmt"
	"io"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/tui/printable"
	"dgplab/viz/figure"
	"dgplab/viz/layers"
)

// layersPanel is what samples do in a layer of the chosen run.
type layersPanel struct{ inModel }

func (layersPanel) Names(*Dash) (long, short string) { return "Layers", "Lay" }

func (layersPanel) Applies(d *Dash) bool {
	return d.mayHaveView(func(v view.Views) bool { return len(v.Units) > 0 })
}

func (layersPanel) Title(d *Dash) (title string, notes []string) {
	layer, gp, ok := d.layer()
	if !ok {
		return "Layers", []string{d.ofWhich()}
	}
	return fmt.Sprintf("Layer %d, GP %d", layer+1, gp+1) + d.unitName(layer, gp),
		[]string{d.ofWhich(), diagnosedAt(d.snap())}
}

func (layersPanel) Draw(d *Dash, w, h int) []string {
	s := d.snap()
	if s == nil {
		return d.theme.Centred(d.waiting(d.current()), w, h)
	}
	if layer, gp, ok := d.layer(); ok {
		return picture.Layer(s.Diagnostics.Units, layer, gp).Render(d.theme.VizStyle(), w, h)
	}
	return d.without("this family has no layers to look into", w, h)
}

func (layersPanel) Arrow(d *Dash, across, down int) string { return d.layerKey(across, down) }

func (layersPanel) Wheel() (across, down int) { return 0, 1 }

func (layersPanel) Files(d *Dash) []exported {
	samples := d.views().Units
	if len(samples) == 0 {
		return nil
	}
	pictures := make([]layers.Panel, len(samples))
	var files []exported
	for i := range samples {
		picture := picture.Layer(samples, i, 0)
		pictures[i] = picture
		o := figure.Options{
			Title: fmt.Sprintf("Samples in layer %d of %d, step %s",
				i+1, len(samples), kit.Grouped(d.snap().Diagnostics.Step)),
		}
		files = append(files, both(fmt.Sprintf("samples-layer-%d", i+1), picture, o)...)
	}
	return append(files,
		exported{"samples.csv", func(w io.Writer) error { return layers.CurvesCSV(w, pictures) }},
		exported{"layers.csv", func(w io.Writer) error { return layers.UnitsCSV(w, pictures) }})
}

// layer returns the chosen layer and GP, and whether they exist.
func (d *Dash) layer() (layer, gp int, ok bool) {
	layers := d.views().Units
	if len(layers) == 0 {
		return 0, 0, false
	}
	layer = min(max(d.look.layer, 0), len(layers)-1)
	gps := len(layers[layer].Units)
	if gps == 0 {
		return layer, 0, false
	}
	return layer, min(max(d.look.gp, 0), gps-1), true
}

// layerKey moves to another layer, or to another GP of it.
func (d *Dash) layerKey(across, down int) string {
	layer, gp, ok := d.layer()
	if !ok {
		return "there are no layer samples yet"
	}
	layers := d.views().Units
	if across != 0 {
		layer, gp = min(max(layer+across, 0), len(layers)-1), 0
	}
	gp = min(max(gp+down, 0), len(layers[layer].Units)-1)
	d.look.layer, d.look.gp = layer, gp
	if d.shows(layersPanel{}) {
		return ""
	}
	return fmt.Sprintf("layer %d of %d, GP %d of %d", layer+1, len(layers), gp+1, len(layers[layer].Units)) +
		d.unitName(layer, gp)
}

// unitName says which output a GP is, "" where that goes without saying.
func (d *Dash) unitName(layer, gp int) string {
	name := d.views().Units[layer].Units[gp].Name
	if name == "" {
		return ""
	}
	return ": " + printable.Text(name)
}

// firstDiagnostics is what panels of the posterior wait for.
const firstDiagnostics = "the first look at the posterior"

// diagnosticsOf returns what a panel shows that draws the posterior of a run.
func diagnosticsOf(r *shown) any {
	if r.snap.Diagnostics == nil {
		return stateOf(r.snap)
	}
	return r.snap.Diagnostics
}

// diagnosedAt names the step that the views of the posterior belong to.
func diagnosedAt(s *session.Snapshot) string {
	if s == nil || s.Diagnostics == nil {
		return ""
	}
	return "at step " + kit.Grouped(s.Diagnostics.Step)
}
