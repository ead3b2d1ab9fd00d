package param

import (
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/viz/golden"
)

// TestRandomEntries compares the values, gradients and free entries of all transforms, and the errors for
// values outside their range, with recorded results.
func TestRandomEntries(t *testing.T) {
	var d golden.Digest
	r := rand.New(rand.NewPCG(1, 28))
	d.Begin("entries")
	for k := range 200 {
		lower := 0.1 * float64(k%3)
		m := 1 + r.IntN(4)
		full := make([]bool, 1+r.IntN(3))
		for i := range full {
			full[i] = r.IntN(2) == 0
		}
		triangular := NewTriangular(m, full)
		if k%2 == 0 {
			triangular.Lower = lower
		}
		sizes := []int{3, 4, 5, len(full) * m * m}
		transforms := []Transform{Identity{}, Positive{lower}, Exponential{lower}, triangular}
		var list []*Parameter
		for i, transform := range transforms {
			p := &Parameter{Name: string(rune('a' + i)), Shape: []int{1, sizes[i]}, Transform: transform,
				Value: make([]float64, sizes[i])}
			free := make([]float64, p.Size())
			for j := range free {
				free[j] = 4 * r.NormFloat64()
			}
			p.Forward(free)
			list = append(list, p)
		}
		set, err := NewSet(list...)
		if err != nil {
			t.Fatal(err)
		}
		d.AddNumbers("free entries", set.Free...)
		for i := range set.Free {
			set.Free[i] += r.NormFloat64()
		}
		set.Forward()
		gradients := make([][]float64, len(list))
		for i, p := range list {
			d.AddNumbers("values", p.Value...)
			if r.IntN(5) == 0 {
				continue
			}
			for range p.Value {
				gradients[i] = append(gradients[i], r.NormFloat64())
			}
		}
		pulled := make([]float64, set.Size())
		set.Pullback(pulled, gradients)
		d.AddNumbers("gradients", pulled...)
		d.Add(t, "names", set.NameAt(r.IntN(set.Size()+1)), nil)
		p := list[r.IntN(len(list))]
		p.Value[r.IntN(len(p.Value))] = []float64{math.NaN(), math.Inf(1), -1, 0, 1e-9, lower}[r.IntN(6)]
		message := "none"
		if err := set.Inverse(); err != nil {
			message = err.Error()
		}
		d.Add(t, "errors", message, nil)
		d.AddNumbers("free entries", set.Free...)
	}
	d.Check(t, "entries")
}
