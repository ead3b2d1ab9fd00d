package board

import (
	"slices"

	"dgplab/tui/kit"
)

// testedPair is the selected run beside the run that it is compared with at the same test points.
type testedPair struct {
	evaluatedRun
	other *evaluatedRun // nil if there is none
}

// pair returns the selected run and the run that it is compared with. ok is false if the selected run was not
// tested on the target.
func (t *predictionsPanel) pair() (p testedPair, ok bool) {
	b := t.board
	r, ok := b.selectedRun(t.calibration)
	if !ok {
		return p, false
	}
	p.evaluatedRun = r
	other := b.otherRun(r)
	list, _ := b.evaluated(t.calibration)
	at := slices.IndexFunc(list, func(o evaluatedRun) bool { return o.Run == other })
	if at >= 0 && slices.Equal(list[at].Rows, r.Rows) &&
		list[at].IsClassification() == r.IsClassification() {
		p.other = &list[at]
	}
	return p, true
}

// columns returns the columns of the selected run, and the prediction, the uncertainty and the log density of
// the other run.
func (p testedPair) columns(th *kit.Theme) []predictionColumn {
	list := p.evaluatedRun.columns()
	if p.other == nil {
		return list
	}
	other := *p.other
	for _, c := range other.columns() {
		if c.key != "predicted" && c.key != uncertaintyColumn && c.key != densityColumn {
			continue
		}
		value := c.value
		text := c.textOf
		c.value = func(_ evaluatedRun, i int) float64 { return value(other, i) }
		c.text = func(_ evaluatedRun, i int) string { return text(other, i) }
		c.key = "other_" + c.key
		c.title = th.VizStyle().RunMarker(other.Index) + " " + c.title
		c.drop += 4
		list = append(list, c)
	}
	return list
}

// The filters of the table. Points that the other run predicts better or worse need one.
const (
	allPoints = iota
	missedPoints
	worsePoints
	betterPoints
	filters
)

// filterName returns the name of a filter.
func (t *predictionsPanel) filterName(p testedPair, filter int) string {
	switch {
	case filter == missedPoints && p.IsClassification():
		return "other class than predicted"
	case filter == missedPoints:
		return "outside 95 %"
	case filter == worsePoints:
		return "worse than " + t.board.Mark(p.other.Run)
	case filter == betterPoints:
		return "better than " + t.board.Mark(p.other.Run)
	}
	return "all points"
}

// shown reports whether the table shows point i with a filter.
func (p testedPair) shown(filter, i int) bool {
	switch filter {
	case missedPoints:
		return p.missed(i)
	case worsePoints:
		return p.logDensity(i) < p.other.logDensity(i)
	case betterPoints:
		return p.logDensity(i) > p.other.logDensity(i)
	}
	return true
}
