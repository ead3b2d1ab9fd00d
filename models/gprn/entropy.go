package gprn

import "math"

// entropy is Jensen's bound on the entropy of a mixture of K isotropic Gaussians of dimension D
// (eq. 32),
//
//	-1/K sum_k log q_k,  q_k = 1/K sum_j N(mean_k; mean_j, (variance_k + variance_j) I),
//
// computed in logarithms because densities in high dimensions underflow or overflow.
type entropy struct {
	logs      []float64 // log N(mean_k; mean_j, ...), [K][K]
	distances []float64 // |mean_k - mean_j|^2, [K][K]
	mixture   []float64 // log q_k, [K]
}

func newEntropy(k int) entropy {
	return entropy{logs: make([]float64, k*k), distances: make([]float64, k*k), mixture: make([]float64, k)}
}

// bound returns the bound and adds its gradients to the gradients of the means and variances (eqs.
// 34 to 37).
func (e *entropy) bound(m *npv) (sum float64) {
	d := float64(m.q*(m.p+1)) * float64(m.n)
	share := 1 / float64(m.k)
	for k := range m.k {
		e.component(m, k, d)
		sum -= share * e.mixture[k]
	}
	for k := range m.k {
		for j := range m.k {
			at := k*m.k + j
			s := m.variances[k] + m.variances[j]
			weight := share * share * math.Exp(e.logs[at]-e.mixture[k]) // 1/K times the responsibility of j
			slope := weight * (0.5*d/s - 0.5*e.distances[at]/(s*s))
			m.dVariances[k] += slope
			m.dVariances[j] += slope
			if j != k {
				for _, f := range m.kinds() {
					f.addDistanceGradient(k, j, weight/s)
				}
			}
		}
	}
	return sum
}

// component computes the log densities at the mean of component k.
func (e *entropy) component(m *npv, k int, d float64) {
	top := math.Inf(-1)
	for j := range m.k {
		at := k*m.k + j
		s := m.variances[k] + m.variances[j]
		e.distances[at] = m.latent.distance(k, j) + m.weight.distance(k, j)
		e.logs[at] = -0.5 * (d*math.Log(2*math.Pi*s) + e.distances[at]/s)
		top = max(top, e.logs[at])
	}
	var total float64
	for _, l := range e.logs[k*m.k : (k+1)*m.k] {
		total += math.Exp(l - top)
	}
	e.mixture[k] = top + math.Log(total/float64(m.k))
}

// distance returns the squared distance between the means of two components.
func (m *means) distance(k, j int) (sum float64) {
	b := m.of(j)
	for i, v := range m.of(k) {
		sum += (v - b[i]) * (v - b[i])
	}
	return sum
}

// addDistanceGradient adds c times the difference of the means of components k and j to the
// gradient of k, and subtracts it from the gradient of j: the bound increases with their distance.
func (m *means) addDistanceGradient(k, j int, c float64) {
	size := m.count * m.prior.data.n
	b, dk, dj := m.of(j), m.dMean[k*size:], m.dMean[j*size:]
	for i, v := range m.of(k) {
		g := c * (v - b[i])
		dk[i] += g
		dj[i] -= g
	}
}
