package viz

import "math"

// runParts lists series and groups, at the cursor if there is one.
func (ch *chart) runParts(style Style) []part {
	var parts []part
	if ch.reads() {
		at := ch.X.text(*ch.Cursor)
		name := at
		if ch.X != Seconds {
			name = ch.X.name() + " " + at
		}
		look := ink{bold: true}
		parts = append(parts, part{[][]span{{{"╎ " + name, look}}, {{"╎ " + at, look}}, {{at, look}}, nil}, 4})
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
			parts = append(parts, ch.readPart(style, b.label, b.run, ch.readBand(b), style.plusMinus()))
		} else {
			parts = append(parts, bandPart(style, b))
		}
	}
	return parts
}

// mark is the marker of a run, with a blank.
func mark(style Style, run int) span {
	return span{string(runMarker(run)) + " ", ink{fg: style.RunColor(run), bold: true}}
}

// seriesPart is marker, label and best value of one series.
func (ch *chart) seriesPart(style Style, t *trace) part {
	mark := mark(style, t.run)
	label := []span{mark, {t.label, ink{}}}
	p := part{keep: 2}
	if t.best >= 0 {
		good := ink{fg: style.Good(), bold: true}
		value := "★ " + Short(t.y[t.best])
		at := " at " + ch.X.name() + " " + Short(t.xAt(t.best))
		if ch.X == Seconds {
			at = " at " + seconds(t.xAt(t.best))
		}
		p.keep = 0
		p.variants = append(p.variants,
			[]span{mark, {t.label + "  ", ink{}}, {value, good}, {at, ink{fg: style.Dim()}}},
			[]span{mark, {t.label + "  ", ink{}}, {value, good}},
			[]span{mark, {truncate(t.label, 8) + " ", ink{}}, {value, good}},
		)
		if len(ch.traces) == 1 {
			p.variants = append(p.variants, []span{mark, {value, good}})
		} else {
			p.variants = append(p.variants, []span{mark, {truncate(t.label, 8), ink{}}}, []span{mark, {truncate(t.label, 4), ink{}}})
		}
		return p
	}
	p.variants = append(p.variants, label, []span{mark, {truncate(t.label, 12), ink{}}}, []span{mark, {truncate(t.label, 4), ink{}}})
	return p
}

// bandPart is marker and label of a group, and how many members take part.
func bandPart(style Style, b *band) part {
	mark, dim := mark(style, b.run), ink{fg: style.Dim()}
	n, sign := countText(b.least, b.most), style.plusMinus()
	label := span{b.label, ink{}}
	return part{[][]span{
		{mark, label, {"  mean " + sign + " s.e., n = " + n, dim}},
		{mark, label, {" " + sign + " s.e., n=" + n, dim}},
		{mark, {truncate(b.label, 12), ink{}}, {" n=" + n, dim}},
		{mark, {truncate(b.label, 4), ink{}}, {" n=" + n, dim}},
	}, 2}
}

// readPart is marker, label and value at the cursor. sign stands before the
// moving average or the standard error. Where the closest point is not at the
// cursor its place is told.
func (ch *chart) readPart(style Style, label string, run int, r reading, sign string) part {
	mark, dim, bold := mark(style, run), ink{fg: style.Dim()}, ink{bold: true}
	if !r.ok {
		return part{[][]span{
			{mark, {label, ink{}}, {"  no point", dim}}, {mark, {truncate(label, 8), ink{}}, {" –", dim}}, {mark, {"–", dim}},
		}, 3}
	}
	if !finite(r.value) {
		bold.fg = style.Bad()
	}
	value, second, at := span{Short(r.value), bold}, span{}, span{}
	if !math.IsNaN(r.smooth) {
		second = span{" " + sign + Short(r.smooth), dim}
	}
	if r.x != *ch.Cursor {
		at = span{" at " + ch.X.text(r.x), dim}
	}
	return part{[][]span{
		{mark, {label + "  ", ink{}}, value, second, at},
		{mark, {label + " ", ink{}}, value, second},
		{mark, {truncate(label, 12) + " ", ink{}}, value},
		{mark, {truncate(label, 6) + " ", ink{}}, value},
		{mark, value},
	}, 3}
}
