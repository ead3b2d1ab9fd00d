package gp

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/oracletest"
)

// The posterior means of the terms of a kernel add up to the posterior mean of f, and their shares
// of the prior variance add up to one. White noise, which the data do not determine at new points,
// keeps its prior.
func TestTermsAddUp(t *testing.T) {
	for name := range recordings {
		c := randomProblem("rbf(0) + periodic(1)*linear(0) + white", 14, 2, 2, 5)
		g := c.graph(t, name)
		if err := g.tape.Forward(); err != nil {
			t.Fatal(err)
		}
		data := family.Data{X: mat.NewDense(14, 2, c.x)}
		all := data.Parts(g.kernel, g.x.Value, g.functionsOf)
		if len(all.Lines()) != 2 || len(all.Items) != 8 {
			t.Fatalf("%s: %d lines of %d functions", name, len(all.Lines()), len(all.Items))
		}
		for _, line := range all.Lines() {
			for p, want := range line.Items[:2] {
				sum := make([]float64, len(line.Grid))
				var shares float64
				for k := 2 + p; k < len(line.Items); k += 2 {
					shares += float64(line.Items[k].Share)
					for i, v := range line.Items[k].Mean {
						sum[i] += v
					}
				}
				oracletest.Close(t, name+": sum of the terms", sum, want.Mean, 1e-9)
				if math.Abs(shares-1) > 1e-12 {
					t.Errorf("%s: shares add up to %v", name, shares)
				}
			}
			white := line.Items[6]
			if want := math.Sqrt(1.3 / 3); white.Name != "white 1" || white.Mean[3] != 0 ||
				math.Abs(white.SD[3]-want) > 1e-12 {
				t.Errorf("%s: %s has mean %v and deviation %v, want %v", name, white.Name,
					white.Mean[3], white.SD[3], want)
			}
		}
	}
}

// The moments of a term equal the moments of a GP that has the kernel of the term and treats all
// other terms as noise.
func TestTermAgainstDefinition(t *testing.T) {
	c := randomProblem("rbf(0) + matern52(1)", 12, 2, 1, 1)
	g := c.graph(t, "gp")
	if err := g.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	term := g.kernel.Terms()[1]
	x := randomProblem("rbf", 4, 2, 1, 1).x
	mean := make([]float64, 4)
	variance := make([]float64, 4)
	g.predictTerm(term, mean, variance, x)
	wantMean, wantVariance := c.term(t, g, term, x)
	oracletest.Close(t, "mean", mean, wantMean, 1e-9)
	oracletest.Close(t, "variance", variance, wantVariance, 1e-9)
}

// term returns the moments of a term at x, with an explicit inverse of the covariance of the targets.
func (c problem) term(
	t *testing.T, g *graph, term *kernel.Covariance, x []float64,
) (mean, variance []float64) {
	t.Helper()
	all := mat.NewDense(c.n, c.n, nil)
	g.kernel.Kff(all.RawMatrix().Data, 0, g.x.Value)
	for i := range c.n {
		all.Set(i, i, all.At(i, i)+c.start.noise)
	}
	points := len(x) / c.d
	columns := make([]float64, len(x))
	linalg.Transpose(columns, x, points, c.d)
	cross := mat.NewDense(c.n, points, nil)
	term.Kuf(cross.RawMatrix().Data, 0, c.x, columns)
	variance = make([]float64, points)
	term.Diagonal(variance, 0, columns)
	var weights, means, explained mat.Dense
	if err := weights.Solve(all, cross); err != nil {
		t.Fatal(err)
	}
	means.Mul(weights.T(), mat.NewDense(c.n, 1, c.y))
	explained.Mul(cross.T(), &weights)
	for i := range variance {
		variance[i] -= explained.At(i, i)
	}
	return means.RawMatrix().Data, variance
}
