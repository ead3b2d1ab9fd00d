package sweep

import "dgplab/tui/kit"

// block is a panel with its region. Its ID is a part, a panel or a section.
type block = kit.Placed[int]

// The minimum sizes for several panels side by side. Smaller screens show one panel with tabs.
const (
	wideGrid, highGrid         = 96, 26
	wideProgress, highProgress = 96, 18
	wideCompare, highCompare   = 96, 28
)

// arrangeGrid returns the layout of the form, the list of sweeps and the plan in w x h cells. As the terminal
// shrinks, form and list share one panel with tabs. The plan loses its border, then lines, and is then
// dropped. Finally the footer, the tabs and the borders are dropped.
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

// barHeight is the minimum height of a screen with a progress bar.
const barHeight = 12

// belowBar returns a layout with the progress bar, if there is room, and the body below it.
func belowBar(w, h int) (l kit.Layout, body kit.Rect) {
	l, body = kit.NewLayout(w, h)
	if h >= barHeight && !body.Empty() {
		l.Foot, l.FootBare = kit.Area(1, body.Y, w-1, 1), true
		body.Y, body.H = body.Y+1, body.H-1
	}
	return l, body
}

// arrangeComparison returns the layout of the sections of a comparison in w x h cells: tables and notes at
// the top, ranks and direct comparisons below them. lines returns the number of lines of a section, w cells
// wide, or 0 if there are no ranks; the direct comparisons then have the whole width. If there is no room or
// whole is set, it shows only the focused section, with tabs.
func arrangeComparison(w, h int, focus section, whole bool, lines func(id section, w int) int) kit.Layout {
	l, body := belowBar(w, h)
	if body.Empty() {
		return l
	}
	if whole || w < wideCompare || h < highCompare {
		l.Parts = []block{kit.Place(int(focus), l.CutTabs(body, h))}
		return l
	}
	most := func(a section, left kit.Rect, b section, right kit.Rect) int {
		return kit.FramedHeight(max(lines(a, left.Inner().W), lines(b, right.Inner().W)))
	}
	tables, notes := cutAt(body, body.W*2/3)
	above := most(sectionTables, tables, sectionNotes, notes)
	ranks, direct := cutAt(body, body.W*2/5)
	ranked := lines(sectionRanks, ranks.Inner().W) > 0
	if !ranked {
		ranks, direct = cutAt(body, 0)
	}
	top, bottom := body.Shared(above, most(sectionRanks, ranks, sectionDirect, direct))
	ranks, direct = cutAt(bottom, ranks.W)
	tables, notes = cutAt(top, tables.W)
	l.Parts = []block{kit.Place(int(sectionTables), tables), kit.Place(int(sectionNotes), notes)}
	if ranked {
		l.Parts = append(l.Parts, kit.Place(int(sectionRanks), ranks))
	}
	l.Parts = append(l.Parts, kit.Place(int(sectionDirect), direct))
	return l
}

// cutAt splits r into a left region of w cells and a right region.
func cutAt(r kit.Rect, w int) (left, right kit.Rect) {
	return kit.Area(r.X, r.Y, w, r.H), kit.Area(r.X+w, r.Y, r.W-w, r.H)
}

// arrangeProgress returns the layout of the panels of a sweep in w x h cells. cells and scores are the
// numbers of lines of these tables, or 0 if unknown. Short tables are side by side above the plot. Otherwise
// the cells are on the left, and the plot is above the scores on the right. With less room there is one panel
// with tabs. On a short screen the progress bar is dropped first.
func arrangeProgress(w, h int, focus panel, cells, scores int) kit.Layout {
	l, body := belowBar(w, h)
	if body.Empty() {
		return l
	}
	if w < wideProgress || h < highProgress {
		l.Parts = []block{kit.Place(int(focus), l.CutTabs(body, h))}
		return l
	}
	left, right := body.Beside()
	if tables := kit.FramedHeight(max(cells, scores)); cells > 0 && tables <= body.H/2 {
		top, plot := body.Shared(tables, 0)
		left.H, right.H = top.H, top.H
		l.Parts = []block{kit.Place(int(panelCells), left), kit.Place(int(panelPlot), plot),
			kit.Place(int(panelScores), right)}
		return l
	}
	top, bottom := right, right
	top.H = right.H * 3 / 5
	if need := kit.FramedHeight(scores); need > 0 && need < right.H-top.H {
		top.H = right.H - need
	}
	bottom.Y, bottom.H = top.Y+top.H, right.H-top.H
	l.Parts = []block{kit.Place(int(panelCells), left), kit.Place(int(panelPlot), top),
		kit.Place(int(panelScores), bottom)}
	return l
}
