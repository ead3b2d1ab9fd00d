package bnn

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/likelihood"
	"dgplab/models/oracletest"
	"dgplab/models/param"
	"dgplab/models/predictive"
	"dgplab/models/train"
)

// golden is an oracle case of networks trained by gradients. It lists all weights layer by layer, W
// before b.
type golden struct {
	Config struct {
		Sizes       []int
		B, N, S, T  int
		PriorVar    float64 `json:"prior_var"`
		Keep        float64
		Lengthscale float64
	}
	Data struct {
		X     [][]float64
		Y     []float64
		Xtest [][]float64
		Ytest []float64
	}
	Random struct {
		Eps       [][]float64
		EpsTest   [][]float64     `json:"eps_test"`
		Masks     [][][][]float64 // [layer][S][B][inputs]
		MasksTest [][][][]float64 `json:"masks_test"`
	}
	Params struct {
		W, Mean, Std []float64
		Tau          float64
		NoiseVar     float64 `json:"noise_var"`
	}
	Expect struct {
		Objective float64
		Parts     struct {
			EllBatch float64 `json:"ell_batch"`
			KL       float64
			Penalty  float64
		}
		F        [][]float64 `json:"f"`
		FSamples [][]float64 `json:"f_samples"`
		Predict  struct {
			FSamples   [][]float64 `json:"f_samples"`
			FPasses    [][]float64 `json:"f_passes"`
			YMean      []float64   `json:"y_mean"`
			YVar       []float64   `json:"y_var"`
			LogDensity []float64   `json:"log_density"`
		}
	}
	Grad struct {
		W, Mean, Std []float64
		Tau          float64
		NoiseVar     float64 `json:"noise_var"`
	}
}

// readGolden returns a case with its data and configuration. The rows of the case come first among
// the N rows of the data.
func readGolden(t *testing.T, text []byte) (g golden, data family.Data, c config) {
	t.Helper()
	oracletest.Decode(t, text, &g)
	data = family.Data{
		X: mat.NewDense(g.Config.N, g.Config.Sizes[0], nil),
		Y: mat.NewDense(g.Config.N, 1, nil),
	}
	c = config{sizes: g.Config.Sizes, batch: g.Config.B, samples: g.Config.S, noise: 1, spread: 1,
		noiseTransform: param.Exponential{}, priorVariance: g.Config.PriorVar, keep: g.Config.Keep,
		lengthscale: g.Config.Lengthscale, likelihood: likelihood.Gaussian{}}
	return g, data, c
}

// show copies the rows of a case into the minibatch.
func (f *fit) show(g golden) {
	for b, row := range g.Data.X {
		for d, v := range row {
			f.x.Value[d*len(g.Data.X)+b] = v
		}
	}
	copy(f.y.Value, g.Data.Y)
}

// assign sets the weights of a perceptron to a list of values.
func assign(of *autodiff.Perceptron, list []float64) {
	of.Each(func(_ string, n *autodiff.Node) { list = list[copy(n.Value, list):] })
}

// gradients returns the gradients of the weights of a perceptron as a list.
func gradients(of *autodiff.Perceptron) (list []float64) {
	of.Each(func(_ string, n *autodiff.Node) { list = append(list, n.Grad()...) })
	return list
}

// replay evaluates the case and its gradients on the tape.
func (f *fit) replay(t *testing.T, g golden, penalty float64) {
	t.Helper()
	if err := f.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	f.tape.Backward(f.value)
	oracletest.Close(t, "objective", []float64{f.value.Value[0], f.penalty.Value[0], f.scaled.Value[0]},
		[]float64{g.Expect.Objective, penalty,
			g.Expect.Parts.EllBatch * float64(g.Config.N) / float64(g.Config.B)}, oracletest.ValueTolerance)
}

// predictGolden compares predictions of m with the case. draw sets the networks.
func predictGolden(
	t *testing.T, m *Model, g golden, functions [][]float64, draw func(s, window int, p *predictor),
) {
	t.Helper()
	x := mat.NewDense(len(g.Data.Xtest), g.Config.Sizes[0], nil)
	for i, row := range g.Data.Xtest {
		x.SetRow(i, row)
	}
	p, err := m.predict(x, len(functions), draw)
	if err != nil {
		t.Fatal(err)
	}
	of := p.(*predictive.Gaussians)
	oracletest.Close(t, "functions", of.Mean, slices.Concat(functions...), oracletest.ValueTolerance)
	n := len(g.Data.Ytest)
	mean := make([]float64, n)
	vr := make([]float64, n)
	density := make([]float64, n)
	of.Moments(mean, vr)
	of.LogDensity(density, g.Data.Ytest)
	oracletest.Close(t, "mean", mean, g.Expect.Predict.YMean, oracletest.ValueTolerance)
	oracletest.Close(t, "variance", vr, g.Expect.Predict.YVar, oracletest.ValueTolerance)
	oracletest.Close(t, "log density", density, g.Expect.Predict.LogDensity, oracletest.ValueTolerance)
}

func TestVariationalOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "bnn_vi") {
		t.Run(file.Name, func(t *testing.T) {
			g, data, c := readGolden(t, file.Text)
			v, err := newVariational(c, data, 1)
			if err != nil {
				t.Fatal(err)
			}
			m, err := newModel(boundObjective, c, false, v, train.Rates{
				Schedule: infer.Schedule{Rate: 0.1, Decay: 1},
			})
			if err != nil {
				t.Fatal(err)
			}
			v.show(g)
			assign(v.mean, g.Params.Mean)
			assign(v.sd, g.Params.Std)
			v.noise.Value[0] = g.Params.NoiseVar
			at := 0
			for _, eps := range v.eps {
				size := eps.Rows * eps.Cols
				for s, all := range g.Random.Eps {
					copy(eps.At(s), all[at:at+size])
				}
				at += size
			}
			v.replay(t, g, g.Expect.Parts.KL)
			oracletest.Close(t, "functions", v.functions.Value, slices.Concat(g.Expect.FSamples...),
				oracletest.ValueTolerance)
			oracletest.Close(t, "gradient by means", gradients(v.mean), g.Grad.Mean,
				oracletest.GradientTolerance)
			oracletest.Close(t, "gradient by standard deviations", gradients(v.sd), g.Grad.Std,
				oracletest.GradientTolerance)
			oracletest.Close(t, "gradient by the noise", v.noise.Grad(), []float64{g.Grad.NoiseVar},
				oracletest.GradientTolerance)
			predictGolden(t, m, g, g.Expect.Predict.FSamples, func(s, _ int, p *predictor) {
				w := slices.Clone(g.Params.Mean)
				for i, e := range g.Random.EpsTest[s] {
					w[i] += g.Params.Std[i] * e
				}
				assign(p.net, w)
			})
		})
	}
}

func TestDropoutOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "bnn_dropout") {
		t.Run(file.Name, func(t *testing.T) {
			g, data, c := readGolden(t, file.Text)
			d, err := newDropout(c, data, 1)
			if err != nil {
				t.Fatal(err)
			}
			m, err := newModel(penalisedObjective, c, true, d, train.Rates{
				Schedule: infer.Schedule{Rate: 0.1, Decay: 1},
			})
			if err != nil {
				t.Fatal(err)
			}
			d.show(g)
			assign(d.net, g.Params.W)
			d.noise.Value[0] = 1 / g.Params.Tau
			setMasks(d.masks, g.Random.Masks)
			d.replay(t, g, g.Expect.Parts.Penalty)
			oracletest.Close(t, "functions", d.functions.Value, slices.Concat(g.Expect.F...),
				oracletest.ValueTolerance)
			oracletest.Close(t, "gradient by weights", gradients(d.net), g.Grad.W,
				oracletest.GradientTolerance)
			byPrecision := -d.noise.Grad()[0] / math.Pow(g.Params.Tau, 2)
			oracletest.Close(t, "gradient by the precision", []float64{byPrecision}, []float64{g.Grad.Tau},
				oracletest.GradientTolerance)
			predictGolden(t, m, g, g.Expect.Predict.FPasses, func(s, _ int, p *predictor) {
				assign(p.net, g.Params.W)
				one := make([][][][]float64, len(p.masks))
				for l := range one {
					one[l] = g.Random.MasksTest[l][s : s+1]
				}
				setMasks(p.masks, one)
			})
		})
	}
}

// setMasks sets the masks, [1][inputs][S*B] for each layer, from a case.
func setMasks(masks []*autodiff.Node, of [][][][]float64) {
	for l, bySample := range of {
		for s, byPoint := range bySample {
			for b, mask := range byPoint {
				for d, v := range mask {
					masks[l].Row(d)[s*len(byPoint)+b] = v
				}
			}
		}
	}
}
