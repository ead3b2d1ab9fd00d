package ep

import (
	"dgplab/models/deep"
	"dgplab/models/family"
	"dgplab/models/linalg"
)

// expOperations is the operation count of an exponential, which is vectorised as a range reduction
// and a polynomial of about fifteen multiply-adds.
const expOperations = 30

// size implements family.Spec.Size.
func size(v family.Values, n, d, p int) (s family.Size, err error) {
	shape, err := deep.ReadShape(v, d, p, n)
	if err != nil {
		return s, err
	}
	return sizeOf(shape, v, n), nil
}

func sizeOf(shape deep.Shape, v family.Values, n int) (s family.Size) {
	b := float64(min(v.Int("batch"), n))
	full := v.Text("output_cov") == "full"
	var numbers float64 // numbers stored by a training step
	for l, width := range shape.Widths {
		inputs, m := shape.Inputs[l], shape.Inducing[l]
		factor := m + m*(m+1)/2
		s.Variational += width * factor
		s.Parameters += width*(factor+m*inputs+inputs+1) + 1 // with the noise
		flops, kept := cost(float64(m), float64(inputs), b, l == 0)
		pairs := width * (width - 1) / 2
		if full && l > 0 && l == len(shape.Widths)-1 {
			operations, values := bumpCost(float64(m*m), float64(inputs), b)
			s.StepFLOPs += float64(pairs) * operations
			numbers += float64(pairs) * values
		}
		s.StepFLOPs += float64(width) * flops
		numbers += float64(width) * kept
	}
	s.Elementwise = s.StepFLOPs // of sums over points; the factors of GPs hold few operations
	// The factor 25 covers each parameter's gradient, three numbers of the optimiser, and derived
	// values in the cached prediction passes. One pass stores about as many numbers as a training
	// step.
	s.Memory = 8 * (2*numbers + 25*float64(s.Parameters))
	return s
}

// cost returns the operations of a step for a GP with m inducing inputs and d inputs at b points,
// and the number of stored values.
func cost(m, d, b float64, first bool) (flops, numbers float64) {
	flops, numbers = dataCost(m, d, b, first)
	return flops + 3*factorCost(m), numbers + 90*m*m
}

// factorCost returns the operations of the forward pass that do not depend on the data; the
// backward pass takes about twice as many. They consist of three factorisations of m^3/6
// multiply-adds, two inverses of m^3/2 each, the covariance of the cavity, and H.
func factorCost(m float64) float64 { return 2 * 3.5 * m * m * m }

// dataCost returns the operations and stored values that depend on the data.
func dataCost(m, d, b float64, first bool) (flops, numbers float64) {
	square := m * m
	if first {
		return 6*b*(2*square+m*(d+2)) + expOperations*square + expOperations*m*b, 8 * m * b
	}
	first1, kept1 := bumpCost(m, d, b)
	second, kept2 := bumpCost(m*(m+1)/2, d, b)
	return 6*2*square*m + first1 + second, 10*square + kept1 + kept2
}

// matchCost returns the operations and stored values of moment matching at b points, without the
// gradients of log Z.
func matchCost(m, d, b float64, first bool) (flops, numbers float64) {
	square := m * m
	if first {
		return 2 * b * (3*square + m), 3 * m * b
	}
	// Each point costs psi_2, the product Q psi_2, half of its product with Q^T, a factorisation,
	// an inverse, and half of the square of the inverse.
	bumps := m * (m + 1) / 2
	point := bumps*(2*(2*d+1)+expOperations+1) + 2*(1+0.5+1./6+0.5+0.5)*square*m
	return b*point + 2*5*square*m, linalg.MaxChains * (tilePoints*(2*square+bumps) + 4*square)
}

// bumpCost returns the cost of sums of k bumps. The forward pass computes the product for the
// exponents, the exponentials and their sum. The backward pass repeats these and computes two
// products for the moments.
func bumpCost(k, d, b float64) (flops, numbers float64) {
	terms := 2*d + 1
	return b * k * (2*terms + expOperations + 2 + 2*terms + expOperations + 4*terms), k * (9*terms + 2*d)
}

// stochasticSize returns the size for stochastic EP. Its operations are the mean over the steps of
// its schedule.
func stochasticSize(v family.Values, n, d, p int) (s family.Size, err error) {
	shape, err := deep.ReadShape(v, d, p, n)
	if err != nil {
		return s, err
	}
	s = sizeOf(shape, v, n)
	plan := planOf(v, n)
	s.Parameters -= s.Variational
	var pass float64
	for l, width := range shape.Widths {
		m := float64(shape.Inducing[l])
		inputs := float64(shape.Inputs[l])
		data, kept := dataCost(m, inputs, float64(plan.points), l == 0)
		match, more := matchCost(m, inputs, float64(plan.points), l == 0)
		pass += float64(width) * (factorCost(m) + data + match)
		s.Memory += 8 * float64(width) * (2*kept + more + 15*m*m)
	}
	s.StepFLOPs = (float64(plan.passSteps)*pass + float64(plan.hyperSteps)*s.StepFLOPs) /
		float64(plan.passSteps+plan.hyperSteps)
	s.Elementwise, s.Cycle = s.StepFLOPs, plan.passSteps+plan.hyperSteps
	return s, nil
}
