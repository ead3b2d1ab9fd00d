// Package kernel evaluates the stationary covariance functions of the models, with one lengthscale
// per input dimension (ARD), and their gradients.
//
// With r2 = sum_d (x_d - x'_d)^2 / lengthscale_d^2, r = sqrt(r2) and v the variance:
//
//	rbf       k = v exp(-r2/2)
//	matern32  k = v (1 + sqrt(3) r) exp(-sqrt(3) r)
//	matern52  k = v (1 + sqrt(5) r + 5 r2/3) exp(-sqrt(5) r)
//
// (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, eqs. 4.17 and 4.31,
// https://gaussianprocess.org/gpml).
//
// Inducing inputs Z are [M][D], row-major; inputs X are feature-major, [D][P]: row d holds
// coordinate d of all P points. All inner loops therefore run along contiguous points and are
// vectorised in package vec. The methods of Kernel do not allocate; slices that are too short cause
// a panic.
//
// The package also computes expectations of the squared exponential kernel under Gaussian inputs
// (psi.go), and draws functions from the priors of deep GPs (prior.go).
package kernel

import (
	"fmt"
	"strings"

	"dgplab/models/linalg/vec"
)

// Kind is the type of a covariance function.
type Kind int

const (
	// RBF is the squared exponential.
	RBF Kind = iota
	// Matern32 is the Matern kernel with once differentiable sample functions.
	Matern32
	// Matern52 is the Matern kernel with twice differentiable sample functions.
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

// Names returns the names that Parse accepts.
func Names() []string {
	return append([]string(nil), kindNames[:]...)
}

// Parse returns the kind with the given name, or an error that lists the names.
func Parse(name string) (Kind, error) {
	for k, n := range kindNames {
		if n == name {
			return Kind(k), nil
		}
	}
	return 0, fmt.Errorf("unknown kernel %q; known kernels: %s", name, strings.Join(kindNames[:], ", "))
}

// Kernel is a covariance function; its variance and lengthscales are passed as arguments. k(x, x)
// equals the variance.
type Kernel struct {
	Kind Kind
}

// Tile is the number of points processed at a time, chosen to keep the data of the inner loops in
// the first-level cache.
const Tile = 256

// Kuf sets dst [M][P] to the covariances of inducing inputs and points, dst[m*P+p] = k(z_m, x_p). Z
// is [M][D], X is [D][P], lengthscales is [D]. scratch holds D numbers and is overwritten.
func (k Kernel) Kuf(dst, Z, X, lengthscales []float64, variance float64, scratch []float64, M, D, P int) {
	scales := reciprocals(scratch, lengthscales)
	for start := 0; start < P; start += Tile {
		end := min(start+Tile, P)
		for m := range M {
			k.Form().KernelRow(dst[m*P+start:m*P+end], X[start:], P, Z[m*D:(m+1)*D], scales, variance)
		}
	}
}

// Kuu sets dst [M][M] to the covariances of the inducing inputs Z [M][D]. The result is exactly
// symmetric, with the variance on its diagonal and no jitter. scratch holds M*D + D numbers and is
// overwritten.
func (k Kernel) Kuu(dst, Z, lengthscales []float64, variance float64, scratch []float64, M, D int) {
	columns := scratch[:M*D]
	transpose(columns, Z, M, D)
	k.Kuf(dst, Z, columns, lengthscales, variance, scratch[M*D:], M, D, M)
}

// transpose sets dst [cols][rows] to the transpose of src [rows][cols].
func transpose(dst, src []float64, rows, cols int) {
	for r := range rows {
		for c := range cols {
			dst[c*rows+r] = src[r*cols+c]
		}
	}
}

// reciprocals sets dst [D] to 1/l for each lengthscale l, and returns it.
func reciprocals(dst, lengthscales []float64) []float64 {
	dst = dst[:len(lengthscales)]
	for d, l := range lengthscales {
		dst[d] = 1 / l
	}
	return dst
}

// Form returns the kernel as a function of the squared scaled distance.
func (k Kernel) Form() vec.Form {
	switch k.Kind {
	case RBF:
		return vec.RBF
	case Matern32:
		return vec.Matern32
	case Matern52:
		return vec.Matern52
	}
	panic("kernel: unknown " + k.Kind.String())
}
