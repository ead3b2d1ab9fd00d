package sampling

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/dsp/fourier"
)

// essQuantile returns the effective sample size of the indicator of draws up to the quantile q.
func essQuantile(draws [][]float64, q float64) float64 {
	return ess(splitChains(draws, func(x float64) float64 {
		if x <= q {
			return 1
		}
		return 0
	}))
}

// ess returns S/tau, where tau is the sum of the autocorrelations over all lags, truncated by
// Geyer's initial monotone sequence: pairs of consecutive lags are added while they are positive,
// and each pair is bounded by the previous one (Geyer, "Practical Markov chain Monte Carlo",
// Statistical Science 7(4), 1992, section 3.3; for several chains, section 3.2 of Vehtari et al.).
// The result is at most S log10 S. It is NaN if the draws are constant.
func ess(chains [][]float64) float64 {
	n := len(chains[0])
	total := float64(n * len(chains))
	acov := autocovariances(chains)
	within := acov[0] * float64(n) / float64(n-1)
	pooled := acov[0]
	if len(chains) > 1 {
		means := make([]float64, len(chains))
		for c, draws := range chains {
			means[c], _ = moments(draws)
		}
		_, sd := moments(means)
		pooled += sd * sd
	}
	if !(pooled > 0) {
		return math.NaN()
	}
	rho := func(t int) float64 {
		if t == 0 {
			return 1
		}
		return 1 - (within-acov[t])/pooled
	}
	// sum is the sum of all pairs before the last one. Only the even lag of the last pair is added.
	last, sum, before := 0, 0.0, rho(0)+rho(1)
	for pair := before; pair > 0 && last < n-5; {
		before = min(before, pair)
		sum += before
		last += 2
		pair = rho(last) + rho(last+1)
	}
	tau := -1 + 2*sum + max(rho(last), 0)
	return total / max(tau, 1/math.Log10(total))
}

// autocovariances returns the autocovariances with divisor n at each lag below n, averaged over
// chains. It uses Fourier transforms of zero-padded chains.
func autocovariances(chains [][]float64) []float64 {
	n := len(chains[0])
	size := 1 << bits.Len(uint(2*n-1))
	fft := fourier.NewFFT(size)
	padded := make([]float64, size)
	power := make([]complex128, size/2+1)
	var coefficients []complex128
	for _, draws := range chains {
		mean, _ := moments(draws)
		clear(padded)
		for i, x := range draws {
			padded[i] = x - mean
		}
		coefficients = fft.Coefficients(coefficients, padded)
		for k, c := range coefficients {
			power[k] += complex(real(c)*real(c)+imag(c)*imag(c), 0)
		}
	}
	out := fft.Sequence(padded, power)[:n]
	for t := range out {
		out[t] /= float64(size) * float64(n) * float64(len(chains))
	}
	return out
}
