package dash

import (
	"dgplab/session"
	"dgplab/viz/axes"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
)

// curvePanel is what the panels of curves have in common: one quantity of all runs
// over the training, with a window and a cursor that they share.
type curvePanel struct {
	plain
	of quantity
}

// hasCurve reports whether a run has points to draw.
func hasCurve(s *session.Snapshot) bool { return len(s.Curve) > 0 }

// Wide says that curves stand on top of each other, so that their steps line up.
func (curvePanel) Wide() bool { return true }

// Draw draws the curves.
func (p curvePanel) Draw(d *Dash, w, h int) []string {
	if !d.some(hasCurve) {
		return d.theme.Centred(d.noDataYet("the first step"), w, h)
	}
	return d.curve(p.of).Render(d.theme.VizStyle(), w, h)
}

// curveKey is what a run adds to the curves, and how they are drawn.
type curveKey struct {
	prepared *curves.Prepared
	apart    bool
	shown    [2]float64
	window   window
	cursor   cursor
}

// Shows returns the points of the run.
func (p curvePanel) Shows(d *Dash, r *shown) any {
	if !hasCurve(r.snap) {
		return stateOf(r.snap)
	}
	return curveKey{r.curves[p.of].take(r.snap, d.look.manner(p.of, r.snap)), d.apart(p.of, r),
		d.shownRange(), d.window, d.cursor}
}

// Arrow moves the cursor, or chooses another run.
func (p curvePanel) Arrow(d *Dash, across, down int) string {
	if across != 0 {
		return d.moveCursor(p.of, across)
	}
	return d.choose(down)
}

// Mouse zooms where the mouse is, or puts the cursor there.
func (p curvePanel) Mouse(d *Dash, at placed, x, wheel int) {
	place, c, ok := d.xUnder(p.of, at, x)
	switch {
	case !ok:
	case wheel == 0:
		place, ok = c.MoveCursor(place, 0)
		if ok {
			d.cursor = cursor{true, place}
		}
	case wheel < 0:
		d.window = d.window.zoomed(d.span(), place, 1/wheelFactor)
	default:
		d.window = d.window.zoomed(d.span(), place, wheelFactor)
	}
}

// figures lists the pictures of the curves.
func (p curvePanel) figures(d *Dash, name, y string) []exported {
	c := d.curve(p.of)
	c.Cursor = nil
	if !d.window.on {
		c.Zoom = [2]float64{}
	}
	o := figure.Options{Title: d.exportTitle(), Y: y}
	return both(name, c, o)
}

// curveNotes says how the curves are drawn, what is usual last.
func (d *Dash) curveNotes() []string {
	var list []string
	switch {
	case d.crowded():
		list = append(list, "runs grouped")
	case d.look.Grouped:
		list = append(list, "seeds grouped")
	}
	if d.look.Range != firstLook.Range {
		list = append(list, rangeNames[d.look.Range])
	}
	if w := d.window.String(); w != "" {
		list = append(list, w)
	}
	return append(list, yNames[d.look.Y], "over "+d.look.X.String())
}

// curve returns a quantity of all runs that can be drawn on one axis.
func (d *Dash) curve(of quantity) curves.Curve {
	c := curves.Curve{
		X:     d.look.X.viz(),
		Scale: d.look.Y,
		Range: d.look.Range,
		Zoom:  d.shownRange(),
		Means: true,
	}
	if d.window.on && c.Range == curves.Recent {
		c.Range = curves.Whole // Who looks at a part wants to see all of it.
	}
	if of == ofValidation {
		c.Best = axes.Highest
	}
	if d.cursor.on {
		c.Cursor = &d.cursor.x
	}
	names := d.groupBriefs()
	for k, g := range d.curveGroups() {
		var members []curves.Series
		for _, i := range g {
			if r := d.runs[i]; r.snap != nil && hasCurve(r.snap) && !d.apart(of, r) {
				m := d.look.manner(of, r.snap)
				c.Smoothing = max(c.Smoothing, m.strength)
				members = append(members, curves.Series{Label: d.curveLabel(of, r),
					Run: r.index, Exact: m.strength == 0,
					Prepared: r.curves[of].take(r.snap, m)})
			}
		}
		if len(g) > 1 && len(members) > 0 {
			first := d.runs[g[0]]
			c.Groups = append(c.Groups, curves.Group{
				Label:   names[k],
				Of:      d.membersOf(g),
				Run:     first.index,
				Members: members,
			})
		} else {
			c.Series = append(c.Series, members...)
		}
	}
	return c
}

// curveGroups returns the places of the runs that are drawn as one.
func (d *Dash) curveGroups() [][]int {
	if d.grouped() {
		return d.groups
	}
	var list [][]int
	for i := range d.runs {
		list = append(list, []int{i})
	}
	return list
}

// curveLabel names a run in a legend; a single one is named by what is drawn.
func (d *Dash) curveLabel(of quantity, r *shown) string {
	switch {
	case len(d.runs) > 1:
		return r.brief
	case of == ofValidation:
		return "validation"
	}
	return d.objectiveName()
}

// span returns the range of the horizontal axis that all curves of all runs have
// together; 0 to 0 without any.
func (d *Dash) span() [2]float64 {
	var span [2]float64
	first := true
	for _, r := range d.runs {
		if r.snap == nil || !hasCurve(r.snap) {
			continue
		}
		c := r.snap.Curve
		lo := d.look.X.of(r.snap, &c[0])
		hi := d.look.X.of(r.snap, &c[len(c)-1])
		if first {
			span, first = [2]float64{lo, hi}, false
		}
		span = [2]float64{min(span[0], lo), max(span[1], hi)}
	}
	return span
}

// shownRange returns the range of the horizontal axis that the curves show: the same
// for all, so that their steps line up.
func (d *Dash) shownRange() [2]float64 { return d.window.at(d.span()) }
