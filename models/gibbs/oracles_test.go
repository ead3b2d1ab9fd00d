package gibbs

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
	"dgplab/models/oracletest"
)

// tolerance is relative; covariances have condition numbers up to 1e6.
const tolerance = 1e-7

// golden is an oracle case of the two-layer deep GP.
type golden struct {
	Config struct {
		Width     int `json:"D"`
		Kernel    string
		SampleG   bool   `json:"sample_g"`
		PriorMean string `json:"prior_mean"`
		Priors    map[string]struct{ Alpha, Beta float64 }
	}
	Data struct {
		X     [][]float64
		Y     []float64 `json:"y"`
		XTest [][]float64
		YTest []float64
	}
	Random struct{ Sweeps []goldenRandom }
	Params struct {
		goldenPosition
		Draws []goldenPosition
	}
	Expect struct {
		Sweeps []struct {
			State struct {
				goldenPosition
				LogLik   float64 `json:"log_lik"`
				LogJoint float64 `json:"log_joint"`
			}
		}
		Draws []struct {
			New       [][]float64 `json:"w_new"`
			Mean, Var []float64
		}
		Mean, Var  []float64
		LogDensity []float64 `json:"log_density"`
	}
}

type goldenPosition struct {
	W      [][]float64
	G      float64
	ThetaY float64   `json:"theta_y"`
	ThetaW []float64 `json:"theta_w"`
	Scale  float64   `json:"tau2_y"`
}

// goldenRandom holds the random numbers of a sweep; it implements random.
type goldenRandom struct {
	G      metropolisNumbers
	ThetaY metropolisNumbers   `json:"theta_y"`
	ThetaW []metropolisNumbers `json:"theta_w"`
	W      []struct {
		Z       []float64
		UAccept float64   `json:"u_accept"`
		UAngle  float64   `json:"u_angle"`
		UShrink []float64 `json:"u_shrink"`
	}
}

type metropolisNumbers struct {
	UProposal float64 `json:"u_proposal"`
	UAccept   float64 `json:"u_accept"`
}

// queue supplies given random numbers.
type queue struct {
	uniforms []float64
	slices   []struct{ normals, uniforms []float64 }
}

func (q *queue) Normals(dst []float64) {
	copy(dst, q.slices[0].normals)
	q.uniforms = q.slices[0].uniforms
	q.slices = q.slices[1:]
}

func (q *queue) Uniform() float64 {
	u := q.uniforms[0]
	q.uniforms = q.uniforms[1:]
	return u
}

// numbers returns the random numbers in the order of a sweep.
func (r *goldenRandom) numbers(sampleNugget bool) *queue {
	q := &queue{}
	add := func(n metropolisNumbers) { q.uniforms = append(q.uniforms, n.UProposal, n.UAccept) }
	if sampleNugget {
		add(r.G)
	}
	add(r.ThetaY)
	for _, n := range r.ThetaW {
		add(n)
	}
	for _, w := range r.W {
		q.slices = append(q.slices, struct{ normals, uniforms []float64 }{
			w.Z, append([]float64{w.UAccept, w.UAngle}, w.UShrink...)})
	}
	return q
}

// byColumn returns a matrix column by column.
func byColumn(rows [][]float64) (list []float64) {
	for k := range rows[0] {
		for _, row := range rows {
			list = append(list, row[k])
		}
	}
	return list
}

// fastCorrelation returns a correlation with assembly.
func fastCorrelation(kind kernel.Stationary, prior gamma) correlation {
	return correlation{fast: kind, values: []value{{name: "theta", column: -1, start: 1, prior: prior}}}
}

// joint returns the log joint density at a position.
func (g *golden) joint(t *testing.T, p goldenPosition) *joint {
	t.Helper()
	kinds := map[string]kernel.Stationary{
		"exp2": kernel.RBF, "matern32": kernel.Matern32, "matern52": kernel.Matern52,
	}
	kind, ok := kinds[g.Config.Kernel]
	if !ok {
		t.Fatalf("unknown kernel %q", g.Config.Kernel)
	}
	prior := func(name string) gamma { return gamma{g.Config.Priors[name].Alpha, g.Config.Priors[name].Beta} }
	c := config{
		x: byColumn(g.Data.X), y: g.Data.Y, inputs: len(g.Data.X[0]), layers: 2, width: g.Config.Width,
		priors:       priors{nugget: prior("g")},
		sampleNugget: g.Config.SampleG, followInputs: g.Config.PriorMean == "x",
	}
	hidden := fastCorrelation(kind, prior("theta_w"))
	c.correlations = [][]correlation{slices.Repeat([]correlation{hidden}, c.width),
		{fastCorrelation(kind, prior("theta_y"))}}
	j, err := newJoint(c, p.G, byColumn(p.W))
	if err != nil {
		t.Fatal(err)
	}
	for i, theta := range p.ThetaW {
		j.kernel[0][i][0] = theta
	}
	j.kernel[1][0][0] = p.ThetaY
	return j
}

func TestSweepOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "ess_dgp2") {
		t.Run(file.Name, func(t *testing.T) {
			var g golden
			oracletest.Decode(t, file.Text, &g)
			j := g.joint(t, g.Params.goldenPosition)
			s := newSweep(j, 1)
			for i, random := range g.Random.Sweeps {
				logJoint, err := s.run(context.Background(), random.numbers(g.Config.SampleG))
				if err != nil {
					t.Fatal(err)
				}
				want := g.Expect.Sweeps[i].State
				check := func(what string, got []float64, want ...float64) {
					t.Helper()
					oracletest.Close(t, what, got, want, tolerance)
				}
				check("nugget", j.nugget, want.G)
				check("theta of the targets", j.kernel[1][0], want.ThetaY)
				check("theta of hidden functions", slices.Concat(j.kernel[0]...), want.ThetaW...)
				check("hidden functions", j.hidden[0], byColumn(want.W)...)
				check("log-likelihood", j.terms[:1], want.LogLik)
				check("log joint", []float64{logJoint}, want.LogJoint)
				p, err := newPredictor(&j.config, &j.position)
				if err != nil {
					t.Fatal(err)
				}
				check("scale", []float64{p.scale}, want.Scale)
				again, err := j.Evaluate(nil)
				if err != nil {
					t.Fatal(err)
				}
				check("log joint evaluated at the position", []float64{again}, logJoint)
			}
		})
	}
}

func TestPredictionOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "ess_dgp2_predict") {
		t.Run(file.Name, func(t *testing.T) {
			var g golden
			oracletest.Decode(t, file.Text, &g)
			n := len(g.Data.XTest)
			inputs := len(g.Data.XTest[0])
			x := mat.NewDense(n, inputs, nil)
			for i, row := range g.Data.XTest {
				x.SetRow(i, row)
			}
			unit := cube{make([]float64, inputs), slices.Repeat([]float64{1}, inputs)}
			m := &Model{joint: g.joint(t, g.Params.Draws[0]), cube: unit}
			var samples [][]float64
			for i, draw := range g.Params.Draws {
				j := g.joint(t, draw)
				if err := j.set.Inverse(); err != nil {
					t.Fatal(err)
				}
				samples = append(samples, j.set.Free)
				p, err := newPredictor(&j.config, &j.position)
				if err != nil {
					t.Fatal(err)
				}
				at, err := p.through(unit.columns(x), n)
				if err != nil {
					t.Fatal(err)
				}
				oracletest.Close(t, "hidden functions", at, byColumn(g.Expect.Draws[i].New), tolerance)
				mean, variance, _ := p.moments(at, n)
				for k := range variance {
					variance[k] += p.noise()
				}
				oracletest.Close(t, "mean", mean, g.Expect.Draws[i].Mean, tolerance)
				oracletest.Close(t, "scale", []float64{p.scale}, []float64{draw.Scale}, tolerance)
				oracletest.Close(t, "variance", variance, g.Expect.Draws[i].Var, tolerance)
			}
			out, err := m.mixture(x, samples)
			if err != nil {
				t.Fatal(err)
			}
			mean := make([]float64, n)
			variance := make([]float64, n)
			density := make([]float64, n)
			out.Moments(mean, variance)
			out.LogDensity(density, g.Data.YTest)
			oracletest.Close(t, "mean of the mixture", mean, g.Expect.Mean, tolerance)
			oracletest.Close(t, "variance of the mixture", variance, g.Expect.Var, tolerance)
			oracletest.Close(t, "log density", density, g.Expect.LogDensity, tolerance)
		})
	}
}

// The prior density of theta integrates to 1, and vanishes at and below the jitter.
func TestGamma(t *testing.T) {
	g := gamma{1.2, 2}
	var sum float64
	const step = 1e-4
	for x := step / 2; x < 20; x += step {
		sum += step * math.Exp(g.LogDensity(x))
	}
	if math.Abs(sum-1) > 1e-4 || !math.IsInf(g.LogDensity(jitter), -1) || !math.IsInf(g.LogDensity(-1), -1) {
		t.Errorf("the density integrates to %v", sum)
	}
}
