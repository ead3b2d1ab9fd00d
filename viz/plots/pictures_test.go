package plots

import (
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

// Each kind of picture is drawn once, with its legend and the names of its axes.
func TestPictures(t *testing.T) {
	bands := demoBands(2)
	bands.DotsName, bands.MarksName = "data", "inducing"
	bands.Marks = []float64{-1.5, -0.2, 0.1, 1.9, 7, math.NaN()}
	for _, x := range []float64{-3, -1.8, -1, 0, 0.5, 1.2} {
		bands.Dots = append(bands.Dots, chart.XY{X: x, Y: 1.5 * math.Cos(3*x)})
	}
	pit := NewPITHistogram(append(demoPIT(400, 0.6), math.NaN(), 1.5), 12)
	pit.Label, pit.Run = "mean-field", 1
	histogram := NewHistogram(demoDraws(1000), 24, 1.13, 0.6)
	histogram.XName = "likelihood.variance"
	kernels := demoErrors(2)
	kernels.LogX, kernels.Categories = false, []string{"rbf", "linear", "matern32", "none", "二号"}
	kernels.XName = "kernel"
	for i := range kernels.Series {
		for k := range kernels.Series[i].Points {
			kernels.Series[i].Points[k].X = float64(k)
		}
	}
	stems := demoStems(3, 32)
	stems.Chosen = 1
	for _, c := range []struct {
		name    string
		picture golden.Picture
		h       int
	}{
		{"against", demoAgainst(1), 20},
		{"bands", bands, 20},
		{"coverage", demoCoverage(2), 20},
		{"depths", demoDepths(3), 24},
		{"dots", demoDots(9), 13},
		{"errors_by_category", kernels, 20},
		{"errors_by_number", demoErrors(4), 20},
		{"fit", demo(1), 20},
		{"fits_of_two_runs", demo(2), 20},
		{"histogram", histogram, 20},
		{"inducing", demoInducing(8), 24},
		{"layer", demoLayer(3), 20},
		{"levels", demoLevels(2, "diesel", "electric", "petrol"), 20},
		{"pit", pit, 20},
		{"ranks", NewRankHistogram([]int{20, 24, 31, 22, 28, 60, 25, 19, 23, 2}), 20},
		{"relevance", demoRelevance(2), 8},
		{"reliability", demoReliability(2), 20},
		{"scatter", demoScatter(300, 300), 20},
		{"stems", stems, 24},
	} {
		t.Run(c.name, func(t *testing.T) { golden.CheckPicture(t, c.name, c.picture, 110, c.h) })
	}
}

// A picture without data shows a message.
func TestPicturesOfNothing(t *testing.T) {
	uncounted := demoLevels(1, "diesel", "petrol")
	uncounted.Counts = nil
	for _, c := range []struct {
		picture golden.Picture
		want    string
	}{
		{Bands{}, "no function yet"},
		{Coverage{}, "no points yet"},
		{Depths{}, "no functions yet"},
		{demoDots(0), "no rows"},
		{ErrorBars{}, "no result yet"},
		{Fits{List: make([]Fit, 2)}, "no predictions yet"},
		{Predictions{}, "no points yet"},
		{Levels{}, "no predictions yet"},
		{uncounted, "predictions do not match the levels"},
		{NewHistogram(nil, 10, 0, 1), "no points yet"},
		{NewPITHistogram(nil, 10), "no points yet"},
		{NewRankHistogram(nil), "no points yet"},
		{Inducing{}, "no inducing points yet"},
		{Layer{}, "no samples yet"},
		{Relevance{}, "no lengthscales yet"},
		{Reliability{}, "no points yet"},
		{Scatter{}, "no points yet"},
		{Stems{}, "no points yet"},
	} {
		golden.CheckMessage(t, c.picture, c.want)
	}
}

// Numbers that are not finite leave the rest of a picture as it is. Where a single number is missing, the
// picture says how many there are.
func TestPicturesOfBrokenNumbers(t *testing.T) {
	nan := math.NaN()
	inf := math.Inf(1)
	bands := demoBands(1)
	bands.X[3], bands.Bands[0].Mean[10], bands.Bands[0].SD[20] = inf, nan, nan
	dots := demoDots(4)
	dots.Rows[1].Values, dots.Rows[2].Lo, dots.Rows[3].Tick = []float64{nan, inf}, nan, nan
	bars := demoErrors(3)
	bars.Series[0].Points[1].X = -3
	bars.Series[1].Points[2].Mean, bars.Series[2].Points[3].SE = nan, inf
	fit := demo(1)
	fit.List[0].Mean[10], fit.List[0].Ranges[0].Hi[20], fit.List[0].Draws[0][5] = nan, inf, nan
	levels := demoLevels(1, "diesel", "petrol")
	levels.List[0].Mean[0], levels.List[0].Ranges[0].Hi[1] = nan, inf
	inducing := demoInducing(4)
	inducing.Inputs[2].Z[1].X, inducing.Seen[3].Y, inducing.Chosen = nan, inf, 99
	scatter := demoScatter(50)
	scatter.Clouds[0].X[3], scatter.Clouds[0].Y[4], scatter.Clouds[0].Y[5] = nan, 0, -2
	stems := demoStems(3, 8)
	stems.Rows[1][2], stems.Weights[3], stems.Rows[2], stems.Chosen = nan, inf, nil, -4
	uneven := demoDepths(3)
	uneven.Kinds[1].Depths = uneven.Kinds[1].Depths[:1]
	bare := demoLayer(2)
	bare.Correlation, bare.Grid, bare.Lengthscales = nil, nil, nil
	bare.GPs[0].Curves, bare.GPs[1].Curves = nil, nil
	for _, c := range []struct {
		name    string
		picture golden.Picture
		want    []string
	}{
		{"bands", bands, []string{"f 1", "input 1, standardised"}},
		{"dots", dots, []string{"score", "reference"}},
		{"error bars", bars, []string{"1 not positive", "× 1 not finite"}},
		{"fit", fit, []string{"mean", "position"}},
		{"levels", levels, []string{"diesel", "petrol", "price"}},
		{"inducing points", inducing, []string{"9 of 9"}},
		{"scatter", scatter, []string{"2 not positive", "× 1 not finite"}},
		{"stems", stems, []string{"GP 1", "not finite"}},
		{"depths", uneven, []string{"3 layers  conventional", "1 layer  amortized"}},
		{"layer without curves", bare, []string{"2 GPs", "! 1 of 2 collapsed"}},
		{"one error bar", ErrorBars{YName: "rmse", XName: "layers", Series: []ErrorSeries{
			{"a", 3, []ErrorPoint{{X: 2, Mean: 0.5, N: 1}}}}}, []string{"rmse", "layers", "0.5", "2"}},
		{"one point of a function", Bands{X: []float64{1}, Bands: []Band{
			{Label: "f", Mean: []float64{2}, SD: []float64{0.5}}}}, []string{"● f"}},
		{"one point of a cloud", Scatter{Clouds: []Cloud{{X: []float64{1}, Y: []float64{2}}}, Diagonal: true},
			[]string{"1 points", "2.00"}},
		{"last of twelve GPs", lastGP(), []string{"layer 3 of 3", "▸ 12"}},
		{"the deepest prior", Depths{Kinds: demoDepths(8).Kinds, Grid: demoDepths(8).Grid, Selected: 7},
			[]string{"8 layers"}},
	} {
		text := golden.Text(c.picture, canvas.Style{}, 110, 24)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
		golden.CheckBoxes(t, c.picture)
	}
}

// lastGP returns the last layer of twelve GPs with the last GP selected.
func lastGP() Layer {
	l := demoLayer(12)
	l.Index, l.Selected = 2, 11
	return l
}
