package board

import (
	"fmt"
	"io"
	"strconv"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz/figure"
	"dgplab/viz/tables"
)

// newWeightsPanel returns the panel with the table of the weights and biases of a network by layer.
func newWeightsPanel() *Panel {
	find := finderOf(func(v view.Views) *view.Weights { return v.Weights },
		func(w *view.Weights) int { return len(w.Layers) })
	return modelPanel(find, "this model is not a network with weights", Panel{
		Name: "Weights", short: "Wei", title: "Weights by layer",
		Guide: weightsGuide,
		heading: func(b *Board) (title string, notes []string) {
			return "", []string{"posterior means and sd of weights", "sure: |mean| > sd"}
		},
		draw: func(b *Board, w, h int) []string {
			return weightsTable(find.in(b)).Render(b.Theme.VizStyle(), w, h)
		},
		figures: func(b *Board) []report.Figure {
			weights := find.in(b)
			return []report.Figure{{Name: "weights",
				CSV: func(w io.Writer) error { return weightsCSV(w, weights) }}}
		},
	})
}

// histogramCells is the width of a histogram in a table.
const histogramCells = 24

// weightsTable returns a table with two rows for each layer, one for its weights and one for its biases.
func weightsTable(w *view.Weights) tables.Table {
	t := tables.Table{Columns: []tables.Column{
		{Title: "layer", Keep: true}, {Title: "E[w²]^½", Right: true},
		{Title: "sure", Right: true, Drop: 1},
		{Title: "mean 5 %", Right: true, Drop: 3}, {Title: "50 %", Right: true, Drop: 4},
		{Title: "95 %", Right: true, Drop: 3},
		{Title: "sd 5 %", Right: true, Drop: 6}, {Title: "50 %", Right: true, Drop: 2},
		{Title: "95 %", Right: true, Drop: 6},
		{Title: "histogram of means", Drop: 5},
	}}
	eachWeights(w, func(layer int, what string, s view.WeightsSpread) {
		row := withNumbers([]string{fmt.Sprintf("%d: %s", layer, what)}, report.Number, weightsNumbers(s)...)
		histogram := string(tables.HistogramRunes(s.Histogram, histogramCells))
		t.Rows = append(t.Rows,
			append(row, report.Number(float64(s.Min))+" "+histogram+" "+report.Number(float64(s.Max))))
	})
	return t
}

// weightsCSV writes the rows of weightsTable with all digits.
func weightsCSV(w io.Writer, weights *view.Weights) error {
	t := figure.NewTable(w, "layer", "what", "rms", "sure", "mean_5", "mean_50",
		"mean_95", "sd_5", "sd_50", "sd_95")
	eachWeights(weights, func(layer int, what string, s view.WeightsSpread) {
		t.Row(withNumbers([]string{strconv.Itoa(layer), what}, figure.Exact, weightsNumbers(s)...)...)
	})
	return t.Close()
}

// weightsNumbers returns the numbers in a row.
func weightsNumbers(s view.WeightsSpread) []float64 {
	return []float64{float64(s.RMS), float64(s.Sure), float64(s.Means[0]),
		float64(s.Means[2]), float64(s.Means[4]),
		float64(s.SDs[0]), float64(s.SDs[2]), float64(s.SDs[4])}
}

// eachWeights calls do with the weights and the biases of each layer, counted from 1.
func eachWeights(w *view.Weights, do func(layer int, what string, s view.WeightsSpread)) {
	for l, layer := range w.Layers {
		do(l+1, fmt.Sprintf("%d to %d", layer.Inputs, layer.Units), layer.Weights)
		do(l+1, "biases", layer.Biases)
	}
}
