package gprn

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
)

// Posterior implements family.Posterior.
func (m *Model) Posterior(*mat.Dense) (out family.Arrays, err error) {
	net := m.network
	out.Add("train_inputs", "training inputs X", slices.Clone(net.x), net.n, net.d)
	for _, kind := range []struct {
		name, axes string
		functions  []*function
		shape      []int
	}{
		{"latent", "[latent functions, points]", net.f, []int{net.q, net.n}},
		{"weight", "[targets, latent functions, points]", net.w, []int{net.p, net.q, net.n}},
	} {
		var mean, variance, precision []float64
		for _, f := range kind.functions {
			mean = append(mean, f.mean...)
			variance = append(variance, f.variance...)
			for _, v := range net.groupOf(f).precision {
				precision = append(precision, v/net.noise[0])
			}
		}
		functions := kind.name + " functions at the training inputs, " + kind.axes
		out.Add(kind.name+"_mean", "mean of q of the "+functions, mean, kind.shape...)
		out.Add(kind.name+"_variance", "variance of q of the "+functions, variance, kind.shape...)
		out.Add(kind.name+"_precision", "s of the covariance (K^-1 + diag(s))^-1 of q, with the prior "+
			"covariance K of the "+functions, precision, kind.shape...)
	}
	return out, nil
}

// groupOf returns the group of a function.
func (m *network) groupOf(f *function) *group {
	i := slices.IndexFunc(m.groups, func(g *group) bool { return slices.Contains(g.members, f) })
	return m.groups[i]
}

// Posterior implements family.Posterior.
func (m *NPV) Posterior(*mat.Dense) (out family.Arrays, err error) {
	net := m.npv
	if err := net.refreshQuietly(); err != nil {
		return out, m.WithStep(err)
	}
	out.Add("train_inputs", "training inputs X", slices.Clone(net.x), net.n, net.d)
	out.Add("latent_mean", "means of the components of q of the latent functions at the training inputs, "+
		"[components, latent functions, points]", slices.Clone(net.latent.mean), net.k, net.q, net.n)
	out.Add("weight_mean", "means of the components of q of the weight functions at the training inputs, "+
		"[components, targets, latent functions, points]",
		slices.Clone(net.weight.mean), net.k, net.p, net.q, net.n)
	out.Add("component_variance", "variance of every function value in each component of q, which have "+
		"equal weights", slices.Clone(net.variances), net.k)
	return out, nil
}
