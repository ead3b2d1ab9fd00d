package ep

import (
	"dgplab/models/deep"
	"dgplab/models/family"
)

// expOperations is what an exponential counts as: the vectorised one is a reduction and
// a polynomial of some fifteen multiply-adds.
const expOperations = 30

// size implements family.Spec.Size.
func size(v family.Values, n, d, p int) (s family.Size, err error) {
	shape, err := deep.ReadShape(v, d, p, n)
	if err != nil {
		return s, err
	}
	b := float64(min(v.Int("batch"), n))
	full := v.Text("output_cov") == "full"
	var numbers float64 // kept by a training step
	for l, width := range shape.Widths {
		inputs, m := shape.Inputs[l], shape.Inducing[l]
		factor := m + m*(m+1)/2
		s.Variational += width * factor
		s.Parameters += width*(factor+m*inputs+inputs+1) + 1 // with the noise
		flops, kept := cost(float64(m), float64(inputs), b, l == 0)
		if pairs := width * (width - 1) / 2; full && l > 0 && l == len(shape.Widths)-1 {
			of, more := bumpCost(float64(m*m), float64(inputs), b)
			s.StepFLOPs += float64(pairs) * of
			numbers += float64(pairs) * more
		}
		s.StepFLOPs += float64(width) * flops
		numbers += float64(width) * kept
	}
	// The optimiser has three numbers for each parameter; a prediction keeps about what
	// a step does.
	s.Memory = 8 * (2*numbers + 4*float64(s.Parameters))
	return s, nil
}

// cost returns the operations of a step for a GP of m inducing inputs and d inputs at b
// points, and the numbers that it keeps.
func cost(m, d, b float64, first bool) (flops, numbers float64) {
	// Multiply-adds forward: three factors of m^3/6, the inverses of two of them, m^3/2
	// each, the covariance of the cavity, and H; backward about twice as many.
	square := m * m
	flops, numbers = 6*3.5*square*m, 30*square
	if first {
		return flops + 6*b*(2*square+m*(d+2)) + expOperations*square + expOperations*m*b, numbers + 8*m*b
	}
	first1, kept1 := bumpCost(m, d, b)
	second, kept2 := bumpCost(m*(m+1)/2, d, b)
	return flops + 6*2*square*m + first1 + second, numbers + 10*square + kept1 + kept2
}

// bumpCost is that of the sums of k bumps: forward the product that gives exponents, the
// exponentials and their sum; backward these again and two products for moments.
func bumpCost(k, d, b float64) (flops, numbers float64) {
	terms := 2*d + 1
	return b * k * (2*terms + expOperations + 2 + 2*terms + expOperations + 4*terms), k * (9*terms + 2*d)
}

// stochasticSize is that of stochastic EP, with the operations of the mean of its steps.
func stochasticSize(v family.Values, n, d, p int) (s family.Size, err error) {
	if s, err = size(v, n, d, p); err != nil {
		return s, err
	}
	shape, err := deep.ReadShape(v, d, p, n)
	if err != nil {
		return s, err
	}
	plan := planOf(v, n)
	steps := float64(plan.passSteps + plan.hyperSteps)
	s.Parameters -= s.Variational
	var point float64
	for l, width := range shape.Widths {
		m := float64(shape.Inducing[l])
		one, kept := cost(m, float64(shape.Inputs[l]), 1, l == 0)
		// Beside a pass of one point: the cavity, the moments and a check of the posterior,
		// two inverses with products and two products.
		point += float64(width) * (one + 2*(3./6+2*1.5+2)*m*m*m)
		s.Memory += 8 * float64(width) * (2*kept + 5*m*m)
	}
	// A step of a pass ends with an energy, which is a third of one with its gradient.
	s.StepFLOPs = (float64(plan.passSteps)*(float64(plan.points)*point+s.StepFLOPs/3) + float64(plan.hyperSteps)*s.StepFLOPs) / steps
	return s, nil
}
