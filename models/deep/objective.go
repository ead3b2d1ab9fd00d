package deep

import (
	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
)

// objective is the objective on a minibatch of B points:
//
//	(N/B) sum_b log-likelihood_b - beta sum over layers of the KL
//
// For a layer with inducing outputs per point, the KL is the mean over the columns of its inference
// functions (Meng, Zhang, 2024, eq. A.5: the KL is averaged over the data, not summed).
//
// With latent variables w, the log-likelihood of a point is importance-weighted over S samples:
//
//	log (1/S) sum_s exp(E log p(y | f_s) + log p(w_s) - log q(w_s)).
//
// Weights multiply the log-likelihoods of their points: with weight 2, a point counts like two equal points.
// N is the number of points regardless of their weights.
type objective struct {
	*pass
	y *autodiff.Node // targets, [1][P][B]
	// rows holds the known noise variances and the weights of the points.
	rows likelihood.Rows
	// logLik is the log-likelihood of each point times its weight, [1][1][B], without the factor N/B.
	logLik *autodiff.Node
	// likelihood is the observation model.
	likelihood likelihood.Likelihood
	beta       float64 // factor of the KL
	// scaled and kl are the two terms of value.
	scaled, kl, value *autodiff.Node
}

// newObjective records the objective of b out of n points with s samples on the tape of the stack.
func newObjective(st *stack, c Config, n, b, s int) *objective {
	t := st.tape
	y := t.Constant(1, st.layers[len(st.layers)-1].Outputs()/c.Likelihood.Latents(), b)
	o := &objective{pass: st.record(t, b, s, y), y: y, likelihood: c.Likelihood, beta: c.Beta}
	out := o.last()
	o.rows = likelihood.NewRows(t, b, c.known, c.weights)
	if st.latents == nil {
		o.logLik = likelihood.RecordMixture(t, c.Likelihood, c.Form, y, out.Mean, out.Var, st.observation,
			o.logWeights, o.rows)
	} else {
		var samples likelihood.Rows
		if o.rows.Noise != nil {
			samples.Noise = repeat(t, o.rows.Noise, s)
		}
		each := likelihood.RecordMixture(t, c.Likelihood, likelihood.ExpectedLog, repeat(t, y, s), out.Mean,
			out.Var, st.observation, equalWeights(t, 1), samples)
		o.logLik = recordLogMeanExp(t, t.Add(each, o.logRatio), s)
		if o.rows.Weights != nil {
			o.logLik = t.Mul(o.logLik, o.rows.Weights)
		}
	}
	o.scaled = t.Scale(t.Sum(o.logLik), float64(n)/float64(b))
	for l, m := range o.moments {
		kl := t.Scale(t.Sum(m.KL), c.Beta/float64(m.KL.Cols))
		if l > 0 {
			kl = t.Add(o.kl, kl)
		}
		o.kl = kl
	}
	o.value = t.Sub(o.scaled, o.kl)
	return o
}
