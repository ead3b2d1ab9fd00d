package viz_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
	"dgplab/viz/heatmap"
	"dgplab/viz/plots"
	"dgplab/viz/tables"
)

// export writes a picture in a format.
func export(w io.Writer, f figure.Format, p viz.Picture, o figure.Options) error {
	drawn, err := p.Figure(o)
	if err != nil {
		return err
	}
	return drawn.Write(w, f)
}

func demoCurve() curves.Curve {
	r := rand.New(rand.NewPCG(1, 2))
	elbo := curves.Series{Label: "ELBO"}
	for i := range 3000 {
		elbo.X = append(elbo.X, float64(i*10))
		elbo.Y = append(elbo.Y, -900-9000*math.Exp(-float64(i)/200)+120*r.NormFloat64())
	}
	elbo.Y[2000] = math.NaN()
	return curves.Curve{Series: []curves.Series{elbo}, Smoothing: 0.95}
}

func demoValidation() curves.Curve {
	r := rand.New(rand.NewPCG(3, 4))
	c := curves.Curve{Best: chart.Highest, X: chart.Seconds}
	for run, name := range []string{"stripes-and-arrow", "mean-field"} {
		s := curves.Series{Label: name, Run: run}
		for i := range 40 {
			s.X = append(s.X, float64(i*30))
			s.Y = append(s.Y, -2.4-0.15*float64(run)-math.Exp(-float64(i)/5)+0.01*r.NormFloat64())
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// parts returns the parts of layers with the given numbers of GPs, all of one size.
func parts(gps []int, size, cells int) (list []heatmap.Part) {
	for layer, n := range gps {
		for range n {
			list = append(list, heatmap.Part{Group: layer, Size: size, Cells: cells})
		}
	}
	return list
}

func demoMap() heatmap.BlockMap {
	const cells = 12
	b := heatmap.BlockMap{Parts: parts([]int{2, 2, 1}, 64, cells)}
	side := b.Side()
	for i := range side {
		for j := range side {
			bi, bj := i/cells, j/cells
			v := -0.3*math.Abs(float64(i%cells-j%cells)) - math.Abs(float64(bi-bj))
			if (bi-bj)%2 != 0 && bi != 4 && bj != 4 {
				v = math.Inf(-1)
			}
			b.Log10 = append(b.Log10, v)
		}
	}
	return b
}

func demoLayer(n int) plots.Layer {
	r := rand.New(rand.NewPCG(5, 6))
	p := plots.Layer{Layers: 3, XName: "first input"}
	for i := range 60 {
		p.Grid = append(p.Grid, -3+6*float64(i)/59)
	}
	for k := range n {
		g := plots.LayerGP{Mean: 0.1, SD: 1.2, Min: -2, Max: 2.5, Share: 0.5, Collapsed: k == 1}
		for range 5 {
			a := r.NormFloat64()
			b := r.NormFloat64()
			var curve []float64
			for _, x := range p.Grid {
				curve = append(curve, math.Tanh(2*x)+0.3*(a*math.Sin(x)+b*math.Cos(1.3*x)))
			}
			g.Curves = append(g.Curves, curve)
		}
		p.GPs = append(p.GPs, g)
	}
	return p
}

func demoGroups() curves.Curve {
	r := rand.New(rand.NewPCG(7, 8))
	c := curves.Curve{X: chart.Epochs}
	for run, name := range []string{"stripes-and-arrow", "mean-field"} {
		g := curves.Group{Label: name, Run: run}
		for seed := range 5 {
			s := curves.Series{Label: fmt.Sprint(seed)}
			level := -2.4 - 0.15*float64(run) + 0.05*r.NormFloat64()
			for i := range 40 - 10*(seed/4)*run {
				s.X = append(s.X, float64(i*3))
				s.Y = append(s.Y, level-math.Exp(-float64(i)/5)+0.01*r.NormFloat64())
			}
			g.Members = append(g.Members, s)
		}
		c.Groups = append(c.Groups, g)
	}
	return c
}

// figures holds pictures of all kinds.
var figures = map[string]func() (viz.Picture, figure.Options){
	"elbo": func() (viz.Picture, figure.Options) {
		return demoCurve(), figure.Options{Title: "boston, star <3 layers> & more", Y: "ELBO"}
	},
	"validation": func() (viz.Picture, figure.Options) {
		return demoValidation(), figure.Options{Title: "Validation", Y: "mean log-likelihood"}
	},
	"gap": func() (viz.Picture, figure.Options) {
		c := demoCurve()
		c.Scale = chart.Gap
		return c, figure.Options{Y: "gap to the best ELBO"}
	},
	"single": func() (viz.Picture, figure.Options) {
		return curves.Curve{
			Series: []curves.Series{{Label: "one", Y: []float64{3}}},
			Best:   chart.Highest,
		}, figure.Options{}
	},
	"map": func() (viz.Picture, figure.Options) {
		return demoMap(), figure.Options{
			Title: "boston, star: covariance of the inducing outputs",
		}
	},
	"blank": func() (viz.Picture, figure.Options) {
		return heatmap.BlockMap{Parts: parts([]int{1}, 1, 1), Log10: []float64{math.Inf(-1)}},
			figure.Options{}
	},
	"clipped": func() (viz.Picture, figure.Options) {
		b := demoMap()
		b.Log10[1] = -300
		return b, figure.Options{}
	},
	"parts": func() (viz.Picture, figure.Options) {
		b := heatmap.BlockMap{
			Parts: []heatmap.Part{{Size: 4, Cells: 2}, {Size: 9, Cells: 3}, {Group: 2, Size: 1, Cells: 1}},
			Log10: make([]float64, 36),
		}
		return b, figure.Options{}
	},
	"five seeds": func() (viz.Picture, figure.Options) {
		return demoGroups(), figure.Options{
			Title: "Validation of five seeds",
			Y:     "mean log-likelihood",
		}
	},
	"zoom": func() (viz.Picture, figure.Options) {
		c := demoCurve()
		c.Zoom = [2]float64{12_003, 12_057}
		return c, figure.Options{Y: "ELBO"}
	},
	"flat plane": func() (viz.Picture, figure.Options) {
		m := heatmap.PlaneMap{X: []float64{0, 1}, Y: []float64{0, 3}, Values: []float64{7, 7, 7, 7},
			XName: "x", YName: "y", Name: "mean"}
		return m, figure.Options{}
	},
	"matrices": func() (viz.Picture, figure.Options) {
		return demoMatrices(), figure.Options{Title: "Network"}
	},
	"errors against variance": func() (viz.Picture, figure.Options) {
		return demoErrors(), figure.Options{Title: "Errors against variance"}
	},
	"fits of three runs": func() (viz.Picture, figure.Options) {
		return demoFits(3), figure.Options{Title: "Fit along x"}
	},
	"predictions of two runs": func() (viz.Picture, figure.Options) {
		return demoAgainsts(2), figure.Options{Title: "Predicted"}
	},
	"dots": func() (viz.Picture, figure.Options) {
		d := plots.Dots{Columns: []string{"row", "method", "mean"}, Words: 1, XName: "score",
			DotName: "each run", RangeName: "2 sd", TickName: "reference"}
		for i := range 6 {
			x := float64(i*i) / 4
			d.Rows = append(d.Rows, plots.DotRow{Label: fmt.Sprintf("row %d", i), Run: i % 3,
				Texts: []string{"star", fmt.Sprint(x)}, Values: []float64{x, x + 0.5}, Lo: x - 1, Hi: x + 1,
				Tick: 2})
		}
		d.Rows[1].Values[0] = math.NaN()
		d.Rows[2].Lo = math.NaN()
		d.Rows[3].Tick = math.NaN()
		return d, figure.Options{Title: "Dots"}
	},
	"levels": func() (viz.Picture, figure.Options) {
		l := plots.Levels{Names: []string{"high", "low", "none"}, Counts: []int{3, 20, 7}, More: 2}
		l.XName, l.YName = "fuel", "price"
		for run := range 2 {
			y := float64(run)
			l.List = append(l.List, plots.Fit{Label: fmt.Sprintf("run %d", run+1), Run: run,
				X: []float64{0, 1, 2}, Mean: []float64{y, y + 2, 1 - y}, MeanName: "mean", DrawsName: "draws",
				Draws: [][]float64{{y + 0.5, y + 1, 1}},
				Ranges: []chart.Range{{Name: "95 %", Lo: []float64{y - 1, y, -1},
					Hi: []float64{y + 1, y + 3, 2}}},
				Observations: []plots.Observations{{Name: "training points", X: []float64{0, 1, 1, 2},
					Y: []float64{0.5, 1, 2.5, math.NaN()}}}})
		}
		return l, figure.Options{Title: "Levels"}
	},
	"curve with a cursor": func() (viz.Picture, figure.Options) {
		c := demoValidation()
		at := 610.0
		c.Cursor, c.Best, c.Range = &at, chart.Lowest, curves.Recent
		return c, figure.Options{Y: "error"}
	},
	"means": func() (viz.Picture, figure.Options) {
		c := demoCurve()
		c.Smoothing, c.Means, c.Scale, c.X = 0, true, chart.Log, chart.Epochs.Log()
		for i := range c.Series[0].X {
			c.Series[0].X[i] = math.Log10(1 + c.Series[0].X[i])
		}
		return c, figure.Options{Y: "ELBO"}
	},
	"smooth groups": func() (viz.Picture, figure.Options) {
		c := demoGroups()
		c.Groups[1].Members = c.Groups[1].Members[:2]
		at := 60.0
		c.Smoothing, c.Cursor = 0.9, &at
		c.Series = []curves.Series{{Label: "alone", Run: 2, X: []float64{0, 50, 100},
			Y: []float64{-3, -2, -2.5}, Exact: true}}
		return c, figure.Options{Y: "mean log-likelihood"}
	},
	"classes": func() (viz.Picture, figure.Options) {
		m := heatmap.PlaneMap{X: []float64{0, 1, 2}, Y: []float64{0, 1},
			Values: []float64{0, 1, 2, 1, math.NaN(), 0},
			XName:  "x", YName: "y", Name: "most probable kind", Classes: []string{"cat", "dog", "bird"},
			Points: []heatmap.Points{{Label: "cat", X: []float64{0.2}, Y: []float64{0.1}},
				{Label: "bird", X: []float64{1.3, 1.8}, Y: []float64{0.8, 0.2}}}}
		return m, figure.Options{Title: "Kinds"}
	},
	"much relevance": func() (viz.Picture, figure.Options) {
		r := plots.Relevance{}
		for i := range 9 {
			r.Inputs = append(r.Inputs, fmt.Sprintf("input %d", i+1))
		}
		for run := range 3 {
			l := plots.Lengths{Label: fmt.Sprintf("run %d", run+1), Run: run}
			for i := range r.Inputs {
				l.Values = append(l.Values, 0.2+float64((i*i+run)%7))
			}
			r.List = append(r.List, l)
		}
		r.List[1].Values[3] = math.Inf(1)
		return r, figure.Options{Title: "Relevance"}
	},
	"ranks": func() (viz.Picture, figure.Options) {
		return demoRanks(), figure.Options{Title: "Average ranks by test log-likelihood"}
	},
	"two ranks": func() (viz.Picture, figure.Options) {
		c := tables.RankDiagram{
			Labels: []string{"a", "b"},
			Ranks:  []float64{1.5, 1.5},
			CD:     3,
			Groups: [][]int{{0, 1, 7}, {9}},
		}
		return c, figure.Options{}
	},
}

// demoErrors returns errors on logarithmic axes. One error is 0.
func demoErrors() plots.Scatter {
	c := plots.Cloud{Label: "star"}
	for i := range 60 {
		c.X = append(c.X, math.Exp(float64(i)/20))
		c.Y = append(c.Y, math.Exp(float64(i)/20+math.Sin(float64(5*i))))
	}
	c.Y[7] = 0
	return plots.Scatter{
		XName:    "predicted variance",
		YName:    "squared error",
		LogX:     true,
		LogY:     true,
		Diagonal: true,
		Trend:    plots.RunningMean,
		Clouds:   []plots.Cloud{c},
	}
}

// demoFits returns waves of n runs, with a gap.
func demoFits(n int) (f plots.Fits) {
	f.XName, f.YName = "x", "y"
	for run := range n {
		one := plots.Fit{Label: fmt.Sprintf("run %d", run+1), Run: run, MeanName: "predictive mean",
			DrawsName: "draws of f", Marks: []float64{0.1, 9}, MarksName: "inducing inputs",
			Observations: []plots.Observations{{Name: "training points", X: []float64{0.2, 0.5, 3},
				Y: []float64{1, math.NaN(), 2}}, {Name: "test points", X: []float64{0.7}, Y: []float64{0}}}}
		r := chart.Range{Name: "95 %"}
		one.Draws = make([][]float64, 1)
		for i := range 20 {
			x := float64(i) / 10
			y := math.Sin(3*x) + float64(run)
			one.X = append(one.X, x)
			one.Mean = append(one.Mean, y)
			one.Draws[0] = append(one.Draws[0], y+0.3*x)
			r.Lo = append(r.Lo, y-1)
			r.Hi = append(r.Hi, y+1)
		}
		one.Mean[3] = math.NaN()
		r.Hi[5] = math.Inf(1)
		one.Ranges = []chart.Range{r}
		f.List = append(f.List, one)
	}
	return f
}

func demoAgainsts(n int) (a plots.Predictions) {
	a.XName, a.YName = "observed y", "predicted"
	for run := range n {
		a.List = append(a.List, plots.Prediction{Label: fmt.Sprintf("run %d", run+1), Run: run,
			Observed: []float64{1, 2, 3, math.NaN()}, Mean: []float64{1.1, 2, 2.5, 1},
			Ranges: []chart.Range{{Name: "95 %", Lo: []float64{0, 1, 2, 0}, Hi: []float64{2, 3, 2.9, 1}},
				{Name: "50 %",
					Lo: []float64{0.5, 1.5, 2.3, 0}, Hi: []float64{1.5, 2.5, 2.7, 1}}}})
	}
	return a
}

func demoRelevance() plots.Relevance {
	return plots.Relevance{
		Inputs: []string{"height", "mass"},
		List: []plots.Lengths{{Label: "a", Values: []float64{2, 0.5}},
			{Label: "b", Run: 1, Values: []float64{1}}},
	}
}

// demoMatrices returns two bands. One has coordinates.
func demoMatrices() heatmap.Matrices {
	w := heatmap.Matrix{Name: "|W|", Columns: []string{"f_1"}, Values: [][]float64{{0.5}, {1.25}}, Most: 2}
	c := heatmap.Matrix{
		Name:    "correlation",
		Columns: []string{"Cd", "Ni"},
		Values:  [][]float64{{1, -0.5}, {math.NaN(), 1}},
		Most:    1,
	}
	return heatmap.Matrices{Rows: []string{"Cd", "Ni"}, Axes: []string{"x", "y"}, Bands: []heatmap.MatrixBand{
		{Name: "point 1", At: []float64{3, 0.1}, Matrices: []heatmap.Matrix{w, c}},
		{Name: "average", Matrices: []heatmap.Matrix{w}}}}
}

func drawn(t *testing.T, name string, f figure.Format) []byte {
	t.Helper()
	p, o := figures[name]()
	var b bytes.Buffer
	if err := export(&b, f, p, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every figure is a well-formed drawing of moderate size without NaN. It shows its title once, and is the
// same if it is drawn again.
func TestDrawings(t *testing.T) {
	for name, of := range figures {
		t.Run(name, func(t *testing.T) {
			p, o := of()
			o.Title = "a title"
			var first, again bytes.Buffer
			for _, b := range []*bytes.Buffer{&first, &again} {
				if err := export(b, figure.SVG, p, o); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(first.Bytes(), again.Bytes()) {
				t.Error("drawn twice, the drawings differ")
			}
			if first.Len() > 1<<20 {
				t.Errorf("the drawing has %d bytes, want less than a megabyte", first.Len())
			}
			text := encodedImage.ReplaceAll(first.Bytes(), nil) // The encoded letters are arbitrary.
			if bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Inf")) {
				t.Error("the drawing has coordinates that are no numbers")
			}
			titles := 0
			for _, w := range readDrawing(t, first.Bytes()).texts {
				if w.text == o.Title && w.upright && w.size == figure.TitleSize {
					titles++
				}
			}
			if titles != 1 {
				t.Errorf("the title is shown %d times", titles)
			}
		})
	}
}

// All formats draw the same figure, so a chart, a map with an image and a table are enough: they are whole
// files, and the same if they are written again.
func TestPicturesAndPages(t *testing.T) {
	for _, name := range []string{"curves", "plane", "ranks"} {
		picture := drawn(t, name, figure.PNG)
		page := drawn(t, name, figure.PDF)
		if !bytes.Equal(picture, drawn(t, name, figure.PNG)) ||
			!bytes.Equal(page, drawn(t, name, figure.PDF)) {
			t.Errorf("%s: written twice, the files differ", name)
		}
		img, err := png.Decode(bytes.NewReader(picture))
		if err != nil {
			t.Fatal(err)
		}
		if s := img.Bounds().Size(); s.X < 1000 || s.Y < 400 {
			t.Errorf("%s: the picture has only %v pixels", name, s)
		}
		if !bytes.HasPrefix(page, []byte("%PDF-1.")) ||
			!bytes.HasSuffix(bytes.TrimSpace(page), []byte("%%EOF")) {
			t.Errorf("%s: the page goes from %.20q to %q", name, page, page[len(page)-10:])
		}
	}
}

// Every picture fills its box exactly.
func TestPicturesFillTheirBox(t *testing.T) {
	for name, of := range figures {
		t.Run(name, func(t *testing.T) {
			p, _ := of()
			golden.CheckBoxes(t, p)
		})
	}
}

// encodedImage matches an image within an SVG file.
var encodedImage = regexp.MustCompile(`base64,[^"]*`)

// Images in PDF files are stored from bottom to top: the vertical axis of their page is mirrored.
func TestImagesInPDFStandUpright(t *testing.T) {
	m := heatmap.PlaneMap{X: []float64{0, 1, 2}, Y: []float64{0, 3},
		Values: []float64{0, 0.4, 1, 0.2, 0.8, 1}}
	var drawing, file bytes.Buffer
	if err := errors.Join(export(&drawing, figure.SVG, m, figure.Options{}),
		export(&file, figure.PDF, m, figure.Options{})); err != nil {
		t.Fatal(err)
	}
	page := file.Bytes()
	images := encodedImage.FindAll(drawing.Bytes(), -1)
	if len(images) == 0 {
		t.Fatal("the drawing has no images")
	}
	for _, encoded := range images {
		data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(encoded), "base64,"))
		if err != nil {
			t.Fatal(err)
		}
		upright, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		size := upright.Bounds()
		mirrored := image.NewNRGBA(size)
		for y := range size.Dy() {
			for x := range size.Dx() {
				mirrored.Set(x, y, upright.At(x, size.Dy()-1-y))
			}
		}
		var turned bytes.Buffer
		if err := png.Encode(&turned, mirrored); err != nil {
			t.Fatal(err)
		}
		if pixels := pngPixels(turned.Bytes()); !bytes.Contains(page, pixels) ||
			bytes.Contains(page, pngPixels(data)) {
			t.Errorf("an image of %v pixels is not stored from bottom to top", size.Size())
		}
	}
}

// pngPixels returns the first IDAT chunk of a PNG file.
func pngPixels(file []byte) []byte {
	at := bytes.Index(file, []byte("IDAT"))
	length := binary.BigEndian.Uint32(file[at-4:])
	return file[at+4:][:length]
}

func TestFigureTexts(t *testing.T) {
	for name, words := range map[string][]string{
		"elbo":       {"smoothed 0.95", "1 not finite", "step", "&lt;3 layers&gt; &amp; more"},
		"validation": {"stripes-and-arrow", "mean-field", "best -2.3", "training time", "10m"},
		"gap":        {"gap to best, log"},
		"map":        {"layer 3", "M = 64", "max-pooled to 12", "log10 |S_M|"},
		"matrices":   {"correlation, point 1", "f_1", "-0.50", "Network"},
		"clipped":    {"≤-8", ">-6<"},
		"flat plane": {">7.0<", ">6.6<", ">7.4<"},
		"five seeds": {"stripes-and-arrow, n = 5", "mean-field, n = 4–5", "mean ± s.e.", "epoch"},
		"zoom":       {"12.01k", "12.05k"},
		"odd layer":  {"GP 2, sd 1.2, collapsed", "first input"},
	} {
		drawing := string(drawn(t, name, figure.SVG))
		for _, w := range words {
			if !strings.Contains(drawing, w) {
				t.Errorf("%s does not contain %q", name, w)
			}
		}
	}
}

// Without anything to draw, a figure is an error of one line.
func TestNothingToDraw(t *testing.T) {
	nan := math.NaN()
	for name, p := range map[string]viz.Picture{
		"curve":    curves.Curve{Series: []curves.Series{{Y: []float64{nan}}}},
		"no curve": curves.Curve{},
		"map":      heatmap.BlockMap{},
		"bad map":  heatmap.BlockMap{Parts: parts([]int{2}, 0, 3), Log10: make([]float64, 7)},
		"bands":    plots.Bands{X: []float64{1}, Bands: []plots.Band{{Mean: []float64{nan}}}},
		"bars":     plots.Histogram{Values: []float64{nan}, Hi: 1},
		"means":    plots.ErrorBars{},
		"layer":    plots.Layer{}, "coverage": plots.Coverage{}, "reliability": plots.Reliability{},
		"scatter": plots.Scatter{}, "fit": plots.Fits{List: make([]plots.Fit, 1)},
		"against": plots.Predictions{}, "lengths": plots.Relevance{Inputs: []string{"a"}},
		"histograms": plots.Histograms{{}, {Values: []float64{nan}, Hi: 1}}, "stems": plots.Stems{},
		"inducing": plots.Inducing{Seen: []chart.XY{{X: nan}}},
		"depths":   plots.Depths{Kinds: make([]plots.DepthsKind, 2)}, "plane": heatmap.PlaneMap{},
		"no matrix": heatmap.Matrices{}, "no row": heatmap.Matrices{Bands: demoMatrices().Bands},
		"no column": heatmap.Matrices{Rows: []string{"a"},
			Bands: []heatmap.MatrixBand{{Matrices: make([]heatmap.Matrix, 1)}}},
		"no rank":  tables.RankDiagram{},
		"rank NaN": tables.RankDiagram{Labels: []string{"a", "b"}, Ranks: []float64{1, nan}},
		"rank far": tables.RankDiagram{Labels: []string{"a"}, Ranks: []float64{1e300}},
	} {
		err := export(io.Discard, figure.SVG, p, figure.Options{})
		if !errors.Is(err, figure.ErrNothing) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line that wraps ErrNothing", name, err)
		}
	}
	for name, p := range map[string]viz.Picture{
		"plane": heatmap.PlaneMap{}, "map": heatmap.BlockMap{Parts: parts([]int{2}, 0, 3)},
	} {
		if err := p.CSV(io.Discard); !errors.Is(err, figure.ErrNothing) {
			t.Errorf("the table of an empty %s: %v, want ErrNothing", name, err)
		}
	}
	if err := export(io.Discard, "gif", demoCurve(), figure.Options{}); err == nil ||
		!strings.Contains(err.Error(), "gif") {
		t.Errorf("an unknown format gave %v", err)
	}
}

// brokenWriter fails after some bytes.
type brokenWriter struct{ left int }

func (b *brokenWriter) Write(p []byte) (int, error) {
	b.left -= len(p)
	if b.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// Errors of the writer of a figure or a table are returned, also if they occur at the end.
func TestWriteErrorsAreReported(t *testing.T) {
	for name, of := range figures {
		p, _ := of()
		if err := p.CSV(&brokenWriter{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: writing the table: %v", name, err)
		}
	}
	if err := demoMap().CSV(&brokenWriter{left: 100}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("writing a long table: %v", err)
	}
	p, o := figures["curves"]()
	for _, format := range []figure.Format{figure.SVG, figure.PNG, figure.PDF} {
		for _, left := range []int{0, 100} {
			if err := export(&brokenWriter{left}, format, p, o); !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("writing %s with room for %d bytes: %v", format, left, err)
			}
		}
	}
}
