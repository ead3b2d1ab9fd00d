package deep

import (
	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
)

// objective is what a minibatch of B points is worth:
//
//	(N/B) sum_b log-likelihood_b - beta sum over layers of the KL
//
// where the KL of a layer whose points have inducing outputs of their own is the
// mean over the columns that its inference functions see (Meng, Zhang, 2024,
// eq. A.5: the KL is averaged over the data, not summed).
type objective struct {
	*pass
	y *autodiff.Node // targets, [1][P][B]
	// logLik is the log-likelihood of each point, [1][1][B], unscaled.
	logLik *autodiff.Node
	beta   float64 // the factor of the KL
	// scaled and kl are the two terms of value.
	scaled, kl, value *autodiff.Node
}

// newObjective records the objective of b out of n points with s samples on the
// stack's own tape.
func newObjective(st *stack, c Config, n, b, s int) *objective {
	t := st.tape
	o := &objective{pass: st.record(t, b, s), beta: c.Beta}
	out := o.last()
	o.y = t.Constant(1, out.Mean.Rows/c.Likelihood.Latents(1), b)
	o.logLik = likelihood.RecordMixture(t, c.Likelihood, c.Form, o.y, out.Mean,
		out.Var, st.noise, o.logWeights)
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
