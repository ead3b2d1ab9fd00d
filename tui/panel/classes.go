package panel

import (
	"slices"

	"dgplab/session/compare"
	"dgplab/tui/kit"
	"dgplab/tui/printable"
	"dgplab/viz/calibration"
	"dgplab/viz/matrices"
)

// Reliability returns the reliability diagram of the runs on classes: how often the most
// probable class is right, in equal bins of its probability.
func Reliability(th *kit.Theme, runs []Run) (r calibration.Reliability) {
	for _, s := range classified(runs) {
		r.Lines = append(r.Lines, s.relied(th))
	}
	return r
}

// Confusion returns the confusion matrices of the runs on classes, one below the other:
// the numbers of test points of each observed class, a row each, by the most probable one.
// Those of other classes than the first run has are left out.
func Confusion(th *kit.Theme, runs []Run) (g matrices.Grid) {
	var columns []string
	for _, s := range classified(runs) {
		names := s.ClassNames()
		if g.Rows == nil {
			for k, name := range names {
				letter := string(rune('A' + k%26))
				columns = append(columns, letter)
				g.Rows = append(g.Rows, letter+" "+printable.Text(name))
			}
		}
		if len(names) != len(g.Rows) {
			continue
		}
		counts, most := s.confusion(len(names))
		g.Bands = append(g.Bands, matrices.Band{Name: s.label(th) + s.picked(),
			Matrices: []matrices.Matrix{{Name: "observed, by most probable class",
				Columns: columns, Values: counts, Most: most, Whole: true}}})
	}
	return g
}

// ConfusionNote says what the rows and the columns of Confusion are.
const ConfusionNote = "rows observed, columns most probable"

// DrawConfusion draws Confusion, in columns where that takes fewer lines than there are too
// many. It is exactly h lines of w cells. What its rows and columns are says ConfusionNote.
func DrawConfusion(th *kit.Theme, runs []Run, _, w, h int) []string {
	g := Confusion(th, runs)
	if g.Rows == nil {
		return th.Centred("no run on classes has been evaluated on its test part yet", w, h)
	}
	for _, b := range g.Bands {
		b.Matrices[0].Name = ""
	}
	n := len(g.Bands)
	height := g.Height() / n
	across := (n + max(h/height, 1) - 1) / max(h/height, 1)
	down, lines := (n+across-1)/across, make([]string, h)
	for first := 0; first < n; first += down {
		column := matrices.Grid{Rows: g.Rows, Bands: g.Bands[first:min(first+down, n)]}
		for y, line := range th.Box(column.Render(th.VizStyle(), w/across-1, h), w/across, h) {
			lines[y] += line
		}
	}
	return th.Box(lines, w, h)
}

// classified returns the runs on classes that were evaluated, the chosen one first.
func classified(runs []Run) (list []scored) {
	for _, r := range runs {
		if p := r.predictions(); p != nil && p.IsClassification() {
			list = append(list, scored{r, p, 0})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return order(b.Chosen, a.Chosen) })
	return list
}

// relied returns the line of a run in a reliability diagram.
func (r scored) relied(th *kit.Theme) calibration.ReliabilityLine {
	var confidence []float64
	var right []bool
	compare.MostProbable(r.Predictions, func(class, top int, probability float64) {
		confidence = append(confidence, probability)
		right = append(right, top == class)
	})
	line := calibration.Relied(confidence, right, compare.CalibrationBins)
	line.Label, line.Run = r.label(th)+r.picked(), r.Index
	return line
}

// confusion counts points by observed and most probable class, and returns the largest
// count.
func (r scored) confusion(classes int) (counts [][]float64, most float64) {
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
