package dgp

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/predictive"
	"dgplab/models/random"
)

// predictColumns bounds the number of columns (points times samples) that a
// prediction works on at a time.
const predictColumns = 4096

// Predict implements family.Model.
func (m *Model) Predict(X *mat.Dense, samples int, seed uint64) (predictive.Predictive, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	g := m.predictor(min(n, max(1, predictColumns/samples)), samples)
	out := newMixture(g, n)
	for start := 0; start < n; start += g.b {
		m.load(g, X, start, seed)
		if err := g.tape.Forward(); err != nil {
			return nil, m.At(err)
		}
		collect(out, g, start)
	}
	if m.arch.Likelihood == Bernoulli {
		return &predictive.Probit{S: out.S, N: out.N, Weights: out.Weights, Mean: out.Mean, Var: out.Var}, nil
	}
	out.Noise = predictive.SharedNoise(m.post().noise.Value[0], out.S, out.P)
	return out, nil
}

// refresh recomputes what follows from the parameters alone.
func (m *Model) refresh() error {
	t := m.problem.tape
	return m.At(t.Quietly(func() error { return t.ForwardTo(m.parametersOnly) }))
}

// predictor returns a graph for b points and r samples, recorded once.
func (m *Model) predictor(b, r int) *graph {
	key := [2]int{b, r}
	g := m.predictors[key]
	if g == nil {
		if len(m.predictors) >= maxPredictors {
			clear(m.predictors)
		}
		g = newGraph(autodiff.NewTape(), m.post(), b, r)
		m.predictors[key] = g
	}
	return g
}

// maxPredictors bounds the number of recorded shapes.
const maxPredictors = 6

// load fills the graph with the rows of X from start on, the last one repeated
// to fill up, and with draws that belong to seed and start.
func (m *Model) load(g *graph, X *mat.Dense, start int, seed uint64) {
	n, d := X.Dims()
	for b := 0; b < g.b; b++ {
		row := X.RawRowView(min(start+b, n-1))
		for k := 0; k < d; k++ {
			g.x.Value[k*g.b+b] = row[k]
		}
	}
	stream := random.Stream(seed, "predict", uint64(start))
	for _, eps := range g.eps {
		random.Normals(eps.Value, stream)
	}
	if g.epsInducing != nil {
		// One draw of the inducing outputs is shared by all points.
		random.Normals(g.epsInducing.Value, random.Stream(seed, "predict inducing", 0))
	}
}

// newMixture returns an empty mixture, without noise, for n points of the graph's samples.
func newMixture(g *graph, n int) *predictive.Gaussians {
	s, p := g.outMean.Cols/g.b, g.outMean.Rows
	out := &predictive.Gaussians{S: s, N: n, P: p,
		Mean: make([]float64, s*n*p), Var: make([]float64, s*n*p), Weights: make([]float64, s)}
	for k := range out.Weights {
		out.Weights[k] = 1 / float64(s)
	}
	return out
}

// collect copies the graph's points into the mixture from start on.
func collect(out *predictive.Gaussians, g *graph, start int) {
	for t := 0; t < out.P; t++ {
		mean, variance := g.outMean.Row(t), g.outVar.Row(t)
		for s := 0; s < out.S; s++ {
			for b := 0; b < g.b && start+b < out.N; b++ {
				k := (s*out.N+start+b)*out.P + t
				out.Mean[k], out.Var[k] = mean[s*g.b+b], variance[s*g.b+b]
			}
		}
	}
}
