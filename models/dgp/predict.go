package dgp

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/predictive"
	"dgplab/models/random"
	"dgplab/models/train"
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
		out.SetColumns(start, g.outMean.Value, g.outVar.Value)
	}
	return predictive.Observed(out, m.arch.likelihood(), m.post().noise.Value[0]), nil
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
	train.Window(g.x.Value, X, start)
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
	weights := make([]float64, g.outMean.Cols/g.b)
	for k := range weights {
		weights[k] = 1 / float64(len(weights))
	}
	return predictive.NewGaussians(weights, n, g.outMean.Rows)
}
