package gp

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/inducing"
	"dgplab/models/infer"
	"dgplab/models/predictive"
	"dgplab/models/stats"
	"dgplab/models/train"
)

// Model trains a GP by L-BFGS. It implements family.Model, family.Viewer and family.Annotator.
type Model struct {
	*train.Model
	data  family.Data
	graph *graph
	notes []string
}

// build returns an untrained model with k-means inducing inputs.
func (m member) build(v family.Values, data family.Data, seed uint64) (*Model, error) {
	n, d := data.X.Dims()
	_, p := data.Y.Dims()
	if _, err := m.size(v, n, d, p); err != nil {
		return nil, err
	}
	k, err := data.Kernel(v, "kernel")
	if err != nil {
		return nil, err
	}
	model := &Model{data: data}
	s := start{variance: v.Float("variance"), noise: v.Float("noise_variance")}
	s.known, s.weights, s.learned = data.Noise, data.Weights, data.LearnedNoise
	s.lengthscales, err = lengthscales(v, d)
	if err != nil {
		return nil, err
	}
	var jitter float64
	if m.sparse {
		requested := v.Int("inducing")
		if requested > n {
			model.notes = append(model.notes,
				fmt.Sprintf("inducing=%d exceeds the %d training points; using %d", requested, n, n))
		}
		s.z = rows(inducing.KMeans(data.X, min(requested, n), stats.Stream(seed, "k-means", 0)))
		s.fixedZ = !v.Bool("optimize_inducing")
		jitter = v.Float("jitter")
	}
	model.graph, err = newGraph(k, jitter, s, rows(data.X), rows(data.Y), n, m.record)
	if err != nil {
		return nil, err
	}
	method := infer.NewLBFGS(model.graph.set.Size(), v.Int("history"), infer.Tolerances{
		Gradient: v.Float("tolerance"),
		Change:   v.Float("ftol"),
	})
	model.Model, err = train.New(m.spec().Objective, model.graph, method)
	return model, err
}

// lengthscales returns the initial lengthscales, [d].
func lengthscales(v family.Values, d int) ([]float64, error) {
	list := v.Floats("lengthscale")
	if len(list) == 1 {
		for len(list) < d {
			list = append(list, list[0])
		}
	}
	if len(list) != d {
		return nil, &family.ValueError{Name: "lengthscale", Value: v.Text("lengthscale"),
			Want: fmt.Sprintf("want one value, or %d for the inputs", d)}
	}
	return list, nil
}

// rows returns the entries of x [n, d] as a contiguous slice, [n][d].
func rows(x *mat.Dense) []float64 {
	raw := x.RawMatrix()
	if raw.Stride == raw.Cols {
		return raw.Data[:raw.Rows*raw.Cols]
	}
	return mat.DenseCopyOf(x).RawMatrix().Data
}

// Predict implements family.Model. It returns one Gaussian per target and ignores the number of
// samples.
func (m *Model) Predict(X *mat.Dense, _ int, _ uint64) (predictive.Predictive, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	p := m.graph.y.Rows
	out := &predictive.Gaussians{S: 1, N: n, P: p, Weights: []float64{1},
		Mean: make([]float64, n*p), Var: make([]float64, n*p),
		Noise: predictive.SharedNoise(m.graph.noise.Value[0], 1, p)}
	variance := make([]float64, n)
	m.graph.predict(out.Mean, variance, rows(X))
	for i, v := range variance {
		for k := range p {
			out.Var[i*p+k] = v
		}
	}
	return out, nil
}

// refresh recomputes the factors from the current parameters.
func (m *Model) refresh() error {
	t := m.graph.tape
	return m.WithStep(t.WithoutRescues(t.Forward))
}

// Notes implements family.Annotator.
func (m *Model) Notes() []string { return m.notes }

// Hyper implements family.Model.
func (m *Model) Hyper() []family.Quantity {
	g := m.graph
	var list []family.Quantity
	add := func(name string, value []float64) {
		list = append(list, family.Quantity{Name: name, Value: append([]float64(nil), value...)})
	}
	if g.noise.Wanted() {
		add("likelihood.variance", g.noise.Value)
	}
	for _, p := range g.kernel.Quantities() {
		add("kernel."+p.Name, p.Node.Value)
	}
	return list
}
