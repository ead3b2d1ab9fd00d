package dgp

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/likelihood"
	"dgplab/models/stats"
	"dgplab/models/train"
	"dgplab/models/view"
)

// deepGP implements predictions, function draws and views, independently of the training method.
type deepGP struct {
	arch *Architecture
	post *posterior
	// parametersOnly is the length of the part of the posterior's tape that needs no data.
	parametersOnly int
	data           family.Data
	probe          *mat.Dense // inputs of the sample diagnostics
	predictors     map[[2]int]*graph
	// wrapError adds the step to an error.
	wrapError func(error) error
	// sampledOutputs returns at most the given number of samples of the whitened inducing outputs,
	// stacked by GP. It is nil if there is a q(f_M).
	sampledOutputs func(most int) [][]float64
}

// newDeepGP returns the deep GP of a posterior. It must be called before anything else is recorded
// on the posterior's tape.
func newDeepGP(post *posterior, data family.Data) *deepGP {
	return &deepGP{arch: post.arch, post: post, parametersOnly: post.tape.Mark(), data: data,
		probe: train.Spread(data.X, samplePoints), predictors: map[[2]int]*graph{}}
}

// Hyper implements family.Model.
func (d *deepGP) Hyper() []family.Quantity {
	list := family.LikelihoodQuantities(d.arch.Likelihood, likelihood.Values(d.post.observation))
	add := func(name string, value []float64) {
		list = append(list, family.Quantity{Name: name, Value: append([]float64(nil), value...)})
	}
	for l, n := range d.post.layers {
		prefix := fmt.Sprintf("layer.%d.kernel.", l)
		for _, p := range n.kernel.Quantities() {
			add(prefix+p.Name, p.Node.Value)
		}
	}
	return list
}

// refresh recomputes the values that depend only on the parameters.
func (d *deepGP) refresh() error {
	t := d.post.tape
	return d.wrapError(t.WithoutRescues(func() error { return t.ForwardTo(d.parametersOnly) }))
}

// predictor returns a graph for b points and r samples. Graphs are cached by shape.
func (d *deepGP) predictor(b, r int) *graph {
	key := [2]int{b, r}
	g := d.predictors[key]
	if g == nil {
		if len(d.predictors) >= maxPredictors {
			clear(d.predictors)
		}
		record := newGraph
		if d.sampledOutputs != nil {
			record = newGraphPerSample
		}
		g = record(autodiff.NewTape(), d.post, b, r)
		d.predictors[key] = g
	}
	return g
}

// maxPredictors limits the number of cached graphs.
const maxPredictors = 6

// load fills the graph with the rows of X from start on, repeating the last row if there are too
// few. The draws depend on seed and start. Without a q(f_M), the inducing outputs are samples of
// the chains.
func (d *deepGP) load(g *graph, X *mat.Dense, start int, seed uint64) {
	train.Window(g.x.Value, X, start)
	stream := stats.Stream(seed, "predict", uint64(start))
	for _, eps := range g.eps {
		stats.Normals(eps.Value, stream)
	}
	switch {
	case d.sampledOutputs != nil:
		list := d.sampledOutputs(g.r)
		for r := range g.r {
			g.setInducing(r, list[r%len(list)])
		}
	case g.epsInducing != nil:
		// All points share one draw of the inducing outputs.
		stats.Normals(g.epsInducing.Value, stats.Stream(seed, "predict inducing", 0))
	}
}

// views returns the views of the current state. blocks and matrices compute the views that depend
// on the training method.
func (d *deepGP) views(
	seed uint64, blocks func() *view.Blocks, matrices func() (*view.Matrices, error),
) (view.Views, error) {
	var v view.Views
	if err := d.refresh(); err != nil {
		return v, err
	}
	v.Blocks = blocks()
	var failed []error
	units, err := d.sampleLayers(seed)
	if err != nil {
		failed = append(failed, fmt.Errorf("cannot sample the layers: %w", err))
	} else {
		v.Units = units
	}
	v.Functions = d.parts()
	v.Prior, err = d.drawPrior(seed)
	if err != nil {
		failed = append(failed, fmt.Errorf("cannot draw from the prior: %w", err))
	}
	v.Matrices, err = matrices()
	if err != nil {
		failed = append(failed, fmt.Errorf("cannot compute the matrix diagnostics: %w", err))
	}
	return v, errors.Join(failed...)
}

// probeGraph returns a graph evaluated at the probe, a set of points spread over the training
// inputs. Its separate tape keeps the rescues out of the training counts.
func (d *deepGP) probeGraph(seed uint64) (*graph, error) {
	n, _ := d.data.X.Dims()
	g := d.predictor(min(n, samplePoints), sampleDraws)
	d.load(g, d.probe, 0, seed)
	return g, d.wrapError(g.tape.Forward())
}

// InducingInputs implements family.InducingModel.
func (d *deepGP) InducingInputs() *mat.Dense {
	z := d.post.layers[0].z
	return mat.NewDense(z.Rows, z.Cols, append([]float64(nil), z.Value...))
}
