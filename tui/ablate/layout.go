package ablate

import "dgplab/tui/kit"

// block is a panel and where it is. A bare one has no border.
type block struct {
	id   int
	rect kit.Rect
	bare bool
}

// inner returns the region inside the border.
func (b block) inner() kit.Rect {
	if b.bare {
		return b.rect
	}
	return b.rect.Inner()
}

// newBlock returns a panel, without a border where there is no room for one.
func newBlock(id int, r kit.Rect) block {
	return block{id, r, r.W < kit.FrameWidth || r.H < kit.FrameHeight}
}

// layout says where everything is. A region without cells is not drawn.
type layout struct {
	header, tabs, foot, footer kit.Rect
	blocks                     []block
	footBare                   bool
}

// The sizes at which several panels stand beside each other; below them there is
// one with tabs.
const (
	wideGrid, highGrid         = 96, 26
	wideProgress, highProgress = 96, 18
	planLines                  = 4 // inside its border
)

// frame places header and footer and returns what is between them; below
// BareWidth that is nothing, and the header has it all.
func frame(w, h int) (l layout, body kit.Rect) {
	if w <= 0 || h <= 0 {
		return l, body
	}
	l.header = kit.Area(0, 0, w, 1)
	body = kit.Area(0, 1, w, h-1)
	if h >= 5 {
		l.footer = kit.Area(0, h-1, w, 1)
		body.H--
	}
	if w < kit.BareWidth || body.H <= 0 {
		l.header.H, l.footer.H = h, 0
		return l, kit.Rect{}
	}
	return l, body
}

// arrangeGrid places the form, the list of sweeps and the plan in w x h cells. As
// the terminal shrinks, the two become one with tabs, the plan loses its border,
// then lines, then goes, and so do the footer, the tabs and the borders.
func arrangeGrid(w, h int, focus part) layout {
	l, body := frame(w, h)
	if body.Empty() {
		return l
	}
	if w >= wideGrid && h >= highGrid {
		l.foot = kit.Area(0, body.Y+body.H-planLines-2, w, planLines+2)
		body.H -= l.foot.H
		left := kit.Area(0, body.Y, w*3/5, body.H)
		l.blocks = []block{newBlock(int(partForm), left), newBlock(int(partList), kit.Area(left.W, body.Y, w-left.W, body.H))}
		return l
	}
	if h >= 7 {
		l.tabs = kit.Area(0, body.Y, w, 1)
		body.Y, body.H = body.Y+1, body.H-1
	}
	switch {
	case body.H >= 18:
		l.foot = kit.Area(0, body.Y+body.H-planLines-2, w, planLines+2)
	case body.H >= 12:
		l.foot, l.footBare = kit.Area(1, body.Y+body.H-3, w-1, 3), true
	case body.H >= 6:
		l.foot, l.footBare = kit.Area(1, body.Y+body.H-1, w-1, 1), true
	}
	body.H -= l.foot.H
	l.blocks = []block{newBlock(int(focus), body)}
	return l
}

// barHeight is the least height of a screen with the bar of what is done.
const barHeight = 12

// arrangeProgress places the panels of a sweep in w x h cells: the cells on the
// left, the plot above the scores on the right, or one of them with tabs. The bar
// of what is done goes first.
func arrangeProgress(w, h int, focus panel) layout {
	l, body := frame(w, h)
	if body.Empty() {
		return l
	}
	if h >= barHeight {
		l.foot, l.footBare = kit.Area(1, body.Y, w-1, 1), true
		body.Y, body.H = body.Y+1, body.H-1
	}
	if w >= wideProgress && h >= highProgress {
		left, right := body.Beside()
		top, bottom := right, right
		top.H = right.H * 3 / 5
		bottom.Y, bottom.H = top.Y+top.H, right.H-top.H
		l.blocks = []block{newBlock(int(panelCells), left), newBlock(int(panelPlot), top), newBlock(int(panelScores), bottom)}
		return l
	}
	if h >= 7 {
		l.tabs = kit.Area(0, body.Y, w, 1)
		body.Y, body.H = body.Y+1, body.H-1
	}
	l.blocks = []block{newBlock(int(focus), body)}
	return l
}
