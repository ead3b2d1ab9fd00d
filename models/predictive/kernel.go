package predictive

// Kernel is the probability of a target of at most y given its first latent function f, as a sum of normal
// distribution functions: sum_j Weight[j] Phi((At[j] - f) / sqrt(Var[j])). Its expectation under f ~ N(m, v)
// is the same sum at m with v added to the variances, so the components of a mixture share a kernel. Var has
// one entry if all are equal.
type Kernel struct{ Weight, At, Var []float64 }

// Add adds a term without its variance.
func (k *Kernel) Add(weight, at float64) {
	k.Weight = append(k.Weight, weight)
	k.At = append(k.At, at)
}
