package dash

import (
	"slices"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/picture"
	"dgplab/viz/axes"
	"dgplab/viz/blocks"
	"dgplab/viz/curves"
	"dgplab/viz/spark"
)

// This file is where the screen meets viz: it turns snapshots into viz's own
// small structs, and viz's text into lines.

// curve returns the ELBO or the validation log-likelihood of all runs.
func (d *Dash) curve(id panelID) curves.Curve {
	m := d.look.manner(id)
	c := curves.Curve{X: d.look.x.viz(), Scale: d.look.y.viz(), Smoothing: m.strength, Clip: d.look.clip, Zoom: d.shownRange()}
	if id == panelValidation {
		c.Best = axes.Highest
	}
	if d.cursor.on {
		c.Cursor = &d.cursor.x
	}
	for _, g := range d.curveGroups() {
		var members []curves.Series
		for _, i := range g {
			if r := d.runs[i]; r.snap != nil && len(r.snap.Curve) > 0 {
				members = append(members, r.series(id, d.curveLabel(id, r), m))
			}
		}
		if len(g) > 1 && len(members) > 0 {
			first := d.runs[g[0]]
			c.Groups = append(c.Groups, curves.Group{Label: d.groupLabel(g), Run: first.index, Members: members})
		} else {
			c.Series = append(c.Series, members...)
		}
	}
	return c
}

// curveGroups returns the places of the runs that are drawn as one.
func (d *Dash) curveGroups() [][]int {
	if d.look.grouped {
		return d.groups
	}
	var list [][]int
	for i := range d.runs {
		list = append(list, []int{i})
	}
	return list
}

// series returns a curve of the run.
func (r *shown) series(id panelID, label string, m manner) curves.Series {
	p := r.curves[id].take(id, r.snap, m)
	return curves.Series{Label: label, Run: r.index, Prepared: p}
}

// curveLabel names a run in a legend; a single one is named by what is drawn.
func (d *Dash) curveLabel(id panelID, r *shown) string {
	switch {
	case len(d.runs) > 1:
		return r.label
	case id == panelValidation:
		return "validation"
	}
	return "ELBO"
}

// groupLabel names runs that differ in the seed by what they have in common, as
// against the other groups.
func (d *Dash) groupLabel(g []int) string {
	var infos []rundir.Info
	at := 0
	for _, other := range d.groups {
		if slices.Equal(other, g) {
			at = len(infos)
		}
		if d.runs[other[0]].snap != nil {
			infos = append(infos, d.runs[other[0]].info())
		}
	}
	label := ""
	for _, diff := range session.Differences(infos) {
		if text := fieldText(diff.Field, diff.Values[at]); text != "" && diff.Field != "seed" {
			label += text + " "
		}
	}
	if label == "" {
		label = d.runs[g[0]].snap.Family + " "
	}
	return label + kit.Plural(len(g), "seed", "seeds")
}

// span returns the range of the horizontal axis that all curves of all runs have
// together; 0 to 0 without any.
func (d *Dash) span() [2]float64 {
	var span [2]float64
	first := true
	for _, r := range d.runs {
		if r.snap == nil || len(r.snap.Curve) == 0 {
			continue
		}
		c := r.snap.Curve
		lo, hi := d.look.x.of(r.snap, &c[0]), d.look.x.of(r.snap, &c[len(c)-1])
		if first {
			span, first = [2]float64{lo, hi}, false
		}
		span = [2]float64{min(span[0], lo), max(span[1], hi)}
	}
	return span
}

// shownRange returns the range of the horizontal axis that the curves show: the same
// for both, so that their steps line up.
func (d *Dash) shownRange() [2]float64 { return d.window.at(d.span()) }

// covariance draws the block maps of all runs that have one, on one scale.
func (d *Dash) covariance(w, h int) []string {
	var maps blocks.Maps
	for _, r := range d.runs {
		if r.snap == nil || r.snap.Diagnostics == nil || r.snap.Diagnostics.Blocks == nil {
			continue
		}
		m := picture.Blocks(r.snap.Diagnostics.Blocks)
		m.Title = d.mark(r) + " " + r.label + ", step " + kit.Grouped(r.snap.Diagnostics.Step)
		maps = append(maps, m)
	}
	style := d.theme.VizStyle()
	if len(d.runs) == 1 && len(maps) == 1 {
		maps[0].Title = ""
		return kit.Lines(maps[0].Render(style, w, h))
	}
	return kit.Lines(maps.Render(style, w, h))
}

// mark is the marker of a run.
func (d *Dash) mark(r *shown) string { return d.theme.VizStyle().RunMarker(r.index) }

// drawLayer draws what the samples do in the chosen layer.
func drawLayer(th *kit.Theme, layers []view.Units, layer, gp, w, h int) []string {
	return kit.Lines(picture.Layer(layers, layer, gp).Render(th.VizStyle(), w, h))
}

// drawProgress draws a bar of w cells for a share from 0 to 1.
func drawProgress(th *kit.Theme, share float64, w int) string {
	return spark.Progress(th.VizStyle(), share, w)
}
