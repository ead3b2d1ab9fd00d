package gprn

import (
	"math"

	"dgplab/models/view"
)

// networkPoints is the maximum number of points in a network view.
const networkPoints = 64

// atData returns the moments of all functions at the training points.
func (m *network) atData() *mixture {
	c := newMoments(m.q*(m.p+1), m.n)
	for _, g := range m.groups {
		for _, f := range g.members {
			mean, variance := c.of(m.number(f))
			copy(mean, f.mean)
			copy(variance, f.variance)
		}
	}
	return &mixture{p: m.p, q: m.q, noise: m.noise[0], components: []*moments{c}}
}

// atData returns the moments of all functions at the training points, by component.
func (m *npv) atData() *mixture {
	out := &mixture{p: m.p, q: m.q, noise: m.noise[0]}
	for k := range m.k {
		c := newMoments(m.q*(m.p+1), m.n)
		for f := range m.q * (m.p + 1) {
			mean, _ := c.of(f)
			copy(mean, m.meanOf(f, k))
		}
		fill(c.variance, m.variances[k])
		out.components = append(out.components, c)
	}
	return out
}

// network returns the view of a mixture at the training points. The individual points are evenly
// spaced in order. latent holds the prior variance of each latent function.
func (m *mixture) network(d *data, latent []float64, order []int) *view.Network {
	out := &view.Network{
		Noise:   view.Float(m.noise),
		Total:   d.n,
		Inputs:  make([]string, d.d),
		Outputs: make([]string, m.p),
	}
	for j := range m.q {
		out.Latents = append(out.Latents, functionName(j, m.q))
	}
	squares := make([]float64, m.p*m.q)
	signal := make([]float64, m.p*m.p)
	for n := range d.n {
		m.addSecondMoments(squares, signal, latent, n, 1/float64(d.n))
	}
	out.Average = m.point(squares, signal, latent[0])
	count := min(networkPoints, d.n)
	for k := range count {
		n := order[k*d.n/count]
		clear(squares)
		clear(signal)
		m.addSecondMoments(squares, signal, latent, n, 1)
		p := m.point(squares, signal, latent[0])
		p.X = append(p.X, d.x[n*d.d:(n+1)*d.d]...)
		out.Points = append(out.Points, p)
	}
	return out
}

// addSecondMoments adds share times E[w_ij^2] to squares [P][Q] and share times sum_j E[w_ij w_kj] v_j/v_0
// to signal [P][P], at a point, where v_j is the prior variance of latent function j. Weights are
// independent within a component.
func (m *mixture) addSecondMoments(squares, signal, latent []float64, point int, share float64) {
	share /= float64(len(m.components))
	for _, c := range m.components {
		for i := range m.p {
			for j := range m.q {
				a, variance := c.of(m.q + i*m.q + j)
				squares[i*m.q+j] += share * (a[point]*a[point] + variance[point])
				weighted := share * (latent[j] / latent[0])
				signal[i*m.p+i] += weighted * variance[point]
				for k := range m.p {
					b, _ := c.of(m.q + k*m.q + j)
					signal[i*m.p+k] += weighted * a[point] * b[point]
				}
			}
		}
	}
}

// point returns the view of one point, given its second moments. latentVariance is the prior variance of
// latent function 0.
func (m *mixture) point(squares, signal []float64, latentVariance float64) (out view.NetworkPoint) {
	for i := range m.p {
		weights := make(view.Rounded, m.q)
		row := make(view.Rounded, m.p)
		for j := range weights {
			weights[j] = math.Sqrt(squares[i*m.q+j])
		}
		for k := range row {
			row[k] = latentVariance * signal[i*m.p+k]
		}
		out.Weights = append(out.Weights, weights)
		out.Signal = append(out.Signal, row)
	}
	return out
}
