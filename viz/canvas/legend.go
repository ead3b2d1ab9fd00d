package canvas

import (
	"slices"
	"strings"
)

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
// turn. A Name makes the part of a run.
type Part struct {
	Variants [][]Span
	Keep     int
	// losses holds the losses of a name from each variant to the next, and is nil for other parts.
	losses []loss
}

// loss is the kind of information that the name of a run loses when its entry is shortened. The
// order of the constants is the order in which a legend drops things.
type loss int

const (
	ofStep loss = iota
	ofDetail
	ofLetters
	ofName
)

// loses returns the kind of information that the next variant lacks. A note loses details.
func (p Part) loses(variant int) loss {
	if p.losses == nil {
		return ofDetail
	}
	return p.losses[variant]
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

// Name is the name of a run or a group in a legend, with its details. All legends shorten names by
// one rule: they drop the steps of all names, then their details, then letters of the widest name,
// and finally show markers alone.
type Name struct {
	// Mark is the marker, followed by a blank. It may be empty.
	Mark Span
	// Text is the name itself. What follows a comma is a detail.
	Text string
	// Step is the step of the run. It follows the name.
	Step string
	// Value follows the name and stays beside a marker that stands alone. Details follow it; the last
	// is dropped first. At is the step of the value.
	Value, Details []Span
	At             Span
}

// Label returns the name of a run with its step, which may be empty.
func Label(style Style, run int, name, step string) Name {
	return Name{Mark: Mark(style, run), Text: name, Step: step}
}

// leastName is the width down to which a name is shortened. keepName is the Keep of names.
const leastName, keepName = 5, 3

// Part returns the entry of the name.
func (n Name) Part() Part {
	name, detail, detailed := strings.Cut(n.Text, ",")
	if detailed {
		detail = "," + detail
	}
	p := Part{Keep: keepName}
	add := func(lost loss, text string, behind ...Span) {
		spans := []Span{n.Mark, Plain(text)}
		gap := "  "
		if text == "" {
			gap = ""
		}
		for _, s := range behind {
			if s.Text != "" {
				spans = append(spans, Text(gap+s.Text, s.Ink))
				gap = ""
			}
		}
		if len(p.Variants) > 0 {
			p.losses = append(p.losses, lost)
		}
		p.Variants = append(p.Variants, spans)
	}
	said := slices.Concat(n.Value, n.Details)
	if n.Step != "" || n.At.Text != "" {
		whole := name
		if n.Step != "" {
			whole += " " + n.Step
		}
		add(ofStep, whole+detail, append(slices.Clone(said), n.At)...)
	}
	add(ofStep, name+detail, said...)
	for k := len(n.Details) - 1; k >= 0; k-- {
		add(ofDetail, name+detail, said[:len(n.Value)+k]...)
	}
	if detailed {
		add(ofDetail, name, n.Value...)
	}
	for _, text := range shortened(name, leastName)[1:] {
		add(ofLetters, text, n.Value...)
	}
	alone := n.Mark
	if len(n.Value) == 0 {
		alone.Text = strings.TrimRight(alone.Text, " ")
	}
	if alone.Text != "" && name != "" {
		p.losses = append(p.losses, ofName)
		p.Variants = append(p.Variants, append([]Span{alone}, n.Value...))
	}
	return p
}

// Width returns the width of the entry that is not shortened.
func (n Name) Width() int { return spansWidth(n.Part().Variants[0]) }

// In returns the entry as text of at most w cells, shortened as in a legend.
func (n Name) In(w int) string {
	text := ""
	for _, spans := range n.Part().Variants {
		text = ""
		for _, s := range spans {
			text += s.Text
		}
		if Width(text) <= w {
			return text
		}
	}
	return Shorten(text, w)
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
	for legendWidth(parts, chosen) > w && shortenOne(parts, chosen) {
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

// shortenOne shortens the least important part, or leaves it out if no part can be shortened. It
// returns false if nothing can be spared.
func shortenOne(parts []Part, chosen []int) bool {
	next := -1
	for i, p := range parts {
		if chosen[i] != leftOut && chosen[i]+1 < len(p.Variants) &&
			(next < 0 || sooner(p, chosen[i], parts[next], chosen[next])) {
			next = i
		}
	}
	if next < 0 {
		return leaveOut(parts, chosen)
	}
	lost := parts[next].loses(chosen[next])
	if parts[next].losses == nil || lost == ofLetters {
		chosen[next]++
		return true
	}
	for i, p := range parts { // Names that lose different things would look like different runs.
		if k := chosen[i]; k != leftOut && k < len(p.losses) && p.losses[k] == lost {
			chosen[i]++
		}
	}
	return true
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

// sooner reports whether part a is shortened before part b: first names lose their steps, then less
// important parts are shortened. A note that is as important as names is shortened in turn with the
// details of names.
func sooner(a Part, ofA int, b Part, ofB int) bool {
	lossA := a.loses(ofA)
	lossB := b.loses(ofB)
	switch {
	case (lossA == ofStep) != (lossB == ofStep):
		return lossA == ofStep
	case a.Keep != b.Keep:
		return a.Keep < b.Keep
	case lossA != lossB:
		return lossA < lossB
	case lossA == ofLetters:
		return spansWidth(a.Variants[ofA]) > spansWidth(b.Variants[ofB])
	}
	return ofA < ofB
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
