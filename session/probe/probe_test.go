package probe

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/predictive"
)

// linear predicts N(weight x, 1), or classes with this latent function.
type linear struct {
	models.Model
	weight []float64
	// draws is the maximum number of mixture components, where 0 means 1. spread is the standard deviation of
	// their means.
	draws  int
	spread float64
	class  bool
	err    error
	// onPredict is called by Predict with the number of samples.
	onPredict func(samples int)
	points    *mat.Dense // points of the last call
	calls     []int      // number of points of each call
	seeds     []uint64
}

func (m *linear) Predict(x *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	if m.onPredict != nil {
		m.onPredict(samples)
	}
	m.points = x
	n, _ := x.Dims()
	m.calls = append(m.calls, n)
	m.seeds = append(m.seeds, seed)
	s := min(samples, max(m.draws, 1))
	rng := rand.New(rand.NewPCG(seed, 1))
	var weights, mean, variance []float64
	for range s {
		weights = append(weights, 1/float64(s))
		for i := range n {
			f := mat.Dot(x.RowView(i), mat.NewVecDense(len(m.weight), m.weight))
			mean = append(mean, f+m.spread*rng.NormFloat64())
			variance = append(variance, 1)
		}
	}
	if m.class {
		return &predictive.Probit{S: s, N: n, Weights: weights, Mean: mean, Var: variance}, m.err
	}
	noise := make([]float64, s)
	return &predictive.Gaussians{
		S: s, N: n, P: 1, Weights: weights, Mean: mean, Var: variance, Noise: noise,
	}, m.err
}

// onPlane returns a probe for a model of two inputs with weights 1 and 2.
func onPlane(m *linear) *Probe {
	m.weight = []float64{1, 2}
	x := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5})
	data := &datasets.Prepared{
		Train: datasets.Part{X: x, Y: mat.NewDense(3, 1, nil), Targets: mat.NewDense(3, 1, nil)},
		Scaling: datasets.Scaling{
			InputMean: []float64{0, 0}, InputSD: []float64{1, 1},
			TargetMean: []float64{0}, TargetSD: []float64{1},
		},
	}
	return &Probe{Model: m, Data: data}
}

// line returns a probe with n test and validation points. Target i lies residual(i) above input i. The
// standard deviation of the targets is 3.
func line(m *linear, n int, residual func(i int) float64) *Probe {
	m.weight = []float64{1}
	x := mat.NewDense(n, 1, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, float64(i))
		y.Set(i, 0, float64(i)+residual(i))
	}
	part := datasets.Part{X: x, Y: y, Targets: mat.NewDense(n, 1, nil)}
	part.Targets.Apply(func(_, _ int, v float64) float64 { return 100 + 3*v }, y)
	return &Probe{Model: m, Data: &datasets.Prepared{
		Validation: part,
		Test:       part,
		Scaling:    datasets.Scaling{TargetMean: []float64{100}, TargetSD: []float64{3}},
	}}
}
