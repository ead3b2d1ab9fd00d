package viz

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

var panelSizes = [][2]int{{100, 24}, {58, 16}, {40, 10}, {24, 7}, {16, 5}, {10, 3}, {6, 2}, {5, 1}, {1, 1}}

func TestCurveGolden(t *testing.T) {
	elbo := elboSeries(3000)
	broken := elboSeries(600)
	broken.Y[100], broken.Y[300], broken.Y[400] = math.NaN(), math.Inf(1), math.Inf(-1)
	pair := []Series{validationSeries("stripes-and-arrow", 0, -2.4), validationSeries("mean-field", 1, -2.6)}
	curves := map[string]Curve{
		"smooth":     {Series: []Series{elbo}, Smoothing: 0.9},
		"raw":        {Series: []Series{elbo}},
		"gap":        {Series: []Series{elbo}, Smoothing: 0.95, Scale: Gap},
		"symlog":     {Series: []Series{elbo}, Smoothing: 0.95, Scale: Log, X: Seconds},
		"clip":       {Series: []Series{elbo}, Clip: true, Smoothing: 0.99},
		"validation": {Series: pair[:1], Best: Highest},
		"pair":       {Series: pair, Best: Highest, X: Seconds},
		"broken":     {Series: []Series{broken}, Best: Highest},
		"log":        {Series: []Series{{Label: "noise", Y: []float64{1, 0.5, 0.2, 0.1, 0.03, 0.01, 0.008}}}, Scale: Log, Best: Lowest},
		"constant":   {Series: []Series{{Label: "c", Y: []float64{2, 2, 2}}}},
		"single":     {Series: []Series{{Label: "one", Y: []float64{-3.5}}}, Best: Highest},
		"empty":      {},
		"nan":        {Series: []Series{{Label: "nothing", Y: []float64{math.NaN(), math.NaN()}}}},
		"four":       {Series: fourRuns(), Smoothing: 0.95, Best: Highest},
		"cursor":     {Series: fourRuns(), Smoothing: 0.9, Cursor: &cursorAt},
		"zoom":       {Series: fourRuns()[:2], Cursor: &cursorAt, Zoom: [2]float64{6900, 7200}},
		"beside":     {Series: pair, Zoom: [2]float64{6900, 6950}},
		"groups":     {Groups: twoGroups()},
		"band":       {Groups: twoGroups()[1:], Series: pair[:1], Cursor: &cursorAt, X: Epochs, Scale: Gap},
	}
	for name, c := range curves {
		t.Run(name, func(t *testing.T) {
			checkGolden(t, "curve_"+name, sweep(t, c, Style{}, panelSizes))
			checkGolden(t, "curve_"+name+"_ascii", sweep(t, c, Style{ASCII: true}, panelSizes[1:3]))
		})
	}
	for _, name := range []string{"smooth", "raw", "pair", "broken", "cursor", "groups", "zoom"} {
		checkGolden(t, "curve_"+name+"_braille", sweep(t, curves[name], Style{Braille: true}, panelSizes))
	}
	t.Run("colour", func(t *testing.T) {
		for _, style := range styles[2:5] {
			checkGolden(t, fmt.Sprintf("curve_colour_%d", style.Mode), sweep(t, curves["pair"], style, panelSizes[1:2]))
		}
	})
}

func TestBlockMapGolden(t *testing.T) {
	poisoned := demoMap([]int{1, 1}, 8, func(int, int) bool { return true })
	poisoned.Log10[3] = math.NaN()
	fixed := demoMap([]int{1, 1}, 8, func(int, int) bool { return true })
	fixed.Lo, fixed.Hi, fixed.Title = -3, -1, "star, seed 2"
	maps := map[string]BlockMap{
		"star":    demoMap([]int{3, 3, 1}, 16, starBlocks(3, 6)),
		"full":    demoMap([]int{1, 1, 1}, 20, func(int, int) bool { return true }),
		"wide":    demoMap([]int{8, 8, 1}, 8, starBlocks(8, 16)),
		"single":  {GPs: []int{1}, M: 1, Cells: 1, Log10: []float64{0.3}},
		"zero":    {GPs: []int{1}, M: 4, Cells: 1, Log10: []float64{math.Inf(-1)}},
		"nan":     poisoned,
		"empty":   {},
		"unequal": {GPs: []int{2}, Cells: 3, Log10: make([]float64, 7)},
		"fixed":   fixed,
	}
	for name, m := range maps {
		t.Run(name, func(t *testing.T) {
			checkGolden(t, "map_"+name, sweep(t, m, Style{}, panelSizes))
			checkGolden(t, "map_"+name+"_ascii", sweep(t, m, Style{ASCII: true}, panelSizes[1:3]))
		})
	}
	t.Run("colour", func(t *testing.T) {
		for _, style := range []Style{{Mode: TrueColor, Dark: true}, {Mode: TrueColor}, {Mode: ANSI256, Dark: true}} {
			name := fmt.Sprintf("map_colour_%d_dark_%v", style.Mode, style.Dark)
			checkGolden(t, name, sweep(t, maps["star"], style, panelSizes[1:4]))
		}
	})
}

func TestBlockMapsGolden(t *testing.T) {
	for n := range 5 {
		checkGolden(t, fmt.Sprintf("maps_%d", n), sweep(t, demoMaps(n), Style{}, append([][2]int{{120, 24}, {80, 20}, {40, 30}}, panelSizes...)))
	}
	checkGolden(t, "maps_ascii", sweep(t, demoMaps(3), Style{ASCII: true}, panelSizes[:3]))
	checkGolden(t, "maps_colour", sweep(t, demoMaps(2), Style{Mode: TrueColor, Dark: true}, panelSizes[1:2]))
}

func TestLayerPanelGolden(t *testing.T) {
	bare := demoLayer(2)
	bare.Correlation, bare.Grid, bare.Lengthscales = nil, nil, nil
	for i := range bare.GPs {
		bare.GPs[i].Curves = nil
	}
	last := demoLayer(12)
	last.Index, last.Selected = 2, 11
	panels := map[string]LayerPanel{"one": demoLayer(1), "three": demoLayer(3), "twelve": last, "bare": bare, "empty": {}}
	for name, p := range panels {
		t.Run(name, func(t *testing.T) {
			checkGolden(t, "layer_"+name, sweep(t, p, Style{}, panelSizes))
			checkGolden(t, "layer_"+name+"_ascii", sweep(t, p, Style{ASCII: true}, panelSizes[1:3]))
		})
	}
	t.Run("colour", func(t *testing.T) {
		checkGolden(t, "layer_colour", sweep(t, panels["three"], Style{Mode: TrueColor, Dark: true}, panelSizes[1:2]))
	})
}

func TestTableGolden(t *testing.T) {
	table := Table{
		Columns: []Column{{Title: "run", Flexible: true, Min: 6}, {Title: "family", Drop: 1}, {Title: "test log-lik", Right: true}, {Title: "steps/s", Right: true, Drop: 2}},
		Rows: [][]string{
			{"2024-boston-star-a", "star", "-2.43", "120"},
			{"二号", "mean-field", "-2.51", "180"},
			{"short"},
			{"line\nbreak\tand \x1b[31mcode", "fully-coupled", "-2.402", "31.5"},
		},
		Selected: 1, Mark: true,
	}
	checkGolden(t, "table", sweep(t, table, Style{}, [][2]int{{70, 7}, {50, 5}, {36, 4}, {24, 3}, {14, 2}, {6, 2}, {1, 1}}))
	checkGolden(t, "table_ascii", sweep(t, table, Style{ASCII: true}, [][2]int{{50, 5}}))
}

func TestLinesGolden(t *testing.T) {
	var b strings.Builder
	for _, style := range []Style{{}, {ASCII: true}} {
		for _, w := range []int{40, 12, 6, 1} {
			for _, done := range []float64{-1, 0, 0.303, 0.999, 1, 7, math.NaN(), math.Inf(1)} {
				line := ProgressBar(style, done, w)
				checkBox(t, line, style, w, 1)
				fmt.Fprintf(&b, "|%s| %v\n", line, done)
			}
			for _, v := range [][]float64{nil, {1}, {1, 2, 3, 2, 1, math.NaN(), 4}, elboSeries(500).Y} {
				line := Sparkline(style, v, w)
				checkBox(t, line, style, w, 1)
				fmt.Fprintf(&b, "|%s| sparkline of %d\n", line, len(v))
			}
			for _, c := range [][]int{nil, {5}, {0, 1, 100, 3, 0, 2}} {
				line := Histogram(style, c, w)
				checkBox(t, line, style, w, 1)
				fmt.Fprintf(&b, "|%s| histogram %v\n", line, c)
			}
		}
	}
	checkGolden(t, "lines", b.String())
}

func TestErrorBarsGolden(t *testing.T) {
	named := demoErrors(2)
	named.LogX, named.Categories, named.XName, named.Best = false, []string{"zero", "linear", "identity", "none", "二号"}, "mean function", Lowest
	broken := demoErrors(3)
	for i := range named.Series {
		for k := range named.Series[i].Points {
			named.Series[i].Points[k].X = float64(k)
		}
		named.Series[i].Points[2].N = 1
	}
	broken.Series[0].Points[1].X, broken.Series[1].Points[2].Mean, broken.Series[2].Points[3].SE = -3, math.NaN(), math.Inf(1)
	charts := map[string]ErrorBars{
		"one": demoErrors(1), "four": demoErrors(4), "named": named, "broken": broken, "empty": {},
		"single": {YName: "rmse", XName: "layers", Series: []ErrorSeries{{"a", 3, []ErrorPoint{{2, 0.5, 0, 1}}}}},
	}
	for name, b := range charts {
		t.Run(name, func(t *testing.T) {
			checkGolden(t, "errors_"+name, sweep(t, b, Style{}, panelSizes))
			checkGolden(t, "errors_"+name+"_ascii", sweep(t, b, Style{ASCII: true}, panelSizes[1:3]))
		})
	}
	checkGolden(t, "errors_colour", sweep(t, charts["four"], Style{Mode: TrueColor, Dark: true}, panelSizes[1:2]))
}

func TestScatterGolden(t *testing.T) {
	linear := demoScatter(300)
	linear.LogX, linear.LogY, linear.Trend = false, false, RunningMedian
	linear.Clouds[0].Of = 5000
	broken := demoScatter(50)
	broken.Clouds[0].X[3], broken.Clouds[0].Y[4], broken.Clouds[0].Y[5] = math.NaN(), 0, -2
	charts := map[string]Scatter{
		"few": demoScatter(60), "many": demoScatter(5000), "two": demoScatter(300, 300), "linear": linear, "broken": broken, "empty": {},
		"single": {Clouds: []Cloud{{X: []float64{1}, Y: []float64{2}}}, Diagonal: true},
	}
	for name, s := range charts {
		t.Run(name, func(t *testing.T) {
			checkGolden(t, "scatter_"+name, sweep(t, s, Style{}, panelSizes))
			checkGolden(t, "scatter_"+name+"_ascii", sweep(t, s, Style{ASCII: true}, panelSizes[1:3]))
		})
	}
	checkGolden(t, "scatter_colour", sweep(t, charts["many"], Style{Mode: TrueColor, Dark: true}, panelSizes[1:2]))
}

func TestCalibrationGolden(t *testing.T) {
	tilted := PITBars(append(demoPIT(400, 0.6), math.NaN(), 1.5), 12)
	tilted.Label, tilted.Run = "mean-field", 1
	charts := map[string]renderer{
		"pit_uniform": PITBars(demoPIT(400, 1), 20), "pit_tilted": tilted, "pit_empty": PITBars(nil, 10),
		"coverage_one": demoCoverage(1), "coverage_three": demoCoverage(3), "coverage_empty": Coverage{},
	}
	for name, c := range charts {
		t.Run(name, func(t *testing.T) {
			checkGolden(t, name, sweep(t, c, Style{}, panelSizes))
			checkGolden(t, name+"_ascii", sweep(t, c, Style{ASCII: true}, panelSizes[1:3]))
		})
	}
	checkGolden(t, "pit_colour", sweep(t, tilted, Style{Mode: TrueColor, Dark: true}, panelSizes[1:2]))
}
