package board

import (
	"slices"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/heatmap"
	"dgplab/viz/plots"
)

// newConfusionPanel returns the panel with the confusion matrices of all classification runs.
func newConfusionPanel() *Panel {
	return &Panel{
		Name: "Confusion", short: "Conf", title: "Confusion of classes",
		Guide:   confusionGuide,
		applies: func(b *Board) bool { return b.runsOnClasses() > 0 },
		absent: func(b *Board) string {
			switch {
			case len(b.evaluatedOnClasses(b.representativeRuns())) > 0:
				return ""
			case !b.anyRun(func(o *session.Snapshot) bool { return o.Predictions != nil }):
				return b.notEvaluated()
			}
			return "no classification run has been evaluated on its test set yet"
		},
		heading: func(b *Board) (title string, notes []string) {
			return "", []string{"columns: the most probable class"}
		},
		picture: func(b *Board) viz.Picture { return confusion(b) },
		draw: func(b *Board, w, h int) []string {
			return drawConfusion(b.Theme, confusion(b), w, h)
		},
		file:    "confusion",
		caption: func(b *Board) string { return "Confusion of classes, " + b.shownTitle() },
		All:     true,
	}
}

// reliability returns the reliability diagram of the classification runs: the frequency with which the most
// probable class is right, in equal bins of its probability.
func reliability(b *Board, runs []*Run) (r plots.Reliability) {
	for _, s := range b.evaluatedOnClasses(runs) {
		r.Lines = append(r.Lines, s.reliabilityLine(b.Theme))
	}
	return r
}

// confusion returns the confusion matrices of the classification runs, one below the other. Rows are observed
// classes, and columns are the most probable classes. Runs with a different number of classes than the first
// one are left out.
func confusion(b *Board) (g heatmap.Matrices) {
	g.RowsName, g.ColumnsName = "true", "predicted"
	var columns []string
	for _, s := range b.evaluatedOnClasses(b.representativeRuns()) {
		names := s.Classes
		if g.Rows == nil {
			for k, name := range names {
				letter := string(rune('A' + k%26))
				columns = append(columns, letter)
				g.Rows = append(g.Rows, letter+" "+report.Printable(name))
			}
		}
		if len(names) != len(g.Rows) {
			continue
		}
		counts, most := s.confusionCounts(len(names))
		g.Bands = append(g.Bands, heatmap.MatrixBand{Name: s.counted(b.Theme), Step: s.step(),
			Matrices: []heatmap.Matrix{{Name: "number of test points",
				Columns: columns, Values: counts, Most: most, Whole: true}}})
	}
	return g
}

// drawConfusion draws confusion matrices in exactly h lines of w cells. If they need too many lines, it draws
// them in columns if this saves lines.
func drawConfusion(th *kit.Theme, g heatmap.Matrices, w, h int) []string {
	for _, b := range g.Bands {
		b.Matrices[0].Name = ""
	}
	n := len(g.Bands)
	height := g.Height() / n
	across := (n + max(h/height, 1) - 1) / max(h/height, 1)
	down, lines := (n+across-1)/across, make([]string, h)
	for first := 0; first < n; first += down {
		column := g
		column.Bands = g.Bands[first:min(first+down, n)]
		for y, line := range th.Box(column.Render(th.VizStyle(), w/across-1, h), w/across, h) {
			lines[y] += line
		}
	}
	return th.Box(lines, w, h)
}

// evaluatedOnClasses returns the evaluated classification runs, the selected run first.
func (b *Board) evaluatedOnClasses(runs []*Run) (list []evaluatedRun) {
	for _, r := range runs {
		if p := r.predictions(); p != nil && p.IsClassification() {
			list = append(list, evaluatedRun{r, p, 0})
		}
	}
	chosen := func(r evaluatedRun) bool { return r.ID == b.Current().ID }
	slices.SortStableFunc(list, func(r, s evaluatedRun) int { return falseFirst(chosen(s), chosen(r)) })
	return list
}

// reliabilityLine returns the line of a run in a reliability diagram.
func (r evaluatedRun) reliabilityLine(th *kit.Theme) plots.ReliabilityLine {
	var confidence []float64
	var right []bool
	compare.MostProbable(r.Predictions, func(class, top int, probability float64) {
		confidence = append(confidence, probability)
		right = append(right, top == class)
	})
	line := plots.NewReliabilityLine(confidence, right, compare.CalibrationBins)
	line.Label = r.counted(th)
	line.Step = r.step()
	line.Run = r.Index
	return line
}

// confusionCounts counts the points by observed and most probable class, and returns the largest
// count.
func (r evaluatedRun) confusionCounts(classes int) (counts [][]float64, most float64) {
	for range classes {
		counts = append(counts, make([]float64, classes))
	}
	compare.MostProbable(r.Predictions, func(class, top int, _ float64) {
		n := &counts[class][top]
		*n++
		most = max(most, *n)
	})
	return counts, most
}
