package vec

import "math"

// Exp sets dst[i] to exp(src[i]), with an error below 1 unit in the last place (2 for plain Go),
// even for denormal results. Results for infinities, NaN and overflow are as in math.Exp. It panics
// if the lengths differ.
func Exp(dst, src []float64) {
	sameLength(len(dst), len(src))
	if active != nil && len(dst) > 0 {
		active.exp(len(dst), &dst[0], &src[0])
		return
	}
	for i, x := range src {
		dst[i] = exp(x)
	}
}

// Log sets dst[i] to log(src[i]), with an error below 1 unit in the last place. Results for zeros,
// negative numbers, infinities, NaN and denormal numbers are as in math.Log. It panics if the
// lengths differ.
func Log(dst, src []float64) {
	sameLength(len(dst), len(src))
	if active != nil && len(dst) > 0 {
		active.log(len(dst), &dst[0], &src[0])
		return
	}
	for i, x := range src {
		dst[i] = log(x)
	}
}

// Softplus sets dst[i] to log(1 + exp(src[i])), with an error below 3 units in the last place,
// without overflow and without loss of the exponential tail. Results for infinities are the limits.
// It panics if the lengths differ.
func Softplus(dst, src []float64) {
	sameLength(len(dst), len(src))
	if active != nil && len(dst) > 0 {
		active.softplus(len(dst), &dst[0], &src[0])
		return
	}
	for i, x := range src {
		dst[i] = math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
	}
}

// Roots sets dst[i] to sqrt(src[i]), which is NaN below zero. It panics if the lengths differ.
func Roots(dst, src []float64) {
	sameLength(len(dst), len(src))
	if active != nil && len(dst) > 0 {
		active.root(len(dst), &dst[0], &src[0])
		return
	}
	for i, x := range src {
		dst[i] = math.Sqrt(x)
	}
}

// InverseRoots sets dst[i] to 1/sqrt(src[i]), which is NaN below zero and +Inf at zero. It panics
// if the lengths differ.
func InverseRoots(dst, src []float64) {
	sameLength(len(dst), len(src))
	if active != nil && len(dst) > 0 {
		active.inverseRoot(len(dst), &dst[0], &src[0])
		return
	}
	for i, x := range src {
		dst[i] = 1 / math.Sqrt(x)
	}
}

// exp is math.Exp, corrected between 709 and 710: the assembly of Go 1.26 for amd64 overflows too
// early, at 709.44 instead of 709.78.
func exp(x float64) float64 {
	if x > 709 && x < 710 {
		// The difference is exact, because these x are also multiples of 2^-43.
		const (
			nearLn2 = 0x58b90bfbe8ep-43
			rest    = nearLn2 - math.Ln2 // exp(nearLn2) = 2 (1 + rest)
		)
		y := math.Exp(x - nearLn2)
		return 2 * (y + y*rest)
	}
	return math.Exp(x)
}

// log is math.Log, corrected for denormal numbers, which the assembly of Go 1.26 for amd64 treats
// as normal ones.
func log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}
