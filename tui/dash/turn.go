package dash

import (
	"slices"

	"dgplab/tui/board"
)

// arrow performs the action of an arrow key in a panel and returns a message. Unless the panel itself moves,
// the arrow changes a choice of the panel or, if it has none with several values, selects another run.
func (d *Dash) arrow(p *board.Panel, across, down int) string {
	if p.Mover != nil {
		if message, taken := p.Mover.Move(d, across, down); taken {
			return message
		}
	}
	c, by := p.ArrowChoice(d.Board, across, down)
	switch {
	case c == nil:
		return d.choose(across + down)
	case by == 0:
		return ""
	}
	return d.turn(p, c, by)
}

// turnByKey selects the next value of a choice.
func (d *Dash) turnByKey(p *board.Panel, c *board.Choice) string {
	p, c, by := d.Next(p, c)
	return d.turn(p, c, by)
}

// turn moves a choice of a panel by the given number of values. It returns a message, or "" if a panel on the
// screen shows the new value.
func (d *Dash) turn(p *board.Panel, c *board.Choice, by int) string {
	text, turned := d.Turn(p, c, by)
	if turned && d.showsChoice(c) {
		return ""
	}
	return text
}

// showsChoice reports whether a panel on the screen shows the value of a choice.
func (d *Dash) showsChoice(c *board.Choice) bool {
	return slices.ContainsFunc(d.arrange().panels, func(p placed) bool {
		return !p.Bare && p.ID.ShowsChoice(c)
	})
}
