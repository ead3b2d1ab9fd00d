package ablate

import "dgplab/tui/kit"

// block is a panel and where it is; its ID is a part or a panel.
type block = kit.Placed[int]

// The sizes at which several panels stand beside each other; below them there is
// one with tabs.
const (
	wideGrid, highGrid         = 96, 26
	wideProgress, highProgress = 96, 18
	wideCompare, highCompare   = 96, 28
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
		l.Parts = []block{kit.Place(int(partForm), left),
			kit.Place(int(partList), kit.Area(left.W, body.Y, w-left.W, body.H))}
		return l
	}
	l.Parts = []block{kit.Place(int(focus), l.CutPlan(l.CutTabs(body, h), 6))}
	return l
}

// barHeight is the least height of a screen with the bar of what is done.
const barHeight = 12

// belowBar returns the layout of the screen of a sweep with the bar of what is done, where
// there is room, and the body below it.
func belowBar(w, h int) (l kit.Layout, body kit.Rect) {
	l, body = kit.NewLayout(w, h)
	if h >= barHeight && !body.Empty() {
		l.Foot, l.FootBare = kit.Area(1, body.Y, w-1, 1), true
		body.Y, body.H = body.Y+1, body.H-1
	}
	return l, body
}

// arrangeComparison places the sections of a comparison in w x h cells: tables and notes
// on top, ranks and direct comparisons below them, or, where there is no room or one is
// shown as a whole, one of them with tabs.
func arrangeComparison(w, h int, focus section, whole bool) kit.Layout {
	l, body := belowBar(w, h)
	if body.Empty() {
		return l
	}
	if whole || w < wideCompare || h < highCompare {
		l.Parts = []block{kit.Place(int(focus), l.CutTabs(body, h))}
		return l
	}
	top, bottom := body.Stacked()
	tables, notes := cutAt(top, top.W*2/3)
	ranks, direct := cutAt(bottom, bottom.W*2/5)
	l.Parts = []block{
		kit.Place(int(sectionTables), tables), kit.Place(int(sectionNotes), notes),
		kit.Place(int(sectionRanks), ranks), kit.Place(int(sectionDirect), direct),
	}
	return l
}

// cutAt cuts r into two beside each other, of which the left one has w cells.
func cutAt(r kit.Rect, w int) (left, right kit.Rect) {
	return kit.Area(r.X, r.Y, w, r.H), kit.Area(r.X+w, r.Y, r.W-w, r.H)
}

// arrangeProgress places the panels of a sweep in w x h cells: the cells on the
// left, the plot above the scores on the right, or one of them with tabs. The bar
// of what is done goes first.
func arrangeProgress(w, h int, focus panel) kit.Layout {
	l, body := belowBar(w, h)
	if body.Empty() {
		return l
	}
	if w >= wideProgress && h >= highProgress {
		left, right := body.Beside()
		top, bottom := right, right
		top.H = right.H * 3 / 5
		bottom.Y, bottom.H = top.Y+top.H, right.H-top.H
		l.Parts = []block{kit.Place(int(panelCells), left), kit.Place(int(panelPlot), top),
			kit.Place(int(panelScores), bottom)}
		return l
	}
	l.Parts = []block{kit.Place(int(focus), l.CutTabs(body, h))}
	return l
}
