package canvas

// Span is a piece of text in one look.
type Span struct {
	Text string
	Ink  Ink
}

// Text is a piece of text in a look.
func Text(text string, look Ink) Span { return Span{text, look} }

// Plain is a piece of text in the terminal's own look.
func Plain(text string) Span { return Span{Text: text} }

// Part is one entry of a legend. Variants go from the fullest to the shortest;
// the last may be empty. Parts with a lower Keep are shortened first, those with the same in
// turn, but for names: of these always the widest.
type Part struct {
	Variants [][]Span
	Keep     int
	// Cut is the first variant that is shorter than the one before by a part of a name only, as
	// are all behind it; 0 where there is none.
	Cut int
}

// turn tells when a variant is given up for the next: a name, all the time, as its first cut.
func (p Part) turn(variant int) (turn int, name bool) {
	if p.Cut > 0 && variant >= p.Cut-1 {
		return p.Cut - 1, true
	}
	return variant, false
}

// Note is an entry of one text, from the fullest to the shortest; "" leaves it out.
func Note(keep int, look Ink, texts ...string) Part {
	p := Part{Keep: keep}
	for _, t := range texts {
		p.Variants = append(p.Variants, []Span{Text(t, look)})
	}
	return p
}

// Band is an entry of what is shaded in a colour, by texts from the fullest to the
// shortest; glyph marks it on terminals with too few colours.
func Band(style Style, keep int, color Color, glyph rune, texts ...string) Part {
	mark := Text(string(glyph)+" ", Ink{FG: color})
	p := Part{Keep: keep}
	for _, t := range texts {
		spans := []Span{mark, Text(t, Ink{FG: style.Dim()})}
		if style.Shades() {
			spans[0] = Text("  ", Ink{BG: style.shade(color)})
			spans[1].Text = " " + t
		}
		if t == "" {
			spans = nil
		}
		p.Variants = append(p.Variants, spans)
	}
	return p
}

// Label is an entry of a run: its marker and name, in full or shortened to as little as
// least cells.
func Label(style Style, run int, name string, least int) Part {
	return Part{Variants: Names(Mark(style, run), name, least), Keep: 2, Cut: 1}
}

// Names are the variants of a marker and a name, in full and shortened to as little as least
// cells, with what stands behind it.
func Names(mark Span, name string, least int, behind ...Span) (variants [][]Span) {
	for _, text := range shortened(name, least) {
		variants = append(variants, append([]Span{mark, Plain(text)}, behind...))
	}
	return variants
}

// shortened returns a name in full and in fewer and fewer cells, the last at most least.
func shortened(name string, least int) []string {
	list := []string{name}
	for w := Width(name) - 1; w >= least; w-- {
		if text := Shorten(name, w); Width(text) < Width(list[len(list)-1]) {
			list = append(list, text)
		}
	}
	return list
}

func spansWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += Width(s.Text)
	}
	return n
}

// legendGap separates the entries of a legend.
const legendGap = 2

// DrawLegend writes the parts from x, y on in at most w cells, shortened as
// little as it takes. What still does not fit is left out where it matters less than the
// rest, and else cut with an ellipsis.
func DrawLegend(cv *Canvas, x, y, w int, parts []Part) {
	chosen := make([]int, len(parts))
	for legendWidth(parts, chosen) > w {
		next := -1
		for i, p := range parts {
			if chosen[i]+1 < len(p.Variants) &&
				(next < 0 || sooner(p, chosen[i], parts[next], chosen[next])) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		chosen[next]++
	}
	for legendWidth(parts, chosen) > w && leaveOut(parts, chosen) {
	}
	end, first := x+w, true
	for i, p := range parts {
		if chosen[i] == leftOut || spansWidth(p.Variants[chosen[i]]) == 0 {
			continue
		}
		spans := p.Variants[chosen[i]]
		if !first {
			x += legendGap
		}
		first = false
		for _, s := range spans {
			if x >= end {
				return
			}
			x = cv.Text(x, y, Truncate(s.Text, end-x), s.Ink)
		}
	}
}

// leftOut is the variant of a part that is not drawn.
const leftOut = -1

// leaveOut leaves out the last of the parts that matter least, unless all matter as much.
func leaveOut(parts []Part, chosen []int) bool {
	least, most := -1, 0
	for i, p := range parts {
		if chosen[i] == leftOut {
			continue
		}
		most = max(most, p.Keep)
		if least < 0 || p.Keep <= parts[least].Keep {
			least = i
		}
	}
	if least < 0 || parts[least].Keep == most {
		return false
	}
	chosen[least] = leftOut
	return true
}

// sooner tells whether part a, of which a variant is chosen, is to be shortened before part b.
func sooner(a Part, ofA int, b Part, ofB int) bool {
	turnA, nameA := a.turn(ofA)
	turnB, nameB := b.turn(ofB)
	switch {
	case a.Keep != b.Keep:
		return a.Keep < b.Keep
	case turnA != turnB:
		return turnA < turnB
	}
	return nameA && nameB && spansWidth(a.Variants[ofA]) > spansWidth(b.Variants[ofB])
}

func legendWidth(parts []Part, chosen []int) int {
	total := 0
	for i, p := range parts {
		if chosen[i] == leftOut {
			continue
		}
		if n := spansWidth(p.Variants[chosen[i]]); n > 0 {
			if total > 0 {
				total += legendGap
			}
			total += n
		}
	}
	return total
}

// Mark is the marker of a run, with a blank.
func Mark(style Style, run int) Span {
	return Span{string(Marker(run)) + " ", Ink{FG: style.RunColor(run), Bold: true}}
}
