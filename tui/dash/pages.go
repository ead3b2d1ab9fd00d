package dash

import (
	"slices"
	"strings"

	"dgplab/tui/kit"
)

// page is a group of panels that are looked at together, in the order of tab. The page is
// there while one of them applies; of the first one always does.
type page struct {
	name, short string
	act         kit.Action
	key, help   string
	panels      []Panel
}

// pages are all there is to see.
var pages = []page{
	{"1 training", "1 train", "page_training", "1",
		"The training: the objective, the validation, and what the models show of their posteriors.",
		[]Panel{objectivePanel, validationPanel, covariancePanel{}, layersPanel{}, functionsPanel{},
			networkPanel{}, weightsPanel{}, passagePanel{}, mapsPanel{}, factorPanel{}, inducingPanel{},
			quadraturePanel{}, priorPanel{}}},
	{"2 compare", "2 comp", "page_compare", "2",
		"The comparison: a table of the runs, and each against the chosen one, point by point.",
		[]Panel{tablePanel{}, directPanel{}}},
	{"3 calibration", "3 calib", "page_calibration", "3",
		"The calibration: errors, variances, PIT and coverage on the test points; of classes, reliability " +
			"and confusion.",
		[]Panel{errorsPanel, distancePanel, pitPanel, coveragePanel, confusionPanel}},
	{"4 health", "4 health", "page_health", "4",
		"The health of the arithmetic: alarms, matrices, divergence, time.",
		[]Panel{healthPanel{}}},
	{"5 chains", "5 chains", "page_chains", "5",
		"The chains of models that sample: draws, how well they have mixed, what they say of the posterior.",
		[]Panel{tracePanel, mixingPanel{}, marginalPanel, pairPanel{}, ranksPanel,
			autocorrelationPanel, normalityPanel{}}},
	{"6 fit", "6 fit", "page_fit", "6",
		"The fit: what the models predict beside the data, along an input, over two, and at points that " +
			"are held back; how much the inputs matter.",
		[]Panel{fitPanel{}, planePanel{}, predictedPanel{}, dependencePanel{}, relevancePanel{}}},
}

// pageBarred says why a page cannot be turned to, "" if it can.
func (d *Dash) pageBarred(p int) string {
	if len(d.panels(p)) == 0 {
		_, what, _ := strings.Cut(pages[p].name, " ")
		return "no run on the screen has " + what
	}
	return ""
}

// shownPages returns the places of the pages that are there.
func (d *Dash) shownPages() (list []int) {
	for p := range pages {
		if d.pageBarred(p) == "" {
			list = append(list, p)
		}
	}
	return list
}

// pageBy returns the page that an action turns to, -1 if none.
func pageBy(act kit.Action) int {
	return slices.IndexFunc(pages, func(p page) bool { return p.act == act })
}

// pageOf returns the page that a panel is on.
func pageOf(panel Panel) int {
	return max(slices.IndexFunc(pages, func(p page) bool { return slices.Contains(p.panels, panel) }), 0)
}

// tab is a panel with its names.
type tab struct {
	Panel
	long, short string
}

// tabs returns the panels of a page that apply, with their names.
func (d *Dash) tabs(p int) (list []tab) {
	for _, panel := range d.panels(p) {
		long, short := panel.Names(d)
		list = append(list, tab{panel, long, short})
	}
	return list
}

// pageTabs returns the names of pages, and panelTabs those of panels.
func pageTabs(shown []int, short bool) (t kit.Tabs) {
	for _, p := range shown {
		name := pages[p].name
		if short {
			name = pages[p].short
		}
		t = append(t, name)
	}
	return t
}

func panelTabs(tabs []tab, short bool) (t kit.Tabs) {
	for _, tab := range tabs {
		name := tab.long
		if short {
			name = tab.short
		}
		t = append(t, name)
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
