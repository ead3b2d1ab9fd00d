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
// A member contributes at every x between its points, interpolated and smoothed like a series. A single
// member has no band. The legend shows the number of members.
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
	// least and most are the ends of the range of the number of members.
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
		paths[i] = straight(thinned.line())
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

// bandGlyphs holds the glyphs that shade the bands of groups, used in rotation.
var bandGlyphs = [...]rune{'░', '▒'}

// bandMarks returns the band and the mean of a group.
func (ch *layout) bandMarks(b *band) (area chart.Band, mean chart.Line) {
	ends := chart.Range{Name: "mean ± s.e."}
	if least, most, of := ch.members(); ch.sameBands() {
		ends.Name += " of " + canvas.CountRange(least, most) + " " + of
	}
	var points []chart.XY
	for k, v := range b.mean {
		t := float64(k) / (bandColumns - 1)
		x := ch.x0*(1-t) + ch.x1*t
		lo := math.NaN()
		hi := math.NaN()
		if se := b.se[k]; canvas.Finite(v) && canvas.Finite(se) && v+se >= ch.clip[0] && v-se <= ch.clip[1] {
			lo = ch.height(v - se)
			hi = ch.height(v + se)
		}
		area.X = append(area.X, x)
		ends.Lo = append(ends.Lo, min(lo, hi)) // A scale may be upside down.
		ends.Hi = append(ends.Hi, max(lo, hi))
		if canvas.Finite(v) {
			points = append(points, ch.at(x, v))
		} else {
			points = append(points, gap)
		}
	}
	area.Color, area.Ranges = chart.Run(b.run).Fade(0.6, 50), []chart.Range{ends}
	name := b.label
	if name != "" && !ch.sameBands() {
		name += ", n = " + canvas.CountRange(b.least, b.most)
	}
	mean = chart.RunLine(name, b.run, points)
	mean.Width = 1. / 2
	return area, mean
}

// height returns the height of an end of a band, at most at the edge of the axis.
func (ch *layout) height(v float64) float64 {
	return max(ch.scale.Lo, min(ch.scale.Forward(v), ch.scale.Hi))
}
