package bnn

import (
	"fmt"

	"dgplab/models/sampling"
	"dgplab/models/train"
	"dgplab/models/view"
)

// viewPoints is the maximum number of training inputs at which function values are monitored.
const viewPoints = 8

// chains returns the view of the chains: the variances, the root mean square of the weights of each
// layer, and the outputs at some training inputs. It shows no individual weights because units are
// exchangeable.
func (m *Chains) chains() (*view.Chains, error) {
	x := train.Spread(m.joint.data.X, viewPoints)
	points, _ := x.Dims()
	p := m.predictors.at(points)
	train.Window(p.x.Value, x, 0)
	out, err := m.View(m.quantities(points), func(values, free []float64) error {
		prior, noise := m.joint.set(p, free)
		at := 0
		add := func(v ...float64) { at += copy(values[at:], v) }
		if m.joint.noise != nil {
			add(noise)
		}
		add(prior)
		add(rootMeanSquares("", p.net).Value...)
		err := p.tape.Forward()
		add(p.out.Value...)
		return err
	})
	return out, m.WithStep(err)
}

// quantities returns the quantities that chains monitors, for the given number of points.
func (m *Chains) quantities(points int) (list []sampling.Quantity) {
	add := func(name string, kind view.QuantityKind) {
		list = append(list, sampling.Quantity{Name: name, Kind: kind})
	}
	if m.joint.noise != nil {
		add(noiseName, view.Hyperparameter)
	}
	add(priorName, view.Hyperparameter)
	for l := range m.joint.net.W {
		add(fmt.Sprintf("rms of weights, layer %d", l+1), view.Weight)
	}
	n, _ := m.joint.data.X.Dims()
	return append(list, sampling.Functions(m.predictors.at(points).out.Rows, points, n)...)
}
