package browse

import "dgplab/tui/kit"

// layout says where everything on the screen goes. A region without cells is not
// drawn. input is the filter, or the line that is being typed.
type layout struct {
	header, input, list, details, footer kit.Rect
	bare                                 bool // list and details have no border
}

// inner returns the region inside a part's border.
func (l layout) inner(r kit.Rect) kit.Rect {
	if l.bare {
		return r
	}
	return r.Inner()
}

// The sizes at which the browser gives something up, in this order as the terminal
// shrinks: the details go from beside the list to below it and then to a page of
// their own; borders go, the footer, and last all but lines of state.
const (
	besideWidth               = 140
	belowHeight               = 18 // of the body
	borderWidth, borderHeight = 56, 12
	detailsWidth              = 58 // at most, beside the list
	detailsHeight             = 18 // at most, below it
)

// arrange places the browser in w x h cells. With input there is a line for it. It
// depends on nothing else.
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
