package dash

import (
	"fmt"
	"io"
	"strconv"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/figure"
)

// mapsPanel is what a GP of the chosen run makes of the inputs of its own layer, with the
// training inputs as they arrive there.
type mapsPanel struct{ inModel }

// maps finds maps of GPs.
var maps choice[view.Maps] = func(v view.Views) *view.Maps {
	if v.Maps != nil && len(v.Maps.GPs) > 0 {
		return v.Maps
	}
	return nil
}

func (mapsPanel) Names(*Dash) (long, short string) { return "Maps", "Maps" }

func (mapsPanel) Applies(d *Dash) bool { return maps.somewhere(d) }

func (mapsPanel) Title(d *Dash) (title string, notes []string) {
	notes = []string{d.ofWhich()}
	m := maps.chosen(d)
	if m == nil {
		return "Maps of the layers", notes
	}
	g := d.mapped(m)
	notes = append(notes, d.whichMap(m), diagnosedAt(d.snap()), "without noise")
	return "Map of " + picture.GPName(g.Layer, g.GP), notes
}

// whichMap says which of the GPs is shown.
func (d *Dash) whichMap(m *view.Maps) string {
	return fmt.Sprintf("%d of %d", d.look.mapped%len(m.GPs)+1, len(m.GPs)+m.More)
}

func (mapsPanel) Draw(d *Dash, w, h int) []string {
	m := maps.chosen(d)
	if m == nil {
		return d.without("this model shows no maps of its layers", w, h)
	}
	g := d.mapped(m)
	if len(g.Axes) == 1 {
		return picture.MapCurve(g).Render(d.theme.VizStyle(), w, h)
	}
	return picture.MapPlane(g, m.Total, d.look.mapSD).Render(d.theme.VizStyle(), w, h)
}

// Arrow goes to another GP, or from its mean to its standard deviation and back.
func (p mapsPanel) Arrow(d *Dash, across, down int) string {
	m := maps.chosen(d)
	if m == nil {
		return "there are no maps"
	}
	d.turnMap(m, across)
	if down != 0 {
		d.look.mapSD = !d.look.mapSD
	}
	if d.shows(p) {
		return ""
	}
	return "map of " + d.whichMap(m)
}

func (mapsPanel) Wheel() (across, down int) { return 1, 0 }

// Files has a picture of every GP, and all numbers.
func (mapsPanel) Files(d *Dash) (files []exported) {
	m := maps.chosen(d)
	if m == nil {
		return nil
	}
	at := ", step " + kit.Grouped(d.snap().Diagnostics.Step)
	files = append(files, exported{"map-points.csv", func(w io.Writer) error { return mapPointsCSV(w, m) }})
	for i := range m.GPs {
		g := &m.GPs[i]
		name := fmt.Sprintf("map-layer-%d-gp-%d", g.Layer+1, g.GP+1)
		title := picture.GPName(g.Layer, g.GP) + at
		if len(g.Axes) == 1 {
			b := picture.MapCurve(g)
			files = append(files, withCSV(name, b, figure.Options{Title: title})...)
			continue
		}
		for _, sd := range []bool{false, true} {
			p, name := picture.MapPlane(g, m.Total, sd), name
			if sd {
				name += "-sd"
			}
			files = append(files, withCSV(name, p, figure.Options{Title: p.Name + ", " + title})...)
		}
	}
	return files
}

// mapPointsCSV writes where the training inputs and the inducing inputs lie in every map:
// the former with what the GP makes of them, the latter with the strength of the factor.
func mapPointsCSV(w io.Writer, m *view.Maps) error {
	t := figure.NewTable(w, "layer", "gp", "what", "point", "x", "y", "f", "strength")
	for _, g := range m.GPs {
		write := func(what string, point int, at []view.Rounded, values ...string) {
			row := []string{strconv.Itoa(g.Layer + 1), strconv.Itoa(g.GP + 1), what, strconv.Itoa(point + 1),
				figure.Exact(at[0][point]), ""}
			if len(at) == 2 {
				row[5] = figure.Exact(at[1][point])
			}
			t.Row(append(row, values...)...)
		}
		for k, f := range g.Out {
			write("training", k, g.Data, figure.Exact(f), "")
		}
		for k, s := range g.Strength {
			write("inducing", k, g.Inducing, "", figure.Exact(s))
		}
	}
	return t.Close()
}

// mapped returns the chosen map, one that there is.
func (d *Dash) mapped(m *view.Maps) *view.Map { return &m.GPs[d.look.mapped%len(m.GPs)] }

// turnMap chooses another GP.
func (d *Dash) turnMap(m *view.Maps, by int) {
	n := len(m.GPs)
	d.look.mapped = (d.look.mapped%n + by + n) % n
}
