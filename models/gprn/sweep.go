package gprn

import "dgplab/models/linalg/vec"

// sweep updates each function once to its optimum given the others (eqs. 20, 21, 26, 27): f_1 ..
// f_Q, then w_ij for all i and j. No update lowers the bound. The covariance of a latent function
// does not depend on the other latent functions, and the covariance of a weight function does not
// depend on the other weight functions. Covariances are therefore computed in parallel, and means
// one after another.
func (m *network) sweep() error {
	m.fresh = m.fresh[:0]
	m.setResiduals()
	for _, kind := range [2][]*group{m.groups[:m.q], m.groups[m.q:]} {
		if err := m.update(kind); err != nil {
			return err
		}
	}
	m.setResiduals() // removes accumulated rounding errors
	m.setTerms()
	return nil
}

// update updates all latent or all weight functions.
func (m *network) update(groups []*group) error {
	for _, g := range groups {
		m.setPrecision(g.precision, g)
	}
	for len(groups) > 0 {
		wave := groups[:min(len(m.works), len(groups))]
		groups = groups[len(wave):]
		if err := m.run(wave, (*network).determine); err != nil {
			return err
		}
		for c, g := range wave {
			for _, f := range g.members {
				m.updateMean(g, m.works[c], f)
			}
		}
	}
	return nil
}

// setPrecision sets dst [N] to the precision of a group from the data, given the other functions:
// sum_i E w_ij^2 over the observed outputs of a point for a latent function, or E f_j^2 at observed
// points for a group of weight functions.
func (m *network) setPrecision(dst []float64, g *group) {
	j, i := g.members[0].latent, g.members[0].output
	clear(dst)
	if i >= 0 {
		m.addSecondMoment(dst, i, m.f[j])
		return
	}
	for i := range m.p {
		m.addSecondMoment(dst, i, m.w[i*m.q+j])
	}
}

// addSecondMoment adds E f^2 at the observed points of output i.
func (m *network) addSecondMoment(dst []float64, i int, f *function) {
	_, seen := m.targets(i)
	for n, s := range seen {
		dst[n] += s * (f.mean[n]*f.mean[n] + f.variance[n])
	}
}

// updateMean updates the mean of a function whose covariance is up to date, and the residuals.
func (m *network) updateMean(g *group, w *work, f *function) {
	clear(f.linear)
	if f.output >= 0 {
		m.explain(f.output, f, m.f[f.latent])
		g.solve(w, f, m.noise[0])
		m.addProduct(f.output, -1, f, m.f[f.latent])
		return
	}
	for i := range m.p {
		m.explain(i, f, m.w[i*m.q+f.latent])
	}
	g.solve(w, f, m.noise[0])
	for i := range m.p {
		m.addProduct(i, -1, f, m.w[i*m.q+f.latent])
	}
}

// explain adds the product of a function and its factor back to the residual of output i, and then
// the factor times this residual to the linear term of the function.
func (m *network) explain(i int, f, factor *function) {
	m.addProduct(i, 1, f, factor)
	vec.AddMul(f.linear, factor.mean, m.residual[i*m.n:(i+1)*m.n])
}
