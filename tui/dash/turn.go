package dash

import (
	"slices"

	"dgplab/tui/report"
)

// arrow performs the action of an arrow key in a panel and returns a message.
func (d *Dash) arrow(p *panel, across, down int) string {
	if p.moves != nil {
		return p.moves.move(d, across, down)
	}
	return d.turnChoices(p, across, down)
}

// turnChoices changes the first choice of a panel that has this arrow key and several values. If the panel
// has no such choice, another run is selected. It returns a message, or "" if a panel on the screen shows the
// new value.
func (d *Dash) turnChoices(p *panel, across, down int) string {
	b := d.Board
	several := func(c *choice) bool { return c.arrows != noArrows && c.count(b) > 1 }
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
	b := d.Board
	for _, other := range d.AllPanels() {
		for _, o := range other.choices {
			if o.position == c.position && o.count(b) > c.count(b) {
				p, c = other, o
			}
		}
	}
	by := 1
	if n := c.count(b); c.stops && n > 0 && b.value(c) == n-1 {
		by = 1 - n
	}
	return d.turn(p, c, by)
}

// turn moves a choice of a panel by the given number of values. It returns a message, or "" if a panel on the
// screen shows the new value.
func (d *Dash) turn(p *panel, c *choice, by int) string {
	b := d.Board
	switch c.count(b) {
	case 0:
		return "there is no " + c.name + " to choose"
	case 1:
		return "there is only one " + c.name
	}
	for _, other := range p.choices {
		if other.named { // Its default may depend on c.
			b.set(other, b.value(other))
		}
	}
	b.set(c, c.within(b.value(c)+by, c.count(b)))
	if d.showsChoice(c) {
		return ""
	}
	text := b.text(c)
	if c.label != nil {
		text = report.Printable(c.label(b, b.value(c))) + " (" + text + ")"
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
