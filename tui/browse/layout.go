package browse

import (
	"dgplab/tui/kit"
)

// layout holds the regions of the screen. Empty regions are not drawn. input is the line with the filter or
// the prompt.
type layout struct {
	header, input, list, details, footer kit.Rect
	bare                                 bool // list and details have no border
}

// inner returns the region inside the border of a part.
func (l layout) inner(r kit.Rect) kit.Rect {
	if l.bare {
		return r
	}
	return r.Inner()
}

// The sizes at which the layout changes. As the terminal shrinks, the details move from the right of the list
// to below it and then to a separate page. Then the borders, the footer and finally everything except status
// lines are dropped.
const (
	besideWidth               = 140
	belowHeight               = 18 // of the body
	borderWidth, borderHeight = 56, 12
	detailsWidth              = 58 // maximum, next to the list
	detailsHeight             = 18 // maximum, below the list
)

// arrange returns the layout of w x h cells. input reserves a line for the filter or the prompt. It is a pure
// function.
func arrange(w, h int, focus part, input bool) layout {
	var l layout
	var body kit.Rect
	l.header, l.footer, body = kit.Edges(w, h)
	if body.Empty() {
		return l
	}
	if input {
		l.input = kit.Area(0, body.Y, w, 1)
		body.Y, body.H = body.Y+1, body.H-1
	}
	l.bare = w < borderWidth || h < borderHeight
	switch {
	case w >= besideWidth && body.H >= kit.FrameHeight:
		wide := min(w*2/5, detailsWidth)
		l.list = kit.Area(0, body.Y, w-wide, body.H)
		l.details = kit.Area(w-wide, body.Y, wide, body.H)
	case body.H >= belowHeight:
		high := min(body.H*9/20, detailsHeight)
		l.list = kit.Area(0, body.Y, w, body.H-high)
		l.details = kit.Area(0, body.Y+body.H-high, w, high)
	case focus == partDetails:
		l.details = body
	default:
		l.list = body
	}
	return l
}
