package board

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Choice is a value that the user chooses in a panel, such as the layer to show. Its fields determine arrows,
// wheel, key, title and message.
type Choice struct {
	// name is the noun before the number of a value, such as "layer" in "layer 1 of 3".
	name string
	// position is the state. Panels that share it show the same value.
	position *position
	// arrows change the choice, and action selects the next value. A choice may have neither.
	arrows arrows
	action kit.Action
	// wheel marks the choice that the mouse wheel changes. Without a mark it changes the first choice.
	wheel bool
	// stops makes arrows and wheel stop at the first and the last value instead of wrapping around.
	stops bool
	// named makes the choice follow the label of its value when the numbers of values change.
	named bool
	// shown is the place of the note on the chosen value.
	shown visibility
	// count returns the number of values. It is 0 if there is nothing to choose.
	Count func(b *Board) int
	// first returns the initial value. It is nil if that is 0.
	first func(b *Board) int
	// label returns the name of a value. It is nil if values are only numbered.
	label func(b *Board, i int) string
	// note replaces "layer 1 of 3" in the title. It may be nil.
	note func(b *Board) string
}

// position is the state of a choice.
type position struct {
	offset int    // distance from the initial value of the choice
	label  string // value of a named choice, or "" before the user chose one
}

// visibility is the place of the note on the chosen value.
type visibility int

const (
	// inNotes adds a note to the title of the panel.
	inNotes visibility = iota
	// inPicture adds no note, because the title or the picture already shows the value.
	inPicture
	// nowhere marks a choice that the panel does not show, although its arrows change it.
	nowhere
)

// arrows selects the arrow keys that change a choice.
type arrows int

const (
	noArrows arrows = iota
	leftRight
	upDown // down selects the next value
	downUp // up selects the next value
	anyArrow
)

// step returns the number of values by which an arrow key moves the choice.
func (a arrows) step(across, down int) int {
	return [...]int{noArrows: 0, leftRight: across, upDown: down, downUp: -down, anyArrow: across + down}[a]
}

// Value returns the index of the chosen value. It is 0 if there is nothing to choose.
func (b *Board) Value(c *Choice) int {
	n := c.Count(b)
	if n == 0 {
		return 0
	}
	for _, f := range slices.Backward(b.fixed) {
		if f.position == c.position {
			return min(f.value, n-1)
		}
	}
	first := 0
	if c.first != nil {
		first = c.first(b)
	}
	if c.named {
		for i := range n {
			if c.label(b, i) == c.position.label {
				return i
			}
		}
		return first
	}
	return c.within(first+c.position.offset, n)
}

// within maps i to an index from 0 to n-1.
func (c *Choice) within(i, n int) int {
	if c.stops {
		return min(max(i, 0), n-1)
	}
	return (i%n + n) % n
}

// set chooses a value.
func (b *Board) set(c *Choice, value int) {
	switch {
	case c.named:
		c.position.label = c.label(b, value)
	case c.first != nil:
		c.position.offset = value - c.first(b)
	default:
		c.position.offset = value
	}
}

// text returns the name and the number of the chosen value, such as "layer 1 of 3".
func (b *Board) text(c *Choice) string {
	return fmt.Sprintf("%s %d of %d", c.name, b.Value(c)+1, c.Count(b))
}

// noteOf returns the note on a choice in the title of a panel, or "" if there is only one value.
func (b *Board) noteOf(c *Choice) string {
	switch {
	case c.shown != inNotes || c.Count(b) < 2:
		return ""
	case c.note != nil:
		return c.note(b)
	}
	return b.text(c)
}

// with returns a copy of the board with a choice fixed at a value.
func (b *Board) with(c *Choice, value int) *Board {
	other := *b
	other.fixed = append(slices.Clip(b.fixed), fixedPosition{c.position, value})
	return &other
}

// each returns a copy of the board for every value of a choice. In figures of what is on the screen, it
// returns only the chosen value.
func (b *Board) each(c *Choice) (list []*Board) {
	if b.onlyChosen && c.Count(b) > 0 {
		return []*Board{b.with(c, b.Value(c))}
	}
	for i := range c.Count(b) {
		list = append(list, b.with(c, i))
	}
	return list
}

// foldedUnless returns the reason why pages fold a picture along an input other than the chosen one, or "".
func (b *Board) foldedUnless(chosen int, input *Choice) string {
	if b.Value(input) == chosen {
		return ""
	}
	return "of other inputs"
}

// fileOf adds to the name of a file the choices of a panel that are not at their first values, such as
// "pit-target-2".
func (b *Board) fileOf(name string, choices ...*Choice) string {
	for _, c := range choices {
		first := 0
		if c.first != nil {
			first = c.first(b)
		}
		if i := b.Value(c); c.Count(b) > 1 && i != first {
			name += fmt.Sprintf("-%s-%d", strings.ReplaceAll(c.name, " ", "-"), i+1)
		}
	}
	return name
}

// Turn moves a choice of a panel by the given number of values. It returns the new value in words. If there
// are no values to choose from, turned is false and the text is the reason.
func (b *Board) Turn(p *Panel, c *Choice, by int) (text string, turned bool) {
	switch c.Count(b) {
	case 0:
		return "there is no " + c.name + " to choose", false
	case 1:
		return "there is only one " + c.name, false
	}
	for _, other := range p.Choices {
		if other.named { // Its default may depend on c.
			b.set(other, b.Value(other))
		}
	}
	b.set(c, c.within(b.Value(c)+by, c.Count(b)))
	text = b.text(c)
	if c.label != nil {
		text = report.Printable(c.label(b, b.Value(c))) + " (" + text + ")"
	}
	return p.Name + ": " + text, true
}

// Next returns by how many values a choice moves to its next value, and from the last to the first one. If
// panels share the choice, it returns the panel and the choice with the most values.
func (b *Board) Next(p *Panel, c *Choice) (*Panel, *Choice, int) {
	for _, other := range b.AllPanels() {
		for _, o := range other.Choices {
			if o.position == c.position && o.Count(b) > c.Count(b) {
				p, c = other, o
			}
		}
	}
	if n := c.Count(b); c.stops && n > 0 && b.Value(c) == n-1 {
		return p, c, 1 - n
	}
	return p, c, 1
}

// ArrowChoice returns the first choice with several values that an arrow key moves, and by how many values.
// If the arrow key moves none of the choices, by is 0. The choice is nil if the arrow keys move no choice at
// all.
func (p *Panel) ArrowChoice(b *Board, across, down int) (c *Choice, by int) {
	for _, o := range p.Choices {
		if o.arrows == noArrows || o.Count(b) < 2 {
			continue
		}
		c = o
		if by = c.arrows.step(across, down); by != 0 {
			return c, by
		}
	}
	return c, 0
}

// WheelChoice returns the choice that the mouse wheel changes, or nil if there is none.
func (p *Panel) WheelChoice() *Choice {
	if len(p.Choices) == 0 {
		return nil
	}
	return p.Choices[max(slices.IndexFunc(p.Choices, func(c *Choice) bool { return c.wheel }), 0)]
}

// ShowsChoice reports whether the panel shows the value of a choice.
func (p *Panel) ShowsChoice(c *Choice) bool {
	return slices.ContainsFunc(p.Choices, func(o *Choice) bool {
		return o.position == c.position && o.shown != nowhere
	})
}
