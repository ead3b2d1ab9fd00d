package ablate

import "dgplab/tui/kit"

// block is a panel and where it is; its ID is a part or a panel.
type block = kit.Placed[int]

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
)

// frame places header and footer and returns what is between them.
func frame(w, h int) (l layout, body kit.Rect) {
	l.header, l.footer, body = kit.Edges(w, h)
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
		l.foot, l.footBare, body = kit.CutPlan(body, 6)
		left := kit.Area(0, body.Y, w*3/5, body.H)
		l.blocks = []block{kit.Place(int(partForm), left), kit.Place(int(partList), kit.Area(left.W, body.Y, w-left.W, body.H))}
		return l
	}
	if h >= 7 {
		l.tabs = kit.Area(0, body.Y, w, 1)
		body.Y, body.H = body.Y+1, body.H-1
	}
	l.foot, l.footBare, body = kit.CutPlan(body, 6)
	l.blocks = []block{kit.Place(int(focus), body)}
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
		l.blocks = []block{kit.Place(int(panelCells), left), kit.Place(int(panelPlot), top), kit.Place(int(panelScores), bottom)}
		return l
	}
	if h >= 7 {
		l.tabs = kit.Area(0, body.Y, w, 1)
		body.Y, body.H = body.Y+1, body.H-1
	}
	l.blocks = []block{kit.Place(int(focus), body)}
	return l
}
