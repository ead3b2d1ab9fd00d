package deep

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/stats"
	"dgplab/models/train"
)

// functionLayer is implemented by layers that share inducing outputs between points, which makes
// joint draws of functions possible.
type functionLayer interface {
	Draw(in, eps []float64) ([]float64, error)
}

var (
	errOwnPoints = errors.New("every point has its own inducing points, so the posterior has no joint " +
		"distribution over points")
	errQuadrature = errors.New("learned quadrature points take the place of draws between layers, so the " +
		"posterior has no joint distribution over points")
)

// jointLayers returns the layers if they define a joint posterior over points, and otherwise an
// error that gives the reason.
func (s *stack) jointLayers() (layers []functionLayer, err error) {
	for _, l := range s.layers {
		l, ok := l.(functionLayer)
		if !ok {
			return nil, errOwnPoints
		}
		layers = append(layers, l)
	}
	if s.quadrature != nil && len(layers) > 1 {
		return nil, errQuadrature
	}
	return layers, nil
}

// DrawsJointly implements family.JointSampler.
func (m *Model) DrawsJointly() error {
	_, err := m.stack().jointLayers()
	return err
}

// DrawFunctions implements family.FunctionSampler. If all layers share inducing outputs between
// points and no quadrature replaces the draws between layers, functions are drawn jointly, layer by
// layer, with one draw of the latent variables for all points. Otherwise see drawShared.
func (m *Model) DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	layers, err := m.stack().jointLayers()
	if err != nil {
		return m.drawShared(X, count, seed)
	}
	n, d := X.Dims()
	var list [][][]float64
	for c := range count {
		stream := stats.Stream(seed, "functions", uint64(c))
		f := make([]float64, d*n)
		train.Window(f, X, 0)
		for range m.config.Latents {
			f = append(f, slices.Repeat([]float64{stream.NormFloat64()}, n)...)
		}
		for l, current := range layers {
			eps := make([]float64, m.stack().layers[l].Outputs()*n)
			stats.Normals(eps, stream)
			f, err = current.Draw(f, eps)
			if err != nil {
				return nil, m.WithStep(err)
			}
		}
		if trend := m.stack().trend; trend != nil {
			x := make([]float64, d*n)
			train.Window(x, X, 0)
			trend.add(f, x)
		}
		list = append(list, slices.Collect(slices.Chunk(f, n)))
	}
	return list, nil
}

// drawShared draws functions from layers that give only the moments of each point. As in the curves
// of Views, points are independent given their inducing points, so all points of a function share
// one draw per layer. With quadrature, a learned point is drawn according to the weights.
func (m *Model) drawShared(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	n, _ := X.Dims()
	p, err := m.replay(n, count, func(p *pass) {
		p.load(X, 0, seed)
		p.shareDraws(seed)
	})
	if err != nil {
		return nil, err
	}
	last := len(p.moments) - 1
	stream := stats.Stream(seed, "functions", 0)
	var list [][][]float64
	for c := range count {
		sample := c % p.s
		if m.stack().quadrature != nil {
			sample = p.sampleAt(stream.Float64())
		}
		var draw [][]float64
		for t := range p.last().Mean.Rows {
			draw = append(draw, p.curve(last, t, sample, stream.NormFloat64()))
		}
		list = append(list, draw)
	}
	return list, nil
}

// sampleAt returns the sample at which the cumulative weight reaches share.
func (p *pass) sampleAt(share float64) int {
	for k, lw := range p.logWeights.Value {
		share -= math.Exp(lw)
		if share <= 0 {
			return k
		}
	}
	return p.s - 1
}
