package board

// Page is a group of panels. It is available while one of its panels applies. The first page is always
// available.
type Page struct {
	Name, Short string
	// About is a sentence about the content.
	About  string
	Panels []*Panel
}

// newPages returns the registry of panels. To add a panel, construct it here.
func newPages(b *Board) []Page {
	var layer, gp, input, quantity position // shared by several panels
	maps, factors := newMapsPanels()
	tested := newCalibrationPanels()
	errors, distance, pit, coverage := tested.panels()
	differences, points, distances := newDifferencePanels()
	validation := newValidationPanel(b)
	fit, predicted, dependence, density := newFitPanels()
	return []Page{
		{"training", "train",
			"Training: objective, validation, and views of the posterior.",
			[]*Panel{
				newObjectivePanel(b),
				validation,
				newCovariancePanel(b, &layer, &gp, &input),
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
		{"compare", "comp",
			"Comparison: a table of the runs, and each run against the selected run, point by point.",
			[]*Panel{
				newTablePanel(b),
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
		{"calibration", "calib",
			"Calibration on the test set: errors, variances, PIT and coverage; for classes, " +
				"reliability and confusion. Leave-one-out predictions of the training points.",
			[]*Panel{errors, distance, pit, coverage, newConfusionPanel(), newLeftOutPanel()}},
		{"health", "health",
			"Numerical health: alarms, matrices, divergence, time.",
			[]*Panel{newHealthPanel(b.health)}},
		{"chains", "chains",
			"Markov chains of models that sample: draws, mixing, and the posterior.",
			[]*Panel{
				newTracePanel(&quantity),
				newMixingPanel(&quantity),
				newMarginalPanel(&quantity),
				newPairPanel(&quantity),
				newRanksPanel(&quantity),
				newAutocorrelationPanel(&quantity),
				newNormalityPanel(&quantity),
			}},
		{"fit", "fit",
			"The fit: predictions beside the data along an input, over two inputs, as densities and at " +
				"held-out points; relevance of the inputs.",
			[]*Panel{fit, newPlanePanel(), density, predicted, dependence, newRelevancePanel(),
				newPredictionsPanel(b, tested)}},
	}
}

// AllPanels returns the panels of all pages.
func (b *Board) AllPanels() (list []*Panel) {
	for _, page := range b.Pages {
		list = append(list, page.Panels...)
	}
	return list
}

// Panels returns the panels of a page that have something to show or wait for it. If all panels of the page
// are empty, it returns the first one, which shows the reason.
func (b *Board) Panels(p int) (list []*Panel) {
	var first *Panel
	for _, panel := range b.Pages[p].Panels {
		if !panel.appliesTo(b) {
			continue
		}
		if first == nil {
			first = panel
		}
		if !b.settled() || panel.Shows(b) {
			list = append(list, panel)
		}
	}
	if len(list) == 0 && first != nil {
		list = []*Panel{first}
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
	return known || r.Ended()
}
