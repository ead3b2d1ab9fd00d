package dash

import "dgplab/tui/kit"

// panelID names a panel of the dashboard.
type panelID int

const (
	panelELBO panelID = iota
	panelValidation
	panelCovariance
	panelLayers
	panelTable
	panelDirect
	panelErrors
	panelDistance
	panelPIT
	panelCoverage
	panelHealth
	numPanels
)

// page is a group of panels that are looked at together, in the order of tab.
type page struct {
	name, short string
	panels      []panelID
}

// pages are chosen by the keys 1 to 4.
var pages = []page{
	{"1 training", "1 train", []panelID{panelELBO, panelValidation, panelCovariance, panelLayers}},
	{"2 compare", "2 comp", []panelID{panelTable, panelDirect}},
	{"3 calibration", "3 calib", []panelID{panelErrors, panelDistance, panelPIT, panelCoverage}},
	{"4 health", "4 health", []panelID{panelHealth}},
}

// names of the panels on their tabs, long and short.
var names = [numPanels][2]string{
	panelELBO: {"ELBO", "ELBO"}, panelValidation: {"Validation", "Val"},
	panelCovariance: {"Covariance", "Cov"}, panelLayers: {"Layers", "Lay"},
	panelTable: {"Table", "Table"}, panelDirect: {"Direct", "Direct"},
	panelErrors: {"Errors", "Err"}, panelDistance: {"Distance", "Dist"},
	panelPIT: {"PIT", "PIT"}, panelCoverage: {"Coverage", "Cover"},
	panelHealth: {"Health", "Health"},
}

// pageOf returns the page that a panel is on, and its place there.
func pageOf(id panelID) (p, at int) {
	for p := range pages {
		for at, other := range pages[p].panels {
			if other == id {
				return p, at
			}
		}
	}
	return 0, 0
}

// pageTabs returns the names of the pages, and panelTabs those of a page's panels.
func pageTabs(short bool) kit.Tabs {
	var t kit.Tabs
	for _, p := range pages {
		if short {
			t = append(t, p.short)
		} else {
			t = append(t, p.name)
		}
	}
	return t
}

func panelTabs(p int, short bool) kit.Tabs {
	var t kit.Tabs
	for _, id := range pages[p].panels {
		if short {
			t = append(t, names[id][1])
		} else {
			t = append(t, names[id][0])
		}
	}
	return t
}

// tabsRoom returns how many cells all names of a line of tabs take.
func tabsRoom(t kit.Tabs) int {
	n := 0
	for _, name := range t {
		n += 3 + kit.Cells(name)
	}
	return n
}
