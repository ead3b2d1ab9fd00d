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

func TestLinesGolden(t *testing.T) {
	var b strings.Builder
	for _, style := range []canvas.Style{{}, {ASCII: true}} {
		for _, w := range []int{40, 12, 6, 1} {
			for _, done := range []float64{-1, 0, 0.303, 0.999, 1, 7, math.NaN(), math.Inf(1)} {
				line := ProgressBar(style, done, w)
				golden.CheckBox(t, boxed(line), style, w, 1)
				fmt.Fprintf(&b, "|%s| %v\n", line, done)
			}
			for _, v := range [][]float64{nil, {1}, {1, 2, 3, 2, 1, math.NaN(), 4}, elbo(500)} {
				line := Sparkline(style, v, w)
				golden.CheckBox(t, boxed(line), style, w, 1)
				fmt.Fprintf(&b, "|%s| sparkline of %d\n", line, len(v))
			}
			for _, c := range [][]int{nil, {5}, {0, 1, 100, 3, 0, 2}} {
				line := HistogramBar(style, c, w)
				golden.CheckBox(t, boxed(line), style, w, 1)
				fmt.Fprintf(&b, "|%s| histogram %v\n", line, c)
			}
		}
	}
	golden.CheckEscaped(t, "lines", b.String())
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
