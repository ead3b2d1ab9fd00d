package dash

import (
	"fmt"
	"io"
	"strconv"

	"dgplab/models/view"
	"dgplab/tui/kit"
	"dgplab/viz/figure"
	"dgplab/viz/spark"
	"dgplab/viz/tables"
)

// weightsPanel is how the weights of the chosen run's network are spread, by layer.
type weightsPanel struct{ inModel }

// weightsOf finds the weights of networks.
var weightsOf choice[view.Weights] = func(v view.Views) *view.Weights {
	if v.Weights != nil && len(v.Weights.Layers) > 0 {
		return v.Weights
	}
	return nil
}

func (weightsPanel) Names(*Dash) (long, short string) { return "Weights", "Wei" }

func (weightsPanel) Applies(d *Dash) bool { return weightsOf.somewhere(d) }

func (weightsPanel) Title(d *Dash) (title string, notes []string) {
	notes = []string{d.ofWhich(), diagnosedAt(d.snap())}
	if weightsOf.chosen(d) != nil {
		notes = append(notes, "posterior means and sd of weights", "sure: |mean| > sd")
	}
	return "Weights by layer", notes
}

// weightsColumns are those of the table.
var weightsColumns = []tables.Column{
	{Title: "layer", Keep: true}, {Title: "E[w²]^½", Right: true}, {Title: "sure", Right: true, Drop: 1},
	{Title: "mean 5 %", Right: true, Drop: 3}, {Title: "50 %", Right: true, Drop: 4}, {Title: "95 %",
		Right: true, Drop: 3},
	{Title: "sd 5 %", Right: true, Drop: 6}, {Title: "50 %", Right: true, Drop: 2}, {Title: "95 %",
		Right: true, Drop: 6},
	{Title: "histogram of means", Drop: 5},
}

// histogramCells is the width of a histogram in a table.
const histogramCells = 24

// weightsRow returns the numbers of weights.
func weightsRow(s view.WeightsSpread) []float64 {
	return []float64{float64(s.RMS), float64(s.Sure), float64(s.Means[0]),
		float64(s.Means[2]), float64(s.Means[4]),
		float64(s.SDs[0]), float64(s.SDs[2]), float64(s.SDs[4])}
}

// eachWeights calls do with the weights and the biases of each layer.
func eachWeights(w *view.Weights, do func(layer int, what string, s view.WeightsSpread)) {
	for l, layer := range w.Layers {
		do(l+1, fmt.Sprintf("%d to %d", layer.Inputs, layer.Units), layer.Weights)
		do(l+1, "biases", layer.Biases)
	}
}

func (weightsPanel) Draw(d *Dash, w, h int) []string {
	of := weightsOf.chosen(d)
	if of == nil {
		return d.without("this model is no network with weights", w, h)
	}
	t := tables.Table{Columns: weightsColumns}
	eachWeights(of, func(layer int, what string, s view.WeightsSpread) {
		row := []string{fmt.Sprintf("%d: %s", layer, what)}
		for _, v := range weightsRow(s) {
			row = append(row, kit.Number(v))
		}
		histogram := string(spark.HistogramRunes(s.Histogram, histogramCells))
		t.Rows = append(t.Rows, append(row,
			kit.Number(float64(s.Min))+" "+histogram+" "+kit.Number(float64(s.Max))))
	})
	return t.Render(d.theme.VizStyle(), w, h)
}

// Files has the numbers of all layers.
func (weightsPanel) Files(d *Dash) []exported {
	of := weightsOf.chosen(d)
	if of == nil {
		return nil
	}
	return []exported{{"weights.csv", func(w io.Writer) error {
		t := figure.NewTable(w, "layer", "what", "rms", "sure", "mean_5", "mean_50",
			"mean_95", "sd_5", "sd_50", "sd_95")
		eachWeights(of, func(layer int, what string, s view.WeightsSpread) {
			row := []string{strconv.Itoa(layer), what}
			for _, v := range weightsRow(s) {
				row = append(row, figure.Exact(v))
			}
			t.Row(row...)
		})
		return t.Close()
	}}}
}
