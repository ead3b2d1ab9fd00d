// Package gprn implements Gaussian process regression networks,
//
//	y(x) = W(x) f(x) + noise
//
// with Q latent functions f_j ~ GP(0, k_f) and P x Q weight functions w_ij ~ GP(0, k_w). The
// correlations of the outputs, and their rate of change, depend on the input. Targets that are NaN
// are missing and are ignored.
//
//	prior        the covariance of the latent functions, and of the weight functions
//	group        the posterior of functions that share a covariance
//	network      the mean-field posterior of all functions: sweeps and the bound
//	gradient     the bound as a function of the hyperparameters
//	em           a step of training: a sweep, sometimes with an update of hyperparameters
//	extrapolate  extrapolation of a sweep, if it raises the bound
//	starts       the first steps, which try starting points
//	Families     the families, their hyperparameters and their models
//
// Wilson, Knowles, Ghahramani, "Gaussian Process Regression Networks", 2012, arXiv:1110.4411.
// Equation numbers refer to Nguyen and Bonilla, "Efficient Variational Inference for Gaussian
// Process Regression Networks", 2013, supplement.
package gprn

import (
	"math"
	"slices"

	"dgplab/models/linalg"
	"dgplab/models/param"
)

// network is the mean-field posterior q = prod_j q(f_j) prod_ij q(w_ij) of full Gaussians, and its
// bound on the evidence. The network stores N numbers for the mean of each function and N numbers
// for its covariance, which several functions may share.
type network struct {
	*data
	q     int
	noise []float64 // [1]
	// latents holds the prior of each latent function, or one prior for all of them.
	latents []*prior
	weight  *prior
	priors  []*prior    // latents, followed by weight
	sharing [][]*group  // the groups of each of the priors
	groups  []*group    // groups of the latent functions, [Q], then of the weight functions
	f       []*function // [Q]
	w       []*function // [P][Q]
	// residual is y - sum_j mean w_ij mean f_j for observed targets and 0 for missing ones, [P][N].
	residual          []float64
	precision, linear []float64 // state of all groups and all functions
	// fresh holds the free hyperparameters of the last refresh, or nothing if the state has changed since.
	fresh []float64
	terms []float64 // terms of the bound, see Objective

	works  []*work
	loop   linalg.Loop
	parts  []*group                      // groups that the loop processes
	body   func(*network, *group, *work) // function applied to each group
	sums   []float64                     // sums of gradients with respect to K, [chains][N][N]
	dNoise []float64                     // [1]
	set    *param.Set
	grads  [][]float64
}

// Terms of the bound. The objective is the first term minus the others.
const (
	termLogLik = iota
	termLatent
	termWeight
	numTerms
)

// manyPoints is the number of points above which groups are processed one at a time to save memory.
// The products of a single group then use all processors.
const manyPoints = 1000

// newNetwork returns a network with uninitialised functions. latents holds a prior for each latent function,
// or one for all.
func newNetwork(d *data, q int, noise float64, latents []*prior, weight *prior) (*network, error) {
	m := &network{data: d, q: q, noise: []float64{noise}, latents: latents, weight: weight,
		residual: make([]float64, d.p*d.n), terms: make([]float64, numTerms), dNoise: make([]float64, 1)}
	m.priors = append(slices.Clone(latents), weight)
	m.group()
	chains := 1
	if d.n < manyPoints {
		chains = min(linalg.MaxChains, max(q, len(m.groups)-q))
	}
	m.sums = make([]float64, chains*d.n*d.n)
	for c := range chains {
		m.works = append(m.works, newWork(d.n, m.sums[c*d.n*d.n:(c+1)*d.n*d.n]))
	}
	m.loop.Body = m.chain
	var list []*param.Parameter
	for _, p := range m.priors {
		list = append(list, p.parameters()...)
		m.grads = append(m.grads, p.grads...)
	}
	list = append(list, &param.Parameter{Name: "likelihood.variance", Shape: []int{1}, Value: m.noise,
		Transform: param.Exponential{Lower: positiveFloor}})
	m.grads = append(m.grads, m.dNoise)
	set, err := param.NewSet(list...)
	if err != nil {
		return nil, err
	}
	m.set = set
	return m, nil
}

// latentScales returns the mean prior variance of each latent function.
func (m *network) latentScales() (list []float64) {
	for j := range m.q {
		list = append(list, m.latents[j%len(m.latents)].scale())
	}
	return list
}

// group creates the functions and their groups.
func (m *network) group() {
	var patterns [][]int // outputs observed at the same points
	for i := range m.p {
		_, seen := m.targets(i)
		k := 0
		for k < len(patterns) && !equal(seen, m.seen[patterns[k][0]*m.n:]) {
			k++
		}
		if k == len(patterns) {
			patterns = append(patterns, nil)
		}
		patterns[k] = append(patterns[k], i)
	}
	functions := m.q * (m.p + 1)
	m.precision = make([]float64, m.q*(1+len(patterns))*m.n)
	m.linear = make([]float64, functions*m.n)
	m.f = make([]*function, m.q)
	m.w = make([]*function, m.p*m.q)
	for j := range m.q {
		g := m.addGroup(m.latents[j%len(m.latents)])
		m.f[j] = m.addMember(g, -1, j)
	}
	for j := range m.q {
		for _, outputs := range patterns {
			g := m.addGroup(m.weight)
			for _, i := range outputs {
				m.w[i*m.q+j] = m.addMember(g, i, j)
			}
		}
	}
	each := m.q / len(m.latents) // latent functions of each prior
	for j := 0; j < m.q; j += each {
		m.sharing = append(m.sharing, m.groups[j:j+each])
	}
	m.sharing = append(m.sharing, m.groups[m.q:])
}

// equal reports whether b starts with a.
func equal(a, b []float64) bool {
	for i, v := range a {
		if b[i] != v {
			return false
		}
	}
	return true
}

// addGroup adds a group without members.
func (m *network) addGroup(p *prior) *group {
	k := len(m.groups)
	g := &group{
		matrix:    "B of " + p.name + " functions, GP",
		prior:     p,
		precision: m.precision[k*m.n : (k+1)*m.n],
		variance:  make([]float64, m.n),
		change:    make([]float64, m.n),
	}
	m.groups = append(m.groups, g)
	return g
}

// addMember adds a function to a group: the weight function of output i and latent function j, or
// latent function j if i is -1.
func (m *network) addMember(g *group, i, j int) *function {
	k := (i+1)*m.q + j
	g.matrix += " " + functionName(k, m.q)
	f := &function{output: i, latent: j, linear: m.linear[k*m.n : (k+1)*m.n], variance: g.variance,
		mean: make([]float64, m.n), alpha: make([]float64, m.n), gradient: make([]float64, m.n)}
	g.members = append(g.members, f)
	return f
}

// weights returns the weight functions of output i, [Q].
func (m *network) weights(i int) []*function { return m.w[i*m.q : (i+1)*m.q] }

// run applies body to all groups in parallel: chain c processes groups c, c + chains, ... in this
// order, with works[c].
func (m *network) run(groups []*group, body func(*network, *group, *work)) error {
	m.parts, m.body = groups, body
	chains := min(len(m.works), len(groups))
	for _, w := range m.works {
		w.err = nil
	}
	m.loop.Run(chains)
	for _, w := range m.works[:chains] {
		if w.err != nil {
			return w.err
		}
	}
	return nil
}

func (m *network) chain(c int) {
	for k := c; k < len(m.parts); k += len(m.works) {
		if m.works[c].err == nil {
			m.body(m, m.parts[k], m.works[c])
		}
	}
}

// refresh recomputes all posteriors from the state and the hyperparameters.
func (m *network) refresh() error {
	m.fresh = m.fresh[:0]
	for _, p := range m.priors {
		p.refresh()
	}
	if err := m.run(m.groups, (*network).restore); err != nil {
		return err
	}
	m.setResiduals()
	m.setTerms()
	m.fresh = append(m.fresh, m.set.Free...)
	return nil
}

// restore recomputes the posteriors of a group.
func (m *network) restore(g *group, w *work) {
	m.determine(g, w)
	if w.err != nil {
		return
	}
	for _, f := range g.members {
		g.solve(w, f, m.noise[0])
	}
}

// determine recomputes the covariance of a group.
func (m *network) determine(g *group, w *work) {
	w.err = g.factorise(w, m.noise[0])
	if w.err == nil {
		g.covariance(w)
	}
}

// setResiduals computes the residuals from the means.
func (m *network) setResiduals() {
	copy(m.residual, m.y)
	for i := range m.p {
		for j, w := range m.weights(i) {
			m.addProduct(i, -1, m.f[j], w)
		}
	}
}

// addProduct adds sign times the product of two means to the residual of output i, at its observed
// points.
func (m *network) addProduct(i int, sign float64, f, w *function) {
	_, seen := m.targets(i)
	r := m.residual[i*m.n : (i+1)*m.n]
	for n, s := range seen {
		r[n] += sign * s * f.mean[n] * w.mean[n]
	}
}

// setTerms computes the terms of the bound: the expected log-likelihood (eq. 9, including the trace
// term of eq. 8) and the KL divergences of the functions from their priors (eqs. 10 to 12).
func (m *network) setTerms() {
	noise := m.noise[0]
	m.terms[termLogLik] = -0.5*m.count*math.Log(2*math.Pi*noise) - 0.5*m.squares()/noise
	m.terms[termLatent], m.terms[termWeight] = 0, 0
	for k, g := range m.groups {
		term := termWeight
		if k < m.q {
			term = termLatent
		}
		for _, f := range g.members {
			m.terms[term] += g.divergence(f)
		}
	}
}

// squares returns the expected sum of squared errors.
func (m *network) squares() (sum float64) {
	for _, r := range m.residual {
		sum += r * r
	}
	for i := range m.p {
		_, seen := m.targets(i)
		for j, w := range m.weights(i) {
			f := m.f[j]
			for n, s := range seen {
				sum += s *
					(f.variance[n]*(w.mean[n]*w.mean[n]+w.variance[n]) + w.variance[n]*f.mean[n]*f.mean[n])
			}
		}
	}
	return sum
}

// bound returns the objective.
func (m *network) bound() float64 {
	return m.terms[termLogLik] - m.terms[termLatent] - m.terms[termWeight]
}
