package dgp

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/random"
	"dgplab/models/train"
	"dgplab/models/view"
)

// deepGP is what a deep GP can be asked, however it is trained: what it predicts, and
// what samples of its layers do.
type deepGP struct {
	arch *Architecture
	post *posterior
	// parametersOnly marks the part of the posterior's tape that needs no data.
	parametersOnly int
	inputs         *mat.Dense // of training, [N, D]
	probe          *mat.Dense // inputs of the sample diagnostics
	predictors     map[[2]int]*graph
	// at enters the step into an error.
	at func(error) error
	// outputs returns values of the inducing outputs, whitened, stacked GP after GP, at
	// most so many; nil where there is a q(f_M).
	outputs func(most int) [][]float64
}

// newDeepGP returns what can be asked of a posterior, before there is more on its tape.
func newDeepGP(post *posterior, inputs *mat.Dense) *deepGP {
	return &deepGP{arch: post.arch, post: post, parametersOnly: post.tape.Mark(), inputs: inputs,
		probe: train.Spread(inputs, samplePoints), predictors: map[[2]int]*graph{}}
}

// Hyper implements family.Model.
func (d *deepGP) Hyper() []family.Quantity {
	var list []family.Quantity
	add := func(name string, value []float64) {
		list = append(list, family.Quantity{Name: name, Value: append([]float64(nil), value...)})
	}
	if d.arch.gaussian() {
		add("likelihood.variance", d.post.noise.Value)
	}
	for l, n := range d.post.layers {
		add(fmt.Sprintf("layer.%d.kernel.variance", l), n.variance.Value)
		add(fmt.Sprintf("layer.%d.kernel.lengthscales", l), n.lengthscales.Value)
	}
	return list
}

// refresh recomputes what follows from the parameters alone.
func (d *deepGP) refresh() error {
	t := d.post.tape
	return d.at(t.Quietly(func() error { return t.ForwardTo(d.parametersOnly) }))
}

// predictor returns a graph for b points and r samples, recorded once.
func (d *deepGP) predictor(b, r int) *graph {
	key := [2]int{b, r}
	g := d.predictors[key]
	if g == nil {
		if len(d.predictors) >= maxPredictors {
			clear(d.predictors)
		}
		record := newGraph
		if d.outputs != nil {
			record = newGraphOfEach
		}
		g = record(autodiff.NewTape(), d.post, b, r)
		d.predictors[key] = g
	}
	return g
}

// maxPredictors bounds the number of recorded shapes.
const maxPredictors = 6

// load fills the graph with the rows of X from start on, the last one repeated to fill
// up, with draws that belong to seed and start, and with inducing outputs where there is
// no q(f_M).
func (d *deepGP) load(g *graph, X *mat.Dense, start int, seed uint64) {
	train.Window(g.x.Value, X, start)
	stream := random.Stream(seed, "predict", uint64(start))
	for _, eps := range g.eps {
		random.Normals(eps.Value, stream)
	}
	switch {
	case d.outputs != nil:
		list := d.outputs(g.r)
		for r := range g.r {
			g.setInducing(r, list[r%len(list)])
		}
	case g.epsInducing != nil:
		// One draw of the inducing outputs is shared by all points.
		random.Normals(g.epsInducing.Value, random.Stream(seed, "predict inducing", 0))
	}
}

// views returns what there is to see; blocks and matrices make what depends on how the
// model is trained.
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
		failed = append(failed, fmt.Errorf("no samples of the layers: %w", err))
	} else {
		v.Units = units
	}
	v.Prior, err = d.drawPrior(seed)
	if err != nil {
		failed = append(failed, fmt.Errorf("no draws from the prior: %w", err))
	}
	v.Matrices, err = matrices()
	if err != nil {
		failed = append(failed, fmt.Errorf("no report on health: %w", err))
	}
	return v, errors.Join(failed...)
}

// probed returns a graph that has been replayed at the probe, points spread over
// the training inputs. Rescues are counted on a tape of its own.
func (d *deepGP) probed(seed uint64) (*graph, error) {
	n, _ := d.inputs.Dims()
	g := d.predictor(min(n, samplePoints), sampleDraws)
	d.load(g, d.probe, 0, seed)
	return g, d.at(g.tape.Forward())
}

// InducingInputs implements family.InducingModel.
func (d *deepGP) InducingInputs() *mat.Dense {
	z := d.post.layers[0].z
	return mat.NewDense(z.Rows, z.Cols, append([]float64(nil), z.Value...))
}
