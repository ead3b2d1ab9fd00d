package dash

import (
	"slices"
	"strconv"

	"dgplab/tui/board"
	"dgplab/tui/kit"
)

// pageBarred returns the reason why a page is unavailable, or "" if it is available.
func (d *Dash) pageBarred(p int) string {
	if len(d.Panels(p)) == 0 {
		return "no run on the screen has " + d.Pages[p].Name
	}
	return ""
}

// pageAvailable reports whether a run on the screen has a panel of the page.
func (d *Dash) pageAvailable(p int) bool { return d.pageBarred(p) == "" }

// pageBy returns the page that an action opens, or -1 if there is none.
func (d *Dash) pageBy(act kit.Action) int {
	return slices.IndexFunc(d.Pages, func(p board.Page) bool { return pageAction(p) == act })
}

// pageOf returns the page of a panel.
func (d *Dash) pageOf(panel *board.Panel) int {
	has := func(p board.Page) bool { return slices.Contains(p.Panels, panel) }
	return max(slices.IndexFunc(d.Pages, has), 0)
}

// tab is a panel with its names, and what the layout depends on (see Panel.Lines and Panel.Uses).
type tab struct {
	panel       *board.Panel
	row         bool // a row of its own
	name, short string
	lines       func(w int) int
	uses        func(w, h int) int
}

// tabs returns the panels of a page that apply, with their names.
func (d *Dash) tabs(p int) (list []tab) {
	for _, panel := range d.Panels(p) {
		name, short := panel.Names(d.Board)
		list = append(list, tab{panel, panel.OwnRow(d.Board), name, short,
			func(w int) int { return panel.Lines(d.Board, w) },
			func(w, h int) int { return panel.Uses(d.Board, w, h) }})
	}
	return list
}

// pageTabs holds the names of all pages and the index of the visible page. In the brief names, unavailable
// pages have only their number.
type pageTabs struct {
	long, short, brief, numbers kit.Tabs
	at                          int
}

// pageTabs returns the tabs of the pages.
func (d *Dash) pageTabs() pageTabs {
	t := pageTabs{at: d.onPage()}
	for i, p := range d.Pages {
		number := strconv.Itoa(i + 1)
		t.long = append(t.long, number+" "+p.Name)
		t.short = append(t.short, number+" "+p.Short)
		t.numbers = append(t.numbers, number)
		if d.pageAvailable(i) {
			number += " " + p.Short
		}
		t.brief = append(t.brief, number)
	}
	return t
}

// named returns the numbers of the pages, with the short name of the visible page.
func (t pageTabs) named() kit.Tabs {
	list := slices.Clone(t.numbers)
	list[t.at] = t.short[t.at]
	return list
}

// panelTabs returns the tabs of panels.
func panelTabs(tabs []tab, short bool) (t kit.Tabs) {
	for _, tab := range tabs {
		name := tab.name
		if short {
			name = tab.short
		}
		t = append(t, name)
	}
	return t
}

// tabsRoom returns the width of a line of tabs.
func tabsRoom(t kit.Tabs) int {
	n := 0
	for _, name := range t {
		n += 3 + kit.Cells(name)
	}
	return n
}
