package vec

import "math"

// Adam updates parameters by the optimiser Adam with the constants of [NewAdam].
type Adam struct {
	// The assembly reads the fields in this order.
	beta1, rest1, beta2, rest2, unbias2, epsilon, rate, unbias1 float64
}

// NewAdam returns an update with the given decays of the moving averages of the gradient and of its
// square, factors that remove the bias of their start, term that avoids division by zero, and
// learning rate.
func NewAdam(beta1, beta2, unbias1, unbias2, epsilon, rate float64) Adam {
	return Adam{
		beta1: beta1, rest1: 1 - beta1, beta2: beta2, rest2: 1 - beta2,
		unbias1: unbias1, unbias2: unbias2, epsilon: epsilon, rate: rate,
	}
}

// Update updates the moving averages first and second of the gradient and of its square, and moves x
// along them. Assembly and plain Go give the same bits. It panics if the lengths differ.
func (a *Adam) Update(x, first, second, gradient []float64) {
	sameLength(len(x), len(first), len(second), len(gradient))
	if active != nil && len(x) > 0 {
		active.adam(len(x), &x[0], &first[0], &second[0], &gradient[0], &a.beta1)
		return
	}
	for i, g := range gradient {
		// The conversions round each product, which Go could otherwise fuse with the sum.
		m := float64(a.beta1*first[i]) + float64(a.rest1*g)
		v := float64(a.beta2*second[i]) + float64(a.rest2*g*g)
		first[i], second[i] = m, v
		x[i] += a.rate * m * a.unbias1 / (math.Sqrt(v*a.unbias2) + a.epsilon)
	}
}
