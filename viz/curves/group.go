package curves

import (
	"cmp"
	"math"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// Group is a set of series that belong together, such as one configuration with several seeds. It
// is drawn behind the series as the mean of its members with a band of one standard error of the
// mean on both sides.
//
// A member takes part at every x between its points, interpolated and smoothed like a series. A
// single member has no band. The legend shows the number of members.
type Group struct {
	Label string
	// Of is the plural noun for the members, such as seeds. It defaults to runs.
	Of string
	// Run selects colour and marker; see Style.RunColor.
	Run     int
	Members []Series
}

// anyMembers is the default of Group.Of.
const anyMembers = "runs"

// bandColumns is the number of positions at which a band is computed.
const bandColumns = 256

// band is the mean and the standard error of a Group at even distances from x0 to x1. They are NaN
// in gaps.
type band struct {
	label    string
	of       string
	run      int
	mean, se [bandColumns]float64
	// least and most are the range of the number of members.
	least, most int
	chart.Extent
	notFinite int
}

// preparedGroup is a Group with prepared members.
type preparedGroup struct {
	Group
	members []*Prepared
	bad     int
}

// measureGroups prepares the members of all groups and widens the x range.
func (ch *layout) measureGroups() []preparedGroup {
	var out []preparedGroup
	for _, g := range ch.Groups {
		pg := preparedGroup{Group: g}
		for _, s := range g.Members {
			p := s.prepared(ch.Smoothing)
			sum := p.within(ch.lo, ch.hi)
			ch.x0 = min(ch.x0, sum.x0)
			ch.x1 = max(ch.x1, sum.x1)
			pg.members = append(pg.members, p)
			pg.bad += sum.notFinite
		}
		out = append(out, pg)
	}
	return out
}

// band computes the mean and the standard error of the members.
func (g *preparedGroup) band(x0, x1 float64) band {
	b := band{
		label:     g.Label,
		of:        cmp.Or(g.Of, anyMembers),
		run:       g.Run,
		Extent:    chart.NewExtent(),
		notFinite: g.bad,
	}
	paths := make([][]float64, len(g.members))
	for i, p := range g.members {
		thinned := p.bin(x0, x1, bandColumns)
		paths[i] = straight(thinned.line(), func(v float64) float64 { return v })
	}
	for k := range bandColumns {
		n, mean, squares := 0, 0.0, 0.0 // Welford's recurrence
		for _, path := range paths {
			if v := path[k]; canvas.Finite(v) {
				n++
				d := v - mean
				mean += d / float64(n)
				squares += d * (v - mean)
			}
		}
		b.mean[k] = math.NaN()
		b.se[k] = math.NaN()
		if n == 0 || !canvas.Finite(mean) {
			continue
		}
		b.mean[k] = mean
		b.Add(mean)
		if se := math.Sqrt(squares / float64(n-1) / float64(n)); n > 1 &&
			canvas.Finite(mean-se) && canvas.Finite(mean+se) {
			b.se[k] = se
			b.Add(mean - se)
			b.Add(mean + se)
		}
		if b.least == 0 || n < b.least {
			b.least = n
		}
		b.most = max(b.most, n)
	}
	return b
}

// at returns the mean and the standard error at the share t, 0 to 1, of the x range.
func (b *band) at(t float64) (mean, se float64) {
	at := t * (bandColumns - 1)
	i := min(int(at), bandColumns-2)
	t = at - float64(i)
	mix := func(v *[bandColumns]float64) float64 {
		switch {
		case t == 0 || !canvas.Finite(v[i+1]) && t < 0.5:
			return v[i]
		case t == 1 || !canvas.Finite(v[i]) && t > 0.5:
			return v[i+1]
		}
		return (1-t)*v[i] + t*v[i+1]
	}
	return mix(&b.mean), mix(&b.se)
}

// rows returns the rows of the mean in a plot of w x h places, counted from the bottom, or -1 in
// gaps.
func (b *band) rows(s *chart.Scale, w, h int) []int {
	rows := make([]int, w)
	for x := range rows {
		rows[x] = -1
		if mean, _ := b.at(canvas.Fraction(float64(x), 0, float64(w-1))); canvas.Finite(mean) {
			rows[x] = s.RowOf(mean, h)
		}
	}
	return rows
}

// sides returns the side of the mean in each of w columns; see side.
func (b *band) sides(ch *layout, w int) []int {
	out := make([]int, w)
	for x := range out {
		mean, _ := b.at(canvas.Fraction(float64(x), 0, float64(w-1)))
		out[x] = ch.side(mean)
	}
	return out
}

// bandGlyphs shade the bands of groups, in turn.
var bandGlyphs = [...]rune{'░', '▒'}

// drawBand shades the band of group i.
func (ch *layout) drawBand(cv *canvas.Canvas, i int) {
	b := &ch.bands[i]
	look := cv.Style.Tint(cv.Style.RunColor(b.run), 0.6)
	rows := b.rows(&ch.scale, cv.W, cv.H)
	hide(rows, b.sides(ch, cv.W))
	for x, r := range rows {
		mean, se := b.at(canvas.Fraction(float64(x), 0, float64(cv.W-1)))
		if r < 0 || !canvas.Finite(se) {
			continue
		}
		cv.Shade(x, ch.scale.EdgeOf(mean-se, cv.H, cv.Style), ch.scale.EdgeOf(mean+se, cv.H, cv.Style), look,
			bandGlyphs[i%len(bandGlyphs)])
	}
}

// drawMean draws the mean of group i.
func (ch *layout) drawMean(cv *canvas.Canvas, i int) {
	b := &ch.bands[i]
	look := canvas.Ink{FG: cv.Style.RunColor(b.run), Bold: true}
	canvas.DrawLine(cv, look, func(w, h int) []int {
		mean := b.rows(&ch.scale, w, h)
		hide(mean, b.sides(ch, w))
		return mean
	})
	ch.drawOutside(cv, len(ch.traces)+i, b.run, b.sides(ch, cv.W))
}
