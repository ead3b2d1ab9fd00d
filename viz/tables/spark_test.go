package tables

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// boxed returns a line as a box.
func boxed(line string) []string {
	if line == "" {
		return nil
	}
	return []string{line}
}

func FuzzLines(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		values := d.Floats(60)
		for _, style := range golden.Styles {
			for _, line := range []string{
				Sparkline(style, values, int(w)),
				ProgressBar(style, d.Float(), int(w)),
			} {
				golden.CheckBox(t, boxed(line), style, int(w), 1)
			}
		}
	})
}

// elbo returns a noisy ELBO of n steps with one dip.
func elbo(n int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	var out []float64
	for i := range n {
		out = append(out, -900-9000*math.Exp(-float64(i)/float64(n)*15)+120*r.NormFloat64())
	}
	out[n*3/4] = -6000
	return out
}

// Bars and lines are drawn for no values, one value, many values, and values out of range.
func TestLinesOfText(t *testing.T) {
	var b strings.Builder
	for _, style := range []canvas.Style{{}, {ASCII: true}} {
		for _, w := range []int{40, 12, 6, 1} {
			show := func(line, what string) {
				golden.CheckBox(t, boxed(line), style, w, 1)
				if w == 40 && !style.ASCII {
					fmt.Fprintf(&b, "|%s| %s\n", line, what)
				}
			}
			for _, done := range []float64{-1, 0, 0.303, 0.999, 1, 7, math.NaN(), math.Inf(1)} {
				show(ProgressBar(style, done, w), fmt.Sprint("progress ", done))
			}
			for _, v := range [][]float64{nil, {1}, {1, 2, 3, 2, 1, math.NaN(), 4}, elbo(500)} {
				show(Sparkline(style, v, w), fmt.Sprintf("sparkline of %d values", len(v)))
			}
			for _, c := range [][]int{nil, {5}, {0, 1, 100, 3, 0, 2}} {
				show(HistogramBar(style, c, w), fmt.Sprint("histogram ", c))
			}
		}
	}
	golden.Check(t, "lines", b.String())
}

// The percentage appears from eight cells on: three for the bar and five for the number.
func TestProgressBarShowsPercentage(t *testing.T) {
	for w, want := range map[int]bool{7: false, 8: true} {
		line := ProgressBar(canvas.Style{}, 0.5, w)
		if strings.Contains(line, "50%") != want {
			t.Errorf("%d cells: %q", w, line)
		}
	}
}

// No bar of a histogram fills its cell, so that histograms in neighbouring rows do not touch.
func TestHistogramsLeaveAGap(t *testing.T) {
	for _, counts := range [][]int{{5}, {1, 2, 3, 100}, {7, 7, 7}} {
		if text := string(HistogramRunes(counts, 12)); strings.Contains(text, "█") {
			t.Errorf("the histogram of %d is %q", counts, text)
		}
	}
}
