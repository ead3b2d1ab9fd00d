package bnn

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/family"
)

// Posterior implements family.Posterior.
func (m *Model) Posterior(*mat.Dense) (out family.Arrays, err error) {
	m.networks.export(&out)
	return out, nil
}

// export implements networks.
func (v *variational) export(out *family.Arrays) { exportMoments(out, v.moments()) }

// exportMoments adds the means and the standard deviations of independent Gaussian weights.
func exportMoments(out *family.Arrays, layers []weightMoments) {
	for l, w := range layers {
		prefix := fmt.Sprintf("layer.%d.", l)
		units := len(w.biasMean)
		out.Add(prefix+"weight_mean", "means of the independent Gaussian weights, [units, inputs]",
			slices.Clone(w.mean), units, w.inputs())
		out.Add(prefix+"weight_sd", "their standard deviations", slices.Clone(w.sd), units, w.inputs())
		out.Add(prefix+"bias_mean", "means of the independent Gaussian biases",
			slices.Clone(w.biasMean), units)
		out.Add(prefix+"bias_sd", "their standard deviations", slices.Clone(w.biasSD), units)
	}
}

// export implements networks.
func (d *dropout) export(out *family.Arrays) {
	for l, w := range d.net.W {
		prefix := fmt.Sprintf("layer.%d.", l)
		out.Add(prefix+"weight", "weights of the inputs that are kept, [units, inputs]",
			slices.Clone(w.Value), w.Rows, w.Cols)
		out.Add(prefix+"bias", "biases", slices.Clone(d.net.B[l].Value), w.Rows)
	}
	out.Add("keep", "probability that an input of a layer is kept", []float64{d.keep}, 1)
}

// Posterior implements family.Posterior.
func (m *Filter) Posterior(*mat.Dense) (out family.Arrays, err error) {
	exportMoments(&out, m.p.moments())
	if m.p.gamma != nil {
		out.Add("noise_gamma", "shape and rate of the Gamma distribution of the noise precision",
			slices.Clone(m.p.gamma), 2)
	}
	if m.p.prior != nil {
		out.Add("weights_gamma", "shape and rate of the Gamma distribution of the prior precision of the "+
			"weights before they are divided by the square root of the number of inputs",
			slices.Clone(m.p.prior.gamma), 2)
	}
	return out, nil
}

// Posterior implements family.Posterior.
func (m *Chains) Posterior(*mat.Dense) (out family.Arrays, err error) {
	draws := m.AllDraws()
	p := m.predictors.at(1)
	var weights []*autodiff.Node
	p.net.Each(func(_ string, n *autodiff.Node) { weights = append(weights, n) })
	values := make([][]float64, len(weights))
	var priors, noises []float64
	for _, free := range draws {
		prior, noise := m.joint.set(p, free)
		priors = append(priors, prior)
		noises = append(noises, noise)
		for k, n := range weights {
			values[k] = append(values[k], n.Value...)
		}
	}
	for k, n := range weights {
		prefix := fmt.Sprintf("layer.%d.", k/2)
		if k%2 == 0 {
			out.Add(prefix+"weight_draws", "kept draws of the weights, [draws, units, inputs]",
				values[k], len(draws), n.Rows, n.Cols)
		} else {
			out.Add(prefix+"bias_draws", "kept draws of the biases, [draws, units]",
				values[k], len(draws), n.Rows)
		}
	}
	out.Add("prior_variance_draws", "variance of the prior of weights and biases in each draw",
		priors, len(draws))
	if m.joint.noise != nil {
		out.Add("noise_draws", "noise variance in each draw", noises, len(draws))
	}
	m.ExportChains(&out)
	return out, nil
}
