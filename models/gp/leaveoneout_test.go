package gp

import (
	"slices"
	"testing"

	"dgplab/models/familytest"
	"dgplab/models/oracletest"
)

// TestLeaveOneOutOracles checks the predictions of the exact GP.
func TestLeaveOneOutOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "loo") {
		t.Run(file.Name, func(t *testing.T) {
			var c struct {
				Data   struct{ X, Y [][]float64 }
				Params struct {
					Kernel familytest.KernelTree
					Noise  float64 `json:"noise_var"`
				}
				Expect struct {
					Mean, Var  [][]float64
					LogDensity [][]float64 `json:"log_density"`
				}
			}
			oracletest.Decode(t, file.Text, &c)
			n, d, p := len(c.Data.X), len(c.Data.X[0]), len(c.Data.Y[0])
			s := problem{kernel: c.Params.Kernel.Text(), x: slices.Concat(c.Data.X...),
				y: slices.Concat(c.Data.Y...), n: n, d: d, start: start{
					lengthscales: slices.Repeat([]float64{1}, d), variance: 1, noise: c.Params.Noise}}
			g := s.graph(t, "gp")
			c.Params.Kernel.Set(g.kernel)
			if err := g.tape.Forward(); err != nil {
				t.Fatal(err)
			}
			rows := []int{n - 1, 0, 3, 1}
			out := g.leftOut(rows)
			y := make([]float64, 0, len(rows)*p)
			for i, row := range rows {
				y = append(y, c.Data.Y[row]...)
				for k := range p {
					oracletest.Close(t, "moments",
						[]float64{out.Mean[i*p+k], out.Var[i*p+k] + c.Params.Noise},
						[]float64{c.Expect.Mean[row][k], c.Expect.Var[row][k]}, oracletest.ValueTolerance)
				}
			}
			density := make([]float64, len(rows)*p)
			out.LogDensityByOutput(density, y)
			for i, row := range rows {
				oracletest.Close(t, "log density", density[i*p:(i+1)*p], c.Expect.LogDensity[row],
					oracletest.ValueTolerance)
			}
		})
	}
}

// TestLeaveOneOutEqualsRefits compares the predictions of each family with the predictions of
// models that have the same parameters and all other points.
func TestLeaveOneOutEqualsRefits(t *testing.T) {
	for family := range recordings {
		t.Run(family, func(t *testing.T) {
			c := randomProblem("matern32", 14, 2, 2, 5)
			g := c.graph(t, family)
			if err := g.tape.Forward(); err != nil {
				t.Fatal(err)
			}
			rows := make([]int, c.n)
			for i := range rows {
				rows[i] = i
			}
			out := g.leftOut(rows)
			for i := range c.n {
				others := c
				others.n--
				others.x = slices.Delete(slices.Clone(c.x), i*c.d, (i+1)*c.d)
				others.y = slices.Delete(slices.Clone(c.y), i*c.p, (i+1)*c.p)
				want, f := predictions(t, others.graph(t, family), c.x[i*c.d:(i+1)*c.d])
				oracletest.Close(t, "means", out.Mean[2*i:2*i+2], want, 1e-8)
				oracletest.Close(t, "variance", out.Var[2*i:2*i+1], f, 1e-8)
			}
		})
	}
}
