package viz_test

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
	"dgplab/viz/heatmap"
)

// Legends are beside the chart of a wide figure, or below the chart.
func TestLegendsAreOutsideTheChart(t *testing.T) {
	for name, entry := range map[string]string{
		"validation":              "mean-field",
		"five seeds":              "mean-field, n = 4–5",
		"coverage":                "95 % consistency band",
		"errors against variance": "running mean",
		"plane":                   "inducing",
	} {
		d := readDrawing(t, drawn(t, name, figure.SVG))
		c := d.charts(t)[0]
		found := 0
		for _, w := range d.texts {
			if strings.Contains(w.text, entry) {
				found++
				if w.x < c.x.to && w.y > c.x.at {
					t.Errorf("%s: %q is at %.0f, %.0f, over the chart", name, w.text, w.x, w.y)
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: %q is written %d times", name, entry, found)
		}
	}
}

// A figure has the width for which it is asked.
func TestWidthOfFigures(t *testing.T) {
	for name, f := range placed {
		p, o := f.draw()
		for _, o.Width = range []vg.Length{figure.ColumnWidth, figure.PageWidth} {
			if _, square := p.(heatmap.BlockMap); square && o.Width == figure.PageWidth {
				continue // A map that fills a page is too high.
			}
			if d := draw(t, p, o); math.Abs(d.width-o.Width.Points()) > 0.5 {
				t.Errorf("%s is %v points wide, want %v", name, d.width, o.Width)
			}
		}
	}
}

// The lines of a title are no wider than the figure.
func TestLongTitlesAreWhole(t *testing.T) {
	title := "Covariance of the inducing outputs, step 2,400, of 160 draws: correlations below 0.1 are " +
		"noise, and all of it is said"
	d := draw(t, demoMap(), figure.Options{Title: title})
	s := figure.TextStyle(figure.TitleSize, figure.Ink)
	var parts []string
	for _, w := range d.texts {
		if text := strings.TrimSpace(w.text); text != "" && strings.Contains(title, text) {
			parts = append(parts, text)
			if right := w.x + s.Width(text).Points(); w.x < 0 || right > d.width {
				t.Errorf("%q goes from %.0f to %.0f of %.0f points", text, w.x, right, d.width)
			}
		}
	}
	if joined := strings.Join(parts, " "); !strings.Contains(joined, title) {
		t.Errorf("the title is %q", joined)
	}
}

// Images within SVG files are of type PNG, because programs omit other types. They fill their rectangle below
// the axes.
func TestPicturesWithinDrawings(t *testing.T) {
	for _, name := range []string{"map", "plane"} {
		list := regexp.MustCompile(`(<image [^>]*)data:([^;]*);base64,iVBORw0KGgo`).FindAllSubmatch(drawn(t,
			name, figure.SVG), -1)
		if len(list) == 0 {
			t.Errorf("%s: no picture", name)
		}
		for _, found := range list {
			if string(found[2]) != "image/png" ||
				!strings.Contains(string(found[1]), `preserveAspectRatio="none"`) {
				t.Errorf("%s: a figure.PNG picture is %s, %s", name, found[2], found[1])
			}
		}
	}
}

// The number of the best value is below the middle of its star, but within the axes.
func TestBestValueIsWithinTheAxes(t *testing.T) {
	for best, y := range map[float64][]float64{1: {0, 5, 1}, 2: {0, 1, 5}} {
		c := curves.Curve{Series: []curves.Series{{Y: y}}, Best: chart.Highest}
		d := draw(t, c, figure.Options{})
		x := d.charts(t)[0].x
		i := slices.IndexFunc(d.texts, func(w written) bool { return w.text == "best 5" })
		if i < 0 {
			t.Fatalf("no best value in %v", d.texts)
		}
		w := d.texts[i]
		switch {
		case best == 1 && math.Abs(w.middle()-x.place(best)) > 1:
			t.Errorf("the number is at %v, want %v", w.middle(), x.place(best))
		case best == 2 && math.Abs(2*w.middle()-w.x-x.to) > 1:
			t.Errorf("the number ends at %v, want %v", 2*w.middle()-w.x, x.to)
		}
	}
}

// Titles of charts side by side are broken before they overlap.
func TestTitlesOfChartsAreApart(t *testing.T) {
	a := demoAgainsts(2)
	for i := range a.List {
		a.List[i].Label = "a family with a long name " + strconv.Itoa(i+1)
		a.List[i].Step = "at step 20,000"
	}
	d := draw(t, a, figure.Options{Title: "Predicted"})
	s := figure.TextStyle(figure.LabelSize, figure.Ink)
	charts := d.charts(t)
	half := (charts[0].x.to + charts[1].x.from) / 2
	said := ""
	for _, w := range d.texts {
		if left, right := w.x, w.x+s.Width(w.text).Points(); strings.ContainsAny(w.text, " ") &&
			left < half && right > half && w.text != "Predicted" && w.text != a.XName {
			t.Errorf("%q goes from %.0f to %.0f, over the middle at %.0f", w.text, left, right, half)
		}
		said += w.text + " "
	}
	for _, want := range []string{"long name 1", "20,000", "in 95 %"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
}

// The legend of several charts covers all of them.
func TestLegendCoversAllCharts(t *testing.T) {
	f := demoFits(2)
	f.List[0].Marks = nil
	var b bytes.Buffer
	if err := export(&b, figure.SVG, f, figure.Options{}); err != nil {
		t.Fatal(err)
	}
	if name := f.List[1].MarksName; name == "" || !strings.Contains(b.String(), ">"+name+"<") {
		t.Errorf("the %s of the second chart is not mentioned", name)
	}
}

// Titles are broken after commas if that suffices.
func TestTitlesAreBrokenAfterCommas(t *testing.T) {
	if got := figure.Wrap("mean of value, mean-field inducing 32, step 800", figure.TitleSize,
		6*vg.Centimeter); got != "mean of value,\nmean-field inducing 32,\nstep 800" &&
		got != "mean of value,\nmean-field inducing 32, step 800" {
		t.Errorf("%q", got)
	}
}
