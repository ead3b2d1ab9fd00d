package ablate

import "dgplab/tui/kit"

// block is a panel and where it is; its ID is a part or a panel.
type block = kit.Placed[int]

// The sizes at which several panels stand beside each other; below them there is
// one with tabs.
const (
	wideGrid, highGrid         = 96, 26
	wideProgress, highProgress = 96, 18
)

// arrangeGrid places the form, the list of sweeps and the plan in w x h cells. As
// the terminal shrinks, the two become one with tabs, the plan loses its border,
// then lines, then goes, and so do the footer, the tabs and the borders.
func arrangeGrid(w, h int, focus part) kit.Layout {
	l, body := kit.NewLayout(w, h)
	if body.Empty() {
		return l
	}
	if w >= wideGrid && h >= highGrid {
		body = l.CutPlan(body, 6)
		left := kit.Area(0, body.Y, w*3/5, body.H)
		l.Parts = []block{kit.Place(int(partForm), left), kit.Place(int(partList), kit.Area(left.W, body.Y, w-left.W, body.H))}
		return l
	}
	l.Parts = []block{kit.Place(int(focus), l.CutPlan(l.CutTabs(body, h), 6))}
	return l
}

// barHeight is the least height of a screen with the bar of what is done.
const barHeight = 12

// arrangeProgress places the panels of a sweep in w x h cells: the cells on the
// left, the plot above the scores on the right, or one of them with tabs. The bar
// of what is done goes first.
func arrangeProgress(w, h int, focus panel) kit.Layout {
	l, body := kit.NewLayout(w, h)
	if body.Empty() {
		return l
	}
	if h >= barHeight {
		l.Foot, l.FootBare = kit.Area(1, body.Y, w-1, 1), true
		body.Y, body.H = body.Y+1, body.H-1
	}
	if w >= wideProgress && h >= highProgress {
		left, right := body.Beside()
		top, bottom := right, right
		top.H = right.H * 3 / 5
		bottom.Y, bottom.H = top.Y+top.H, right.H-top.H
		l.Parts = []block{kit.Place(int(panelCells), left), kit.Place(int(panelPlot), top), kit.Place(int(panelScores), bottom)}
		return l
	}
	l.Parts = []block{kit.Place(int(focus), l.CutTabs(body, h))}
	return l
}
