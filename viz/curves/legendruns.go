package curves

import (
	"math"
	"slices"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// runParts lists series and groups, with their values at the cursor if there is one.
func (ch *layout) runParts(style canvas.Style) []canvas.Part {
	var parts []canvas.Part
	if ch.reads() {
		at := ch.X.Text(*ch.Cursor)
		name := at
		if ch.X.Base() != chart.Seconds {
			name = ch.X.Name() + " " + at
		}
		look := canvas.Ink{Bold: true}
		parts = append(parts, canvas.Note(4, look, "╎ "+name, "╎ "+at, at, ""))
	}
	for i := range ch.traces {
		t := &ch.traces[i]
		if ch.reads() {
			parts = append(parts, ch.readPart(style, t.label, t.run, ch.reading(t), "~"))
		} else {
			parts = append(parts, ch.seriesPart(style, t))
		}
	}
	for i := range ch.bands {
		b := &ch.bands[i]
		if ch.reads() {
			parts = append(parts, ch.readPart(style, b.label, b.run, ch.readBand(b), style.PlusMinus()))
		} else if b.label != "" && b.most > 0 {
			parts = append(parts, ch.bandPart(style, b))
		}
	}
	if len(ch.bands) > 0 {
		parts = append(parts, ch.bandsNote(style))
	}
	return parts
}

// seriesPart returns the marker, the label and the best value of a series.
func (ch *layout) seriesPart(style canvas.Style, t *trace) canvas.Part {
	n := canvas.Label(style, t.run, t.label, "")
	if t.best < 0 {
		return n.Part()
	}
	best := canvas.Text("★ "+canvas.Number(t.y[t.best]), canvas.Ink{FG: style.Good(), Bold: true})
	at := " at " + ch.X.Name() + " " + canvas.Number(ch.X.Value(t.xAt(t.best)))
	if ch.X.Base() == chart.Seconds {
		at = " at " + canvas.Seconds(ch.X.Value(t.xAt(t.best)))
	}
	n.At = canvas.Text(at, canvas.Ink{FG: style.Dim()})
	if len(ch.traces) > 1 {
		n.Details = []canvas.Span{best} // The number is also next to the star.
	} else {
		n.Value = []canvas.Span{best}
	}
	return n.Part()
}

// bandPart returns the marker and the label of a group, and the number of members if it differs among groups.
func (ch *layout) bandPart(style canvas.Style, b *band) canvas.Part {
	n := ""
	if !ch.sameBands() {
		n = "n=" + canvas.CountRange(b.least, b.most)
	}
	name := canvas.Label(style, b.run, b.label, "")
	if n != "" {
		name.Details = []canvas.Span{canvas.Text(n, canvas.Ink{FG: style.Dim()})}
	}
	return name.Part()
}

// bandsNote explains the lines and bands of groups, with the number of members if it is common to
// all groups or the groups have no labels.
func (ch *layout) bandsNote(style canvas.Style) canvas.Part {
	se := style.PlusMinus() + " s.e."
	texts := []string{"mean " + se, se, ""}
	named := slices.ContainsFunc(ch.bands, func(b band) bool { return b.label != "" })
	if least, most, of := ch.members(); most > 0 && (ch.sameBands() || !named) {
		n := canvas.CountRange(least, most)
		texts = []string{"mean " + se + " of " + n + " " + of, se + " of " + n + " " + of,
			se + ", n=" + n, "n=" + n}
	}
	return canvas.Note(1, canvas.Ink{FG: style.Dim()}, texts...)
}

// members returns the range of the number of members of groups with points, and their noun.
func (ch *layout) members() (least, most int, of string) {
	for i := range ch.bands {
		b := &ch.bands[i]
		switch {
		case b.most == 0:
		case most == 0:
			least, most, of = b.least, b.most, b.of
		default:
			least = min(least, b.least)
			most = max(most, b.most)
			if of != b.of {
				of = anyMembers
			}
		}
	}
	return least, most, of
}

// sameBands reports whether all groups with points have the same number and kind of members.
func (ch *layout) sameBands() bool {
	least, most, of := ch.members()
	return !slices.ContainsFunc(ch.bands, func(b band) bool {
		return b.most > 0 && (b.least != least || b.most != most || b.of != of)
	})
}

// readPart returns the marker, the label and the value at the cursor. sign precedes the moving average or the
// standard error. The position of the point is added if the point is not at the cursor.
func (ch *layout) readPart(style canvas.Style, label string, run int, r reading, sign string) canvas.Part {
	n := canvas.Label(style, run, label, "")
	dim := canvas.Ink{FG: style.Dim()}
	bold := canvas.Ink{Bold: true}
	if !r.ok {
		why := " no point"
		switch {
		case r.missed && r.x < *ch.Cursor:
			why = " ends at " + ch.X.Text(r.x)
		case r.missed:
			why = " begins at " + ch.X.Text(r.x)
		}
		n.Value = []canvas.Span{canvas.Text("–", dim)}
		n.Details = []canvas.Span{canvas.Text(why, dim)}
		return n.Part()
	}
	if !canvas.Finite(r.value) {
		bold.FG = style.Bad()
	}
	n.Value = []canvas.Span{canvas.Text(canvas.Number(r.value), bold)}
	if !math.IsNaN(r.smooth) {
		n.Details = []canvas.Span{canvas.Text(" "+sign+canvas.Number(r.smooth), dim)}
	}
	if r.x != *ch.Cursor {
		n.At = canvas.Text(" at "+ch.X.Text(r.x), dim)
	}
	return n.Part()
}
