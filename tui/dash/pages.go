package dash

import (
	"slices"

	"dgplab/tui/kit"
)

// page is a group of panels in the order of the tab key. A page is available while one of its panels applies.
// The first page is always available.
type Page struct {
	name, short string
	act         kit.Action
	key, help   string
	panels      []*panel
}

// newPages returns the registry of panels. To add a panel, construct it here.
func newPages(b *Board) []Page {
	var layer, gp, input, quantity position // shared by several panels
	maps, factors := newMapsPanels()
	tested := newCalibrationPanels()
	errors, distance, pit, coverage := tested.panels()
	differences, points, distances := newDifferencePanels()
	validation := newValidationPanel(b.curves)
	fit, predicted, dependence, density := newFitPanels()
	return []Page{
		{"1 training", "1 train", "page_training", "1",
			"Training: objective, validation, and views of the posterior.",
			[]*panel{
				newObjectivePanel(b.curves),
				validation,
				newCovariancePanel(b.covariance, &layer, &gp, &input),
				newLayersPanel(&layer, &gp),
				newFunctionsPanel(),
				newNetworkPanel(),
				newWeightsPanel(),
				newMomentsPanel(),
				maps,
				factors,
				newInducingPanel(&layer, &gp, &input),
				newQuadraturePanel(&layer, &gp),
				newPriorPanel(&layer),
			}},
		{"2 compare", "2 comp", "page_compare", "2",
			"Comparison: a table of the runs, and each run against the selected run, point by point.",
			[]*panel{
				newTablePanel(b.table),
				newDirectPanel(),
				differences,
				points,
				distances,
				tested.worstPanel(),
				newBaselinePanel(),
				comparedValidation(validation),
				tested.residualPanel(),
				tested.intervalPanel(),
				newScoresPanel(),
			}},
		{"3 calibration", "3 calib", "page_calibration", "3",
			"Calibration on the test set: errors, variances, PIT and coverage; for classes, " +
				"reliability and confusion. Leave-one-out predictions of the training points.",
			[]*panel{errors, distance, pit, coverage, newConfusionPanel(), newLeftOutPanel()}},
		{"4 health", "4 health", "page_health", "4",
			"Numerical health: alarms, matrices, divergence, time.",
			[]*panel{newHealthPanel(b.health)}},
		{"5 chains", "5 chains", "page_chains", "5",
			"Markov chains of models that sample: draws, mixing, and the posterior.",
			[]*panel{
				newTracePanel(&quantity),
				newMixingPanel(&quantity),
				newMarginalPanel(&quantity),
				newPairPanel(&quantity),
				newRanksPanel(&quantity),
				newAutocorrelationPanel(&quantity),
				newNormalityPanel(&quantity),
			}},
		{"6 fit", "6 fit", "page_fit", "6",
			"The fit: predictions beside the data along an input, over two inputs, as densities and at " +
				"held-out points; relevance of the inputs.",
			[]*panel{fit, newPlanePanel(), density, predicted, dependence, newRelevancePanel(),
				newPredictionsPanel(b.tested, tested)}},
	}
}

// allPanels returns the panels of all pages.
func (b *Board) AllPanels() (list []*panel) {
	for _, page := range b.Pages {
		list = append(list, page.panels...)
	}
	return list
}

// panels returns the panels of a page that have something to show or wait for it. If all panels of the page
// are empty, it returns the first one, which shows the reason.
func (b *Board) PanelsOf(p int) (list []*panel) {
	var first *panel
	for _, panel := range b.Pages[p].panels {
		if !panel.appliesTo(b) {
			continue
		}
		if first == nil {
			first = panel
		}
		if !b.settled() || panel.shows(b) {
			list = append(list, panel)
		}
	}
	if len(list) == 0 && first != nil {
		list = []*panel{first}
	}
	return list
}

// settled reports whether the views of the selected run are known.
func (b *Board) settled() bool {
	r := b.Current()
	if r == nil || r.Snapshot == nil {
		return false
	}
	_, known := r.views()
	return known || r.ended()
}

// keyPanel returns the panel with a key for an action, and the choice that the key changes, or nil if it
// changes none. The panel is nil if no panel has such a key.
func (b *Board) keyPanel(act kit.Action) (*panel, *choice) {
	for _, p := range b.AllPanels() {
		if slices.ContainsFunc(p.keys, func(b kit.Binding) bool { return b.Action == act }) {
			return p, nil
		}
		for _, c := range p.choices {
			if act != "" && c.key.Action == act {
				return p, c
			}
		}
	}
	return nil, nil
}
