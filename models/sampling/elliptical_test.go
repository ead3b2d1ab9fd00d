package sampling

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/oracletest"
	"dgplab/models/stats"
)

// goldenSlices is an oracle case of elliptical slice sampling with a Gaussian likelihood.
type goldenSlices struct {
	Data   struct{ Y []float64 }
	Random struct {
		Steps []struct {
			Z       []float64
			UAccept float64   `json:"u_accept"`
			UAngle  float64   `json:"u_angle"`
			UShrink []float64 `json:"u_shrink"`
		}
	}
	Params struct {
		NoiseVar float64 `json:"noise_var"`
		F        []float64
	}
	Expect struct {
		PriorChol   [][]float64 `json:"prior_chol"`
		LogLikStart float64     `json:"log_lik_start"`
		Steps       []struct {
			PriorDraw []float64 `json:"prior_draw"`
			Angles    []float64
			LogLiks   []float64 `json:"log_liks"`
			Value     []float64
		}
		Stationary struct {
			Mean []float64
			Cov  [][]float64
		}
	}
}

// logLik returns the log-likelihood of f.
func (g *goldenSlices) logLik(f []float64) (float64, error) {
	var sum float64
	for i, y := range g.Data.Y {
		sum += stats.LogPDF(y, f[i], g.Params.NoiseVar)
	}
	return sum, nil
}

// priorDraw returns the draw from the prior for standard normal z.
func (g *goldenSlices) priorDraw(z []float64) []float64 {
	draw := make([]float64, len(z))
	for i, row := range g.Expect.PriorChol {
		for k, v := range row {
			draw[i] += v * z[k]
		}
	}
	return draw
}

func TestEllipticalSliceOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "ess") {
		t.Run(file.Name, func(t *testing.T) {
			var g goldenSlices
			oracletest.Decode(t, file.Text, &g)
			f := g.Params.F
			logLik, _ := g.logLik(f)
			oracletest.Close(t, "start", []float64{logLik}, []float64{g.Expect.LogLikStart},
				oracletest.ValueTolerance)
			for i, random := range g.Random.Steps {
				want := g.Expect.Steps[i]
				var angles, logLiks []float64
				uniforms := append([]float64{random.UAccept, random.UAngle}, random.UShrink...)
				e := EllipticalSlice{
					LogLik: g.logLik,
					Uniform: func() float64 {
						u := uniforms[0]
						uniforms = uniforms[1:]
						return u
					},
					Proposed: func(angle, logLik float64) {
						angles = append(angles, angle)
						logLiks = append(logLiks, logLik)
					},
				}
				draw := g.priorDraw(random.Z)
				var err error
				logLik, _, err = e.Step(f, nil, draw, make([]float64, len(f)), logLik)
				if err != nil {
					t.Fatal(err)
				}
				oracletest.Close(t, "prior draw", draw, want.PriorDraw, oracletest.ValueTolerance)
				oracletest.Close(t, "angles", angles, want.Angles, oracletest.ValueTolerance)
				oracletest.Close(t, "log-likelihoods", logLiks, want.LogLiks, oracletest.ValueTolerance)
				oracletest.Close(t, "value", f, want.Value, oracletest.ValueTolerance)
			}
		})
	}
}

// With a Gaussian likelihood, the samples have the moments of the closed-form posterior. With a
// constant likelihood, they have the moments of the prior, for any mean, and every first proposal
// is accepted.
func TestEllipticalSliceIsStationary(t *testing.T) {
	for _, file := range oracletest.Cases(t, "ess") {
		var g goldenSlices
		oracletest.Decode(t, file.Text, &g)
		n := len(g.Params.F)
		prior := make([]float64, n)
		for i := range prior {
			prior[i] = float64(i)
		}
		var covariance mat.Dense
		root := mat.NewDense(n, n, nil)
		for i, row := range g.Expect.PriorChol {
			root.SetRow(i, row)
		}
		covariance.Mul(root, root.T())
		constant := func([]float64) (float64, error) { return 0, nil }
		for _, c := range []struct {
			name       string
			logLik     func([]float64) (float64, error)
			prior      []float64
			mean       []float64
			covariance func(i int) float64
		}{
			{"posterior", g.logLik, nil, g.Expect.Stationary.Mean,
				func(i int) float64 { return g.Expect.Stationary.Cov[i][i] }},
			{"prior", constant, prior, prior, func(i int) float64 { return covariance.At(i, i) }},
		} {
			r := rand.New(rand.NewPCG(3, 4))
			e := EllipticalSlice{LogLik: c.logLik, Uniform: r.Float64}
			f := make([]float64, n)
			logLik, _ := c.logLik(f)
			draws := make([][]float64, n)
			for range 20000 {
				z := make([]float64, n)
				stats.Normals(z, r)
				var err error
				var proposals int
				logLik, proposals, err = e.Step(f, c.prior, g.priorDraw(z), make([]float64, n), logLik)
				if err != nil || c.name == "prior" && proposals != 1 {
					t.Fatalf("%d proposals, %v", proposals, err)
				}
				for i, v := range f {
					draws[i] = append(draws[i], v)
				}
			}
			for i := range n {
				s := Diagnose([][]float64{draws[i]})
				if z := (s.Mean - c.mean[i]) / s.MCSEMean; math.Abs(z) > 4 {
					t.Errorf("%s %s: mean of f %d is %.1f standard errors off", file.Name, c.name, i, z)
				}
				// The relative standard error of a variance is about sqrt(2/ESS).
				ratio := s.SD * s.SD / c.covariance(i)
				if z := (ratio - 1) / math.Sqrt(2/s.ESSBulk); math.Abs(z) > 5 {
					t.Errorf("%s %s: variance of f %d is %.3f of that expected, %.1f standard errors",
						file.Name, c.name, i, ratio, z)
				}
			}
		}
	}
}

// A step that fails leaves the state unchanged.
func TestEllipticalSliceFails(t *testing.T) {
	failure := errors.New("not positive definite")
	for _, c := range []struct {
		logLik func([]float64) (float64, error)
		want   error
	}{
		{func([]float64) (float64, error) { return 0, failure }, failure},
		{func([]float64) (float64, error) { return math.Inf(-1), nil }, errNoSlice},
		{func([]float64) (float64, error) { return math.NaN(), nil }, errNoSlice},
	} {
		f := []float64{1, 2}
		e := EllipticalSlice{LogLik: c.logLik, Uniform: func() float64 { return 0.5 }}
		_, _, err := e.Step(f, nil, []float64{3, 4}, make([]float64, 2), 0)
		if !errors.Is(err, c.want) || f[0] != 1 || f[1] != 2 {
			t.Errorf("f = %v, %v, want %v", f, err, c.want)
		}
	}
}
