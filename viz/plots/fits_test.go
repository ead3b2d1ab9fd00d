package plots

import (
	"errors"
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

// demo returns n waves with less uncertainty in the middle, and points around them.
func demo(n int) Fits {
	f := Fits{XName: "position", YName: "value"}
	for run := range n {
		one := Fit{
			Run:       run,
			MeanName:  "predictive mean",
			DrawsName: "2 draws of f",
			MarksName: "inducing inputs",
			Marks:     []float64{-1.5, -0.2, 0.1, 1.9, 7, math.NaN()},
		}
		if n > 1 {
			one.Label, one.Step = "run "+string(rune('a'+run)), "at step 1,200"
		}
		wide, narrow := chart.Range{Name: "95 %"}, chart.Range{Name: "50 %"}
		one.Draws = make([][]float64, 2)
		for i := range 41 {
			x := float64(i-20) / 10
			y, sd := math.Sin(2*x)+0.3*float64(run), 0.1+0.1*x*x
			one.X = append(one.X, x)
			one.Mean = append(one.Mean, y)
			wide.Lo = append(wide.Lo, y-2*sd)
			wide.Hi = append(wide.Hi, y+2*sd)
			narrow.Lo = append(narrow.Lo, y-0.7*sd)
			narrow.Hi = append(narrow.Hi, y+0.7*sd)
			one.Draws[0] = append(one.Draws[0], y+sd*math.Sin(3*x))
			one.Draws[1] = append(one.Draws[1], y-sd*math.Cos(4*x))
		}
		train := Observations{Name: "40 training points", Short: "training"}
		held := Observations{Name: "10 test points", Short: "test"}
		for i := range 40 {
			x := 3 * math.Sin(float64(i))
			train.X = append(train.X, x)
			train.Y = append(train.Y, math.Sin(2*x)+0.2*math.Cos(float64(7*i)))
			if i < 10 {
				held.X = append(held.X, x+0.1)
				held.Y = append(held.Y, math.Sin(2*x))
			}
		}
		one.Ranges, one.Observations = []chart.Range{wide, narrow}, []Observations{train, held}
		f.List = append(f.List, one)
	}
	return f
}

func demoAgainst(n int) Predictions {
	a := Predictions{XName: "observed value", YName: "predicted"}
	for run := range n {
		one := Prediction{Run: run}
		if n > 1 {
			one.Label = "run " + string(rune('a'+run))
		}
		wide, narrow := chart.Range{Name: "95 %"}, chart.Range{Name: "50 %"}
		for i := range 30 {
			x := 2 * math.Sin(float64(5*i))
			y := x + 0.4*math.Cos(float64(3*i))
			sd := 0.2 + 0.05*float64(run)
			one.Observed = append(one.Observed, x)
			one.Mean = append(one.Mean, y)
			wide.Lo = append(wide.Lo, y-2*sd)
			wide.Hi = append(wide.Hi, y+2*sd)
			narrow.Lo = append(narrow.Lo, y-0.7*sd)
			narrow.Hi = append(narrow.Hi, y+0.7*sd)
		}
		one.Ranges = []chart.Range{wide, narrow}
		a.List = append(a.List, one)
	}
	return a
}

func demoRelevance(n int) Relevance {
	r := Relevance{Inputs: []string{"relative compactness", "height", "glazing"}}
	for run := range n {
		r.List = append(r.List, Lengths{
			Label:  "run " + string(rune('a'+run)),
			Run:    run,
			Values: []float64{2, 0.5 + float64(run), 8},
		})
	}
	return r
}

// All runs share a scale, which does not depend on points outside the range of the functions.
func TestOneScale(t *testing.T) {
	f := demo(2)
	f.List[0].Observations[0].X[0], f.List[0].Observations[0].Y[0] = 1000, 1000
	x, y, ok := f.extents()
	if !ok || x.Lo != -2 || x.Hi != 2 || y.Hi > 3 || y.Hi < 1.3 {
		t.Errorf("x %v, y %v", x, y)
	}
	if text := golden.Text(f, canvas.Style{}, 120, 30); strings.Count(text, " 1┤") < 2 ||
		!strings.Contains(text, "one scale") {
		t.Errorf("the runs are not side by side on one scale:\n%s", text)
	}
}

func TestPredictionCounts(t *testing.T) {
	a := Prediction{Observed: []float64{1, 0, math.NaN(), 3}, Mean: []float64{1, 1, 1, 1},
		Ranges: []chart.Range{{Name: "95 %", Lo: []float64{0, 0.5, 0, 0}, Hi: []float64{2, 2, 2, 2}}}}
	if in, of := a.inside(0); in != 1 || of != 3 {
		t.Errorf("%d of %d are inside", in, of)
	}
	if p := a.points(); p[0].observed != 0 || p[2].observed != 3 {
		t.Errorf("points %v", p)
	}
}

func TestRelevance(t *testing.T) {
	r := demoRelevance(1)
	if o := r.order(); o[0] != 1 || o[2] != 2 || r.most() != 2 {
		t.Errorf("order %v, most %g", o, r.most())
	}
	if (Lengths{Values: []float64{0, math.Inf(1)}}).of(0) == 0 {
		t.Error("a lengthscale of 0 has a relevance")
	}
}

// At every size, the numbers next to the bars are the relevance. The leading run determines the order of the
// inputs, and the runs keep their order.
func TestRelevanceNumbers(t *testing.T) {
	r := Relevance{Inputs: []string{"height above the ground", "mass"}, Lead: 1, List: []Lengths{
		{Label: "first", Run: 0, Values: []float64{0.5, 4}},
		{Label: "second", Run: 1, Values: []float64{5, 0.8}},
	}}
	for _, size := range [][2]int{{120, 20}, {58, 8}, {24, 7}, {14, 6}, {8, 5}} {
		text := golden.Text(r, canvas.Style{}, size[0], size[1])
		at := 0
		for _, number := range []string{"0.25", "1.25", "2", "0.2"} { // mass first
			k := strings.Index(text[at:], number)
			if k < 0 {
				t.Fatalf("%v: no %s after %q in\n%s", size, number, text[:at], text)
			}
			at += k + len(number)
		}
	}
}

func FuzzFits(f *testing.F) {
	f.Add([]byte{3, 5, 200, 1, 200, 2, 200, 3, 3, 200, 7, 200, 8, 200, 9, 40, 12})
	f.Fuzz(func(t *testing.T, data []byte) {
		d := golden.Decoder{Data: data}
		style := golden.Styles[int(d.Byte())%len(golden.Styles)]
		w := int(d.Byte() % 90)
		h := int(d.Byte() % 30)
		fits, against, bars := Fits{XName: d.Text()}, Predictions{}, Relevance{}
		for i := range int(d.Byte() % 4) {
			x := d.Floats(9)
			y := d.Floats(9)
			r := []chart.Range{{Name: d.Text(), Lo: d.Floats(9), Hi: d.Floats(9)},
				{Name: "50 %", Lo: y, Hi: d.Floats(9)}}
			fits.List = append(fits.List,
				Fit{Label: d.Text(), Run: i, X: x, Mean: y, Ranges: r, Draws: [][]float64{d.Floats(9)},
					Observations: []Observations{{Name: "a", X: d.Floats(5), Y: d.Floats(5)}},
					Marks:        d.Floats(5)})
			against.List = append(against.List, Prediction{Run: i, Observed: x, Mean: y, Ranges: r})
			bars.Inputs = append(bars.Inputs, d.Text())
			bars.List = append(bars.List, Lengths{Run: i, Values: x})
		}
		for _, p := range []golden.Picture{fits, against, bars} {
			golden.CheckBox(t, p.Render(style, w, h), style, w, h)
		}
	})
}

// full is a writer without space.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFitsReportAFailedTable(t *testing.T) {
	if err := demo(1).CSV(full{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}
