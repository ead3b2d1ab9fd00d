package inducing

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/viz/golden"
)

// TestRandomRows compares the inducing inputs of random rows with recorded ones. The rows form groups, and
// some are equal, few, many or on a line.
func TestRandomRows(t *testing.T) {
	var d golden.Digest
	for _, group := range []string{"few", "equal", "groups", "many"} {
		d.Begin(group)
		r := rand.New(rand.NewPCG(uint64(len(group)), 29))
		for k := range 12 {
			n := 1 + r.IntN(60)
			if group == "many" {
				n = 2000 + r.IntN(500)
			}
			dims := 1 + k%4
			x := make([]float64, n*dims)
			for i := range x {
				x[i] = r.NormFloat64()
				switch group {
				case "equal":
					x[i] = float64(r.IntN(2))
				case "groups":
					x[i] = 0.1*x[i] + float64((i/dims)%5)
				}
				if i%dims == 2 {
					x[i] = 1
				}
			}
			m := 1 + r.IntN(12)
			p := Centers(x, n, dims, m, r)
			d.AddNumbers("centers", p.Z...)
			d.AddNumbers("jittered", float64(p.Jittered))
			wide := mat.NewDense(n, dims, x).Slice(0, n, 0, max(1, dims-1)).(*mat.Dense)
			d.AddNumbers("centers", KMeans(wide, m, r).RawMatrix().Data...)
			if n > 20 && group != "equal" { // otherwise the directions are not unique
				w := LinearMap(mat.NewDense(n, dims, x), 1+r.IntN(5))
				d.AddNumbers("maps", w.RawMatrix().Data...)
			}
		}
	}
	d.Check(t, "rows")
}
