package ep

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/inducing"
	"dgplab/models/linalg"
	"dgplab/models/stats"
)

const (
	// medianRows is the maximum number of rows from which the median distance is computed.
	medianRows = 1000
	// minMedian is the smallest median distance used as a lengthscale. If the median is smaller,
	// most rows coincide.
	minMedian = 1e-3
	// longLengthscale is the initial lengthscale of deeper layers. Their inducing inputs lie in
	// [-1, 1].
	longLengthscale = 2
	// linearSD is the standard deviation of the hidden units over the data in a linear start. Most
	// values then lie in [-1, 1].
	linearSD = 0.5
	// linearPrecision is the posterior precision of a linear start, relative to the prior.
	linearPrecision = 100
)

// medianDistance returns the median distance between at most a thousand rows of x, or 1 if it is
// below minMedian.
func medianDistance(x *mat.Dense) float64 {
	n, d := x.Dims()
	every := (n + medianRows - 1) / medianRows
	var distances []float64
	for i := 0; i < n; i += every {
		for j := 0; j < i; j += every {
			var squares float64
			for k := range d {
				squares += (x.At(i, k) - x.At(j, k)) * (x.At(i, k) - x.At(j, k))
			}
			distances = append(distances, squares)
		}
	}
	if len(distances) == 0 {
		return 1
	}
	slices.Sort(distances)
	if median := math.Sqrt(distances[len(distances)/2]); median >= minMedian {
		return median
	}
	return 1
}

// inputsBetween sets z [M][D] to points in [-1, 1]^D: evenly spaced for D = 1, otherwise uniformly
// distributed.
func inputsBetween(z []float64, d int, rng *rand.Rand) {
	for i := range z {
		if d == 1 {
			z[i] = 2*(float64(i)+0.5)/float64(len(z)) - 1
			continue
		}
		z[i] = 2*rng.Float64() - 1
	}
}

// starter sets the initial parameters of the GPs of a stack.
type starter struct {
	x    *mat.Dense
	seed uint64
	// lengthscales holds the initial lengthscale of each layer, with 0 for the default: the median
	// distance for the first layer, longLengthscale for others. variances holds the kernel
	// variances.
	lengthscales, variances []float64
	median                  float64
	// linear starts hidden layers as linear maps. spread is the size of the random numbers for
	// other factors.
	linear bool
	spread float64
}

// initialise sets the kernel and the inducing inputs of GP k of layer l.
func (s *starter) initialise(l, k int, g *gp) {
	length := s.lengthscales[l]
	stream := stats.Stream(s.seed, "inducing inputs", uint64(l)<<32|uint64(k))
	if l == 0 {
		copy(g.Z.Value, inducing.KMeans(s.x, g.inducing, stream).RawMatrix().Data)
		if length == 0 {
			if s.median == 0 {
				s.median = medianDistance(s.x)
			}
			length = s.median
		}
	} else {
		inputsBetween(g.Z.Value, g.Z.Cols, stream)
		if length == 0 {
			length = longLengthscale
		}
	}
	for d := range g.Lengthscales.Value {
		g.Lengthscales.Value[d] = length
	}
	g.Variance.Value[0] = s.variances[l]
}

// factor sets first [M] and root [M][M], the whitened leaves of the factor of GP k of layer l. The prior of
// the GP must be up to date. The posterior of u then has the given mean [M], and a covariance that is a
// small multiple of the prior's. If mean is nil, the leaves are small random numbers, as in the paper.
func (s *starter) factor(l, k int, g *gp, first, root, mean []float64) {
	m := g.inducing
	if mean == nil {
		stream := stats.Stream(s.seed, "factors", uint64(l)<<32|uint64(k))
		stats.Normals(first, stream)
		for i := range first {
			first[i] *= s.spread
		}
		for i := range m {
			row := root[i*m : (i+1)*m]
			for j := range row[:i] {
				row[j] = 0.1 * s.spread * stream.NormFloat64()
			}
			row[i] = s.spread * (0.5 + stream.Float64())
		}
		return
	}
	copy(first, mean)
	linalg.SolveLower(g.root.Value, first, m, 1, 1)
	for i := range m {
		root[i*m+i] = math.Sqrt(g.share())
	}
}

// share is H of a factor with a given mean, which is a multiple of the identity.
func (g *gp) share() float64 { return linearPrecision / float64(g.copies) }

// toNatural replaces the whitened leaves of a factor with a given mean by T1 = L^-T h and the root of
// T2 = L^-T H L^-1.
func (g *gp) toNatural(first, root []float64) error {
	m := g.inducing
	for i, v := range first {
		first[i] = (1 + linearPrecision) / float64(g.copies) * v
	}
	linalg.SolveLowerTrans(g.root.Value, first, m, 1, 1)
	inverse := make([]float64, m*m)
	linalg.Gemm(true, false, m, m, m, g.share(), g.inverse.Value, g.inverse.Value, 0, inverse)
	_, err := linalg.Cholesky(root, inverse, m, g.nameOf("T2"))
	return err
}

// natural sets the initial h and H of the factor.
func (s *starter) natural(l, k int, g *gp, mean []float64) {
	m, h, hh := g.inducing, g.h.Value, g.hh.Value
	first := make([]float64, m)
	root := make([]float64, m*m)
	s.factor(l, k, g, first, root, mean)
	linalg.Gemm(false, true, m, m, m, 1, root, root, 0, hh)
	linalg.Gemm(false, false, m, 1, m, 1, hh, first, 0, h)
	for i, v := range first {
		h[i] += v / float64(g.copies)
	}
}
