package likelihood

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// maxPoints limits the number of points to prevent overflow of the orthonormal polynomials: at the
// outermost node x they grow like exp(x^2/2), and x^2 is nearly twice the number of points.
const maxPoints = 200

// GaussHermite returns the nodes, in ascending order, and weights of the n-point rule for integrals
// of exp(-x^2) f(x) over the real line. It panics unless n is from 1 to 200.
//
// The nodes of gonum are refined by Newton steps on the Hermite polynomial. The weights are 1 /
// sum_k p_k(x)^2 over the orthonormal polynomials p_0 .. p_{n-1} (Golub and Welsch, "Calculation of
// Gauss Quadrature Rules", 1969, section 2), so even the smallest weights have full relative
// accuracy.
func GaussHermite(n int) (nodes, weights []float64) {
	if n < 1 || n > maxPoints {
		panic(fmt.Sprintf("likelihood: invalid number of quadrature points: %d; want 1 to %d", n, maxPoints))
	}
	nodes = make([]float64, n)
	weights = make([]float64, n)
	quad.Hermite{}.FixedLocations(nodes, weights, math.Inf(-1), math.Inf(1))
	for i, j := 0, n-1; i <= j; i, j = i+1, j-1 {
		x := 0.5 * math.Abs(nodes[j]-nodes[i])
		if i == j {
			x = 0
		}
		for range 3 {
			p, slope, _ := hermite(n, x)
			x -= p / slope
		}
		_, _, sum := hermite(n, x)
		nodes[i], nodes[j] = -x, x
		weights[i], weights[j] = 1/sum, 1/sum
	}
	return nodes, weights
}

// hermite returns p_n(x) and its derivative for the polynomials p_k that are orthonormal under
// exp(-x^2), and the sum of p_k(x)^2 over k < n.
func hermite(n int, x float64) (p, slope, sum float64) {
	previous, current := 0.0, math.Pow(math.Pi, -0.25)
	for k := range n {
		sum += current * current
		next := (math.Sqrt2*x*current - math.Sqrt(float64(k))*previous) / math.Sqrt(float64(k+1))
		previous, current = current, next
	}
	return current, math.Sqrt(2*float64(n)) * previous, sum
}
