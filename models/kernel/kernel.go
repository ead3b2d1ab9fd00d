// Package kernel evaluates the stationary covariance functions of the models,
// with one lengthscale per input dimension (ARD), and pulls gradients back
// through them.
//
// With r2 = sum_d (x_d - x'_d)^2 / lengthscale_d^2, r = sqrt(r2) and v the
// variance:
//
//	rbf       k = v exp(-r2/2)
//	matern32  k = v (1 + sqrt(3) r) exp(-sqrt(3) r)
//	matern52  k = v (1 + sqrt(5) r + 5 r2/3) exp(-sqrt(5) r)
//
// (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006,
// eqs. 4.17 and 4.31, https://gaussianprocess.org/gpml).
//
// Inducing inputs Z are [M][D], row-major; inputs X are feature-major, [D][P]:
// row d holds coordinate d of all P points. All inner loops therefore run along
// contiguous points, and those few (see rows.go) are all that a vectorised
// build has to replace. Nothing here allocates; slices that are too short make
// the functions panic.
package kernel

import (
	"fmt"
	"math"
	"strings"
)

// Kind names a covariance function.
type Kind int

const (
	// RBF is the squared exponential.
	RBF Kind = iota
	// Matern32 has sample functions that are once differentiable.
	Matern32
	// Matern52 has sample functions that are twice differentiable.
	Matern52
)

var kindNames = [...]string{RBF: "rbf", Matern32: "matern32", Matern52: "matern52"}

// String returns "rbf", "matern32" or "matern52".
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kernel.Kind(%d)", int(k))
	}
	return kindNames[k]
}

// Names returns the names that Parse knows.
func Names() []string {
	return append([]string(nil), kindNames[:]...)
}

// Parse returns the kind of that name, or an error that lists the names.
func Parse(name string) (Kind, error) {
	for k, n := range kindNames {
		if n == name {
			return Kind(k), nil
		}
	}
	return 0, fmt.Errorf("no kernel %q; there are %s", name, strings.Join(kindNames[:], ", "))
}

// Kernel is a covariance function; its variance and lengthscales are arguments.
// k(x, x) is the variance.
type Kernel struct {
	Kind Kind
}

// Tile is the number of points that are worked on at a time, so that what the
// inner loops touch stays in the fastest cache.
const Tile = 256

// Kuf sets dst [M][P] to the covariances of inducing inputs and points,
// dst[m*P+p] = k(z_m, x_p). Z is [M][D], X is [D][P], lengthscales is [D].
func (k Kernel) Kuf(dst, Z, X, lengthscales []float64, variance float64, M, D, P int) {
	for start := 0; start < P; start += Tile {
		end := min(start+Tile, P)
		for m := range M {
			row := dst[m*P+start : m*P+end]
			squaredDistances(row, Z[m*D:(m+1)*D], X, lengthscales, P, start)
			k.covariance(row, variance)
		}
	}
}

// Kuu sets dst [M][M] to the covariances of the inducing inputs Z [M][D] among
// themselves: symmetric to the last bit, with the variance on its diagonal and
// no jitter.
func (k Kernel) Kuu(dst, Z, lengthscales []float64, variance float64, M, D int) {
	for i := range M {
		row := dst[i*M : i*M+i]
		neighbourDistances(row, Z, lengthscales, i, D)
		for start := 0; start < i; start += Tile {
			k.covariance(row[start:min(start+Tile, i)], variance)
		}
		for j, v := range row {
			dst[j*M+i] = v
		}
		dst[i*M+i] = variance
	}
}

// covariance turns squared scaled distances, at most Tile of them, into
// covariances in place.
func (k Kernel) covariance(row []float64, variance float64) {
	var scaled [Tile]float64
	s := scaled[:len(row)]
	switch k.Kind {
	case RBF:
		for i, r2 := range row {
			s[i] = -0.5 * r2
		}
		expInto(row, s)
		for i, e := range row {
			row[i] = variance * e
		}
	case Matern32:
		for i, r2 := range row {
			s[i] = -math.Sqrt(3 * r2)
		}
		expInto(row, s)
		for i, e := range row {
			row[i] = variance * (1 - s[i]) * e
		}
	case Matern52:
		for i, r2 := range row {
			s[i] = -math.Sqrt(5 * r2)
		}
		expInto(row, s)
		for i, e := range row {
			row[i] = variance * (1 - s[i] + s[i]*s[i]*(1.0/3)) * e
		}
	default:
		panic("kernel: unknown " + k.Kind.String())
	}
}
