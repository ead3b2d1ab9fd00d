package canvas

// Span is a piece of text in one look.
type Span struct {
	Text string
	Ink  Ink
}

// Text returns text with the given look.
func Text(text string, look Ink) Span { return Span{text, look} }

// Plain returns text in the terminal's default look.
func Plain(text string) Span { return Span{Text: text} }

// Part is one entry of a legend. Variants go from the longest to the shortest; the last may be
// empty. Parts with a lower Keep are shortened first. Parts with the same Keep are shortened in
// turn, except names, of which the widest is shortened.
type Part struct {
	Variants [][]Span
	Keep     int
	// Cut is the index of the first variant that only shortens the name in the variant before it.
	// All later variants only shorten it further. Cut is 0 if there is none.
	Cut int
}

// turn returns the order in which a variant is replaced by the next. All cuts of a name have the
// turn of the first.
func (p Part) turn(variant int) (turn int, name bool) {
	if p.Cut > 0 && variant >= p.Cut-1 {
		return p.Cut - 1, true
	}
	return variant, false
}

// Note returns an entry with variants of one string, from the longest to the shortest. An empty
// string leaves the entry out.
func Note(keep int, look Ink, texts ...string) Part {
	p := Part{Keep: keep}
	for _, t := range texts {
		p.Variants = append(p.Variants, []Span{Text(t, look)})
	}
	return p
}

// Band returns the entry of a shaded area with names from the longest to the shortest. The glyph
// marks it on terminals with too few colours.
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

// Label returns the entry of a run: its marker and its name, which is shortened to no fewer than
// least cells.
func Label(style Style, run int, name string, least int) Part {
	return Part{Variants: Names(Mark(style, run), name, least), Keep: 2, Cut: 1}
}

// Names returns the variants of a marker and a name, from the full name to a name of least cells,
// each followed by the spans in behind.
func Names(mark Span, name string, least int, behind ...Span) (variants [][]Span) {
	for _, text := range shortened(name, least) {
		variants = append(variants, append([]Span{mark, Plain(text)}, behind...))
	}
	return variants
}

// shortened returns a name in full and in fewer and fewer cells, down to least cells.
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

// DrawLegend writes the parts starting at x, y in at most w cells, shortened as little as possible.
// If the shortest variants do not fit, the least important parts are left out, and the last is cut
// with an ellipsis.
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

// leftOut marks a part that is not drawn.
const leftOut = -1

// leaveOut leaves out the last of the least important parts. It returns false if all parts are
// equally important.
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

// sooner reports whether part a is shortened before part b.
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

// Mark returns the marker of a run, followed by a blank.
func Mark(style Style, run int) Span {
	return Span{string(Marker(run)) + " ", Ink{FG: style.RunColor(run), Bold: true}}
}
