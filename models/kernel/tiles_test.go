package kernel

import (
	"math"
	"slices"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/param"
)

// recordTiles records covariances that are computed tile by tile as one operation, [1][M][P].
func recordTiles(c *model) *autodiff.Node {
	tiles := c.NewTiles(c.tape, c.z, c.x, linalg.NewTiling(c.x.Cols))
	m := c.z.Rows
	out := c.tape.Output(1, m, c.x.Cols, tiles.Inputs()...)
	each := func(visit func(chain, start, end int)) {
		for chain := range tiles.Chains {
			tiles.Each(chain, func(start, end int) { visit(chain, start, end) })
		}
	}
	return c.tape.Record(out, func() error {
		each(func(chain, start, end int) {
			tiles.Evaluate(chain, start, end).Unpack(out.Value[start:], out.Cols)
		})
		return nil
	}, func() {
		tiles.Prepare()
		each(func(chain, start, end int) {
			var dk linalg.Strips
			dk.Resize(m, end-start)
			for j := range dk.Count() { // The columns beyond the last point are undefined.
				elements, _, _ := dk.Elements(j)
				for i := range elements {
					elements[i] = math.NaN()
				}
			}
			dk.Pack(out.Grad()[start:], out.Cols)
			tiles.Differentiate(chain, &dk, start, end)
		})
		tiles.Collect()
	})
}

// Tiles and one operation for all points have the same covariances and gradients.
func TestTilesEqualWhole(t *testing.T) {
	for _, text := range expressions() {
		t.Run(text, func(t *testing.T) {
			tiles := newModel(t, text, 2, 1, 6, 531)
			whole := newModel(t, text, 2, 1, 6, 531)
			got := differentiated(t, tiles, recordTiles(tiles))
			want := differentiated(t, whole, whole.RecordKuf(whole.tape, whole.z, whole.x))
			for i, numbers := range want {
				checkNear(t, i, got[i], numbers)
			}
		})
	}
}

// differentiated returns covariances and the gradients of a weighted sum of them.
func differentiated(t *testing.T, c *model, out *autodiff.Node) [][]float64 {
	t.Helper()
	weights := c.tape.Constant(1, out.Rows, out.Cols)
	copy(weights.Value, weightsFor(out.Len()))
	total := c.tape.Sum(c.tape.Mul(out, weights))
	forward(t, c.tape)
	c.tape.Backward(total)
	list := [][]float64{out.Value, c.z.Grad(), c.x.Grad()}
	for _, p := range c.Parameters(param.Positive{}) {
		list = append(list, p.Node.Grad())
	}
	return list
}

// checkNear compares result number i up to rounding.
func checkNear(t *testing.T, number int, got, want []float64) {
	t.Helper()
	scale := max(1, slices.Max(want), -slices.Min(want))
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= 1e-12*scale) {
			t.Fatalf("result %d: entry %d is %v, want %v", number, i, got[i], w)
		}
	}
}
