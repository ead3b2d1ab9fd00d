package heatmap

import (
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// demo returns the network of p outputs and q latent functions.
func demoMatrices(p, q int) Matrices {
	var g Matrices
	names := []string{"Cd", "Ni", "Zinc", "a very long name", "5", "6", "7", "8", "9"}[:p]
	g.Rows = names
	for band, name := range []string{"at input 3 of 64: Xloc 3.1, Yloc 2.25", "average of 359 points"} {
		w := Matrix{Name: "|W|", Most: 2}
		c := Matrix{Name: "correlation", Columns: names, Most: 1}
		for i := range p {
			var weights, row []float64
			for j := range q {
				weights = append(weights, 2*math.Abs(math.Sin(float64(1+i+3*j+band))))
			}
			for k := range p {
				row = append(row, math.Cos(float64(i-k)))
			}
			w.Values = append(w.Values, weights)
			c.Values = append(c.Values, row)
		}
		for j := range q {
			w.Columns = append(w.Columns, []string{"f_1", "f_2", "f_3", "f_4"}[j])
		}
		g.Bands = append(g.Bands, MatrixBand{Name: name, Matrices: []Matrix{w, c}})
	}
	return g
}

// confused returns the confusion of k classes.
func confused(k int) Matrices {
	var g Matrices
	m := Matrix{Name: "observed, by most probable class", Most: 120, Whole: true}
	for i := range k {
		m.Columns = append(m.Columns, string(rune('A'+i)))
		g.Rows = append(g.Rows, string(rune('A'+i))+" class")
		var row []float64
		for j := range k {
			row = append(row, math.Trunc(120/(1+10*math.Abs(float64(i-j)))))
		}
		m.Values = append(m.Values, row)
	}
	g.Bands = []MatrixBand{{Name: "star", Matrices: []Matrix{m}}}
	return g
}

// Counts are written if there is room for their digits.
func TestCountsAreWritten(t *testing.T) {
	for k, w := range map[int]int{3: 20, 12: 56, 14: 64} {
		lines := strings.Split(golden.Text(confused(k), canvas.Style{}, w, k+3), "\n")
		if first := lines[3]; !strings.Contains(first, "120") || !strings.Contains(first, "10") {
			t.Errorf("%d classes in %d cells:\n%s", k, w, strings.Join(lines, "\n"))
		}
	}
}

// Counts get larger cells, with centred numbers, if all bands fit.
func TestCountsUseTheRoom(t *testing.T) {
	for _, c := range []struct{ w, h, cell, tall int }{
		{98, 50, 15, 7}, {98, 20, 11, 5}, {40, 12, 7, 3}, {40, 11, 7, 1},
	} {
		l := confused(3).layout(c.w, c.h)
		if l.cell != c.cell || l.tall != c.tall {
			t.Errorf("%d x %d: cells of %d x %d, want %d x %d", c.w, c.h, l.cell, l.tall, c.cell, c.tall)
		}
	}
	lines := strings.Split(golden.Text(confused(3), canvas.Style{}, 40, 12), "\n")
	if !strings.HasPrefix(lines[4], "A class   120     10     5 ") {
		t.Errorf("the first row is not in the middle of its cells:\n%s", strings.Join(lines, "\n"))
	}
}

func TestText(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.00", -0.424: "-0.42", 9.994: "9.99", 9.996: "10.0", 999.4: "999.4", 999.6: "1000",
		12345.6: "10k", math.Inf(1): "Inf",
	} {
		if got := matrixText(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}

func FuzzMatrices(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		var g Matrices
		for range d.Byte() % 8 {
			g.Rows = append(g.Rows, string(rune(d.Byte()))+"é宽")
		}
		for range d.Byte() % 3 {
			b := MatrixBand{Name: "宽 name"}
			for range d.Byte() % 3 {
				m := Matrix{Name: "m", Columns: make([]string, d.Byte()%6), Most: d.Float()}
				for range d.Byte() % 8 {
					m.Values = append(m.Values, d.Floats(6))
				}
				b.Matrices = append(b.Matrices, m)
			}
			g.Bands = append(g.Bands, b)
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, g.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}
