package dgp

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/sampling"
	"dgplab/models/train"
	"dgplab/models/view"
)

const (
	// viewPoints is the maximum number of training inputs at which function values are displayed.
	// The values are means over viewDraws draws of the hidden layers, which are the same for all
	// samples.
	viewPoints = 8
	viewDraws  = 8
)

// draws returns the kept draws of every unwhitened inducing output and of the mean functions at
// some training inputs. The hyperparameters are fixed while sampling.
func (m *Chains) draws(seed uint64) (*view.Chains, error) {
	x := train.Spread(m.data.X, viewPoints)
	points, _ := x.Dims()
	g := m.predictor(points, viewDraws)
	m.load(g, x, 0, seed)
	p := m.post
	return m.View(m.quantities(points), func(values, free []float64) error {
		copy(values, free)
		for i := range p.rows {
			blas64.Trmv(blas.NoTrans, lower(p.layers[p.layer[i]].root.Value, p.points(i)), p.part(values, i))
		}
		for r := range g.r {
			g.setInducing(r, free)
		}
		if err := g.tape.Forward(); err != nil {
			return m.wrapError(err)
		}
		g.meansOverSamples(values[p.outputs():])
		return nil
	})
}

// meansOverSamples sets dst to the means of the last layer over samples, [T_L][B].
func (g *graph) meansOverSamples(dst []float64) {
	clear(dst)
	for t := range g.outMean.Rows {
		addRepeats(dst[t*g.b:(t+1)*g.b], g.outMean.Row(t))
	}
	for k := range dst {
		dst[k] *= float64(g.b) / float64(g.outMean.Cols)
	}
}

// quantities returns the names of the values that draws computes at the given number of points.
func (m *Chains) quantities(points int) (list []sampling.Quantity) {
	for i, l := range m.post.layer {
		for k := range m.post.points(i) {
			name := fmt.Sprintf("f_M layer %d GP %d point %d", l+1, m.post.position(i)+1, k+1)
			list = append(list, sampling.Quantity{Name: name, Kind: view.InducingOutput})
		}
	}
	n, _ := m.data.X.Dims()
	return append(list, sampling.Functions(m.post.widths[len(m.post.widths)-1], points, n)...)
}
