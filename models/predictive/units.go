package predictive

import "math"

// Units converts standardised targets y to original units: to Mean + SD y or, if Log is set because
// the model predicts logarithms, to exp(Mean + SD y). Mean and SD are [P]; nil stands for zeros and
// ones.
type Units struct {
	Mean, SD []float64
	Log      bool
}

// affine returns the mean and the scale of entry k of [N][P].
func (u Units) affine(k int) (mean, sd float64) {
	sd = 1
	if u.Mean != nil {
		mean = u.Mean[k%len(u.Mean)]
	}
	if u.SD != nil {
		sd = u.SD[k%len(u.SD)]
	}
	return mean, sd
}

// Target returns entry k of [N][P] in original units.
func (u Units) Target(k int, y float64) float64 {
	mean, sd := u.affine(k)
	if u.Log {
		return math.Exp(mean + sd*y)
	}
	return mean + sd*y
}

// Standard is the inverse of Target. It is -Inf for a value that is not positive if Log is set.
func (u Units) Standard(k int, t float64) float64 {
	mean, sd := u.affine(k)
	if u.Log {
		t = math.Log(max(t, 0))
	}
	return (t - mean) / sd
}

// LogDensityShift returns the amount that converts the joint log density of the observed targets y
// [n][P] to original units when added to it: the sum of -log |dt/dy| over the observed targets,
// where t is the original target. dt/dy is SD, or SD times t if Log is set.
func (u Units) LogDensityShift(y []float64) (sum float64) {
	for k, v := range y {
		if !math.IsNaN(v) {
			sum += u.shift(k, v)
		}
	}
	return sum
}

// shift is like LogDensityShift, but for one observed target.
func (u Units) shift(k int, y float64) float64 {
	mean, sd := u.affine(k)
	if u.Log {
		return -math.Log(sd) - (mean + sd*y)
	}
	return -math.Log(sd)
}

// Moments sets mean and vr, each [N][P], to the mean and variance of each target in original units,
// including noise.
func (u Units) Moments(m Regression, mean, vr []float64) {
	if u.Log {
		m.(Exponential).ExpMoments(u, mean, vr)
		return
	}
	m.Moments(mean, vr)
	for k := range mean {
		_, sd := u.affine(k)
		mean[k] = u.Target(k, mean[k])
		vr[k] *= sd * sd
	}
}

// means sets dst [N][P] to the mean of each target in original units, given the means in
// standardised units.
func (u Units) means(m Regression, dst, standardised []float64) {
	if u.Log {
		m.(Exponential).ExpMoments(u, dst, make([]float64, len(dst)))
		return
	}
	for k, mean := range standardised {
		dst[k] = u.Target(k, mean)
	}
}

// LogDensityByOutput sets dst [N][P] to the marginal log density, in original units, of each of the
// standardised targets y [N][P].
func (u Units) LogDensityByOutput(m Regression, dst, y []float64) {
	m.LogDensityByOutput(dst, y)
	for k, target := range y {
		dst[k] += u.shift(k, target)
	}
}

// crps sets dst [N][P] to the CRPS in original units, given the CRPS in standardised units.
func (u Units) crps(m Regression, dst, y, standardised []float64) {
	if u.Log {
		m.(Exponential).ExpCRPS(u, dst, y)
		return
	}
	for k, score := range standardised {
		_, sd := u.affine(k)
		dst[k] = sd * score
	}
}
