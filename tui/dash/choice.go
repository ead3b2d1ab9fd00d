package dash

import (
	"fmt"
	"slices"

	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// choice is a value that the user chooses in a panel, such as the layer to show. Its fields determine arrows,
// wheel, key, title and message.
type choice struct {
	// name is the noun before the number of a value, such as "layer" in "layer 1 of 3".
	name string
	// position is the state. Panels that share it show the same value.
	position *position
	// arrows change the choice, and key selects the next value. A choice may have neither.
	arrows arrows
	key    kit.Binding
	// wheel marks the choice that the mouse wheel changes. Without a mark it changes the first choice.
	wheel bool
	// stops makes arrows and wheel stop at the first and the last value instead of wrapping around.
	stops bool
	// named makes the choice follow the label of its value when the numbers of values change.
	named bool
	// shown is the place of the note on the chosen value.
	shown visibility
	// count returns the number of values. It is 0 if there is nothing to choose.
	count func(s scene) int
	// first returns the initial value. It is nil if that is 0.
	first func(s scene) int
	// label returns the name of a value. It is nil if values are only numbered.
	label func(s scene, i int) string
	// note replaces "layer 1 of 3" in the title. It may be nil.
	note func(s scene) string
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

// value returns the index of the chosen value. It is 0 if there is nothing to choose.
func (s scene) value(c *choice) int {
	n := c.count(s)
	if n == 0 {
		return 0
	}
	for _, f := range slices.Backward(s.fixed) {
		if f.position == c.position {
			return min(f.value, n-1)
		}
	}
	first := 0
	if c.first != nil {
		first = c.first(s)
	}
	if c.named {
		for i := range n {
			if c.label(s, i) == c.position.label {
				return i
			}
		}
		return first
	}
	return c.within(first+c.position.offset, n)
}

// within maps i to an index from 0 to n-1.
func (c *choice) within(i, n int) int {
	if c.stops {
		return min(max(i, 0), n-1)
	}
	return (i%n + n) % n
}

// set chooses a value.
func (s scene) set(c *choice, value int) {
	switch {
	case c.named:
		c.position.label = c.label(s, value)
	case c.first != nil:
		c.position.offset = value - c.first(s)
	default:
		c.position.offset = value
	}
}

// text returns the name and the number of the chosen value, such as "layer 1 of 3".
func (s scene) text(c *choice) string {
	return fmt.Sprintf("%s %d of %d", c.name, s.value(c)+1, c.count(s))
}

// noteOf returns the note on a choice in the title of a panel, or "" if there is only one value.
func (s scene) noteOf(c *choice) string {
	switch {
	case c.shown != inNotes || c.count(s) < 2:
		return ""
	case c.note != nil:
		return c.note(s)
	}
	return s.text(c)
}

// with returns the scene with a choice fixed at a value.
func (s scene) with(c *choice, value int) scene {
	s.fixed = append(slices.Clip(s.fixed), fixedPosition{c.position, value})
	return s
}

// each returns a scene for every value of a choice.
func (s scene) each(c *choice) (list []scene) {
	for i := range c.count(s) {
		list = append(list, s.with(c, i))
	}
	return list
}

// arrow performs the action of an arrow key in a panel and returns a message.
func (d *Dash) arrow(p *panel, across, down int) string {
	if p.arrow != nil {
		return p.arrow(d, across, down)
	}
	return d.turnChoices(p, across, down)
}

// turnChoices changes the first choice of a panel that has this arrow key and several values. If the panel
// has no such choice, another run is selected. It returns a message, or "" if a panel on the screen shows the
// new value.
func (d *Dash) turnChoices(p *panel, across, down int) string {
	s := d.scene()
	several := func(c *choice) bool { return c.arrows != noArrows && c.count(s) > 1 }
	for _, c := range p.choices {
		if by := c.arrows.step(across, down); by != 0 && several(c) {
			return d.turn(p, c, by)
		}
	}
	if slices.ContainsFunc(p.choices, several) {
		return ""
	}
	return d.choose(across + down)
}

// turnByKey selects the next value of the choice with this key, and the first one after the last. If panels
// share the choice, the panel with the most values counts.
func (d *Dash) turnByKey(p *panel, c *choice) string {
	s := d.scene()
	for _, other := range d.allPanels() {
		for _, o := range other.choices {
			if o.position == c.position && o.count(s) > c.count(s) {
				p, c = other, o
			}
		}
	}
	by := 1
	if n := c.count(s); c.stops && n > 0 && s.value(c) == n-1 {
		by = 1 - n
	}
	return d.turn(p, c, by)
}

// turn moves a choice of a panel by the given number of values. It returns a message, or "" if a panel on the
// screen shows the new value.
func (d *Dash) turn(p *panel, c *choice, by int) string {
	s := d.scene()
	switch c.count(s) {
	case 0:
		return "there is no " + c.name + " to choose"
	case 1:
		return "there is only one " + c.name
	}
	for _, other := range p.choices {
		if other.named { // Its default may depend on c.
			s.set(other, s.value(other))
		}
	}
	s.set(c, c.within(s.value(c)+by, c.count(s)))
	if d.showsChoice(c) {
		return ""
	}
	text := s.text(c)
	if c.label != nil {
		text = report.Printable(c.label(s, s.value(c))) + " (" + text + ")"
	}
	return p.name + ": " + text
}

// showsChoice reports whether a panel on the screen shows the value of a choice.
func (d *Dash) showsChoice(c *choice) bool {
	return slices.ContainsFunc(d.arrange().panels, func(p placed) bool {
		return !p.Bare && slices.ContainsFunc(p.ID.choices, func(o *choice) bool {
			return o.position == c.position && o.shown != nowhere
		})
	})
}

// wheelChoice returns the choice that the mouse wheel changes, or nil if there is none.
func (p *panel) wheelChoice() *choice {
	if len(p.choices) == 0 {
		return nil
	}
	return p.choices[max(slices.IndexFunc(p.choices, func(c *choice) bool { return c.wheel }), 0)]
}
