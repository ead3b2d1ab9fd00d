package ep

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/inducing"
	"dgplab/models/linalg"
	"dgplab/models/random"
)

const (
	// medianRows are the rows that a median distance is taken over.
	medianRows = 1000
	// leastMedian is the least median distance that says something about lengthscales:
	// where most rows are closer than that, they lie at one place beside few others.
	leastMedian = 1e-3
	// longLengthscale is that of deeper layers, whose inducing inputs lie in [-1, 1].
	longLengthscale = 2
	// linearSD is the standard deviation of the hidden units over the data where they
	// start as linear maps, so that they lie about in [-1, 1].
	linearSD = 0.5
	// linearPrecision is that of such a start, relative to the prior's.
	linearPrecision = 100
)

// medianDistance returns the median distance between the rows of x, of which a
// thousand are taken, or 1 if that is as good as 0.
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
	if median := math.Sqrt(distances[len(distances)/2]); median >= leastMedian {
		return median
	}
	return 1
}

// inputsBetween sets z [M][D] to points of [-1, 1]^D: evenly spaced on a line, and
// uniformly distributed otherwise.
func inputsBetween(z []float64, d int, rng *rand.Rand) {
	for i := range z {
		if d == 1 {
			z[i] = 2*(float64(i)+0.5)/float64(len(z)) - 1
			continue
		}
		z[i] = 2*rng.Float64() - 1
	}
}

// starter gives the GPs of a stack their start.
type starter struct {
	x    *mat.Dense
	seed uint64
	// lengthscales are those of each layer, 0 for one that follows from the data or is
	// long; variances those of the kernels.
	lengthscales, variances []float64
	median                  float64
	// linear says that hidden layers start as linear maps; spread is the size of the
	// small random numbers otherwise.
	linear bool
	spread float64
}

// place starts the kernel and the inducing inputs of GP k of layer l.
func (s *starter) place(l, k int, g *gp) {
	length := s.lengthscales[l]
	stream := random.Stream(s.seed, "inducing inputs", uint64(l)<<32|uint64(k))
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

// factor sets first [M] and root [M][M], the numbers of that form behind the factor of
// GP k of layer l, to their start, after a replay of the GP's prior: small random numbers,
// as in the paper, without a mean.
func (s *starter) factor(l, k int, g *gp, of form, first, root, mean []float64) error {
	if mean == nil {
		stream := random.Stream(s.seed, "factors", uint64(l)<<32|uint64(k))
		random.Normals(first, stream)
		for i := range first {
			first[i] *= s.spread
		}
		for i := range g.inducing {
			row := root[i*g.inducing : (i+1)*g.inducing]
			for j := range row[:i] {
				row[j] = 0.1 * s.spread * stream.NormFloat64()
			}
			row[i] = s.spread * (0.5 + stream.Float64())
		}
		return nil
	}
	return g.pin(of, first, root, mean)
}

// pin sets the leaves of a factor to those with which the posterior of u has this mean
// [M] and a covariance that is a small multiple of the prior's.
func (g *gp) pin(of form, first, root, mean []float64) error {
	m, n := g.inducing, float64(g.copies)
	a := slices.Clone(mean)
	linalg.SolveLower(g.root.Value, a, m, 1, 1)
	share := linearPrecision / n // H is this times the identity
	if of == whitened {
		copy(first, a)
		for i := range m {
			root[i*m+i] = math.Sqrt(share)
		}
		return nil
	}
	// T1 = L^-T h and T2 = L^-T H L^-1.
	for i, v := range a {
		first[i] = (1 + linearPrecision) / n * v
	}
	linalg.SolveLowerTrans(g.root.Value, first, m, 1, 1)
	inverse := make([]float64, m*m)
	linalg.Gemm(true, false, m, m, m, share, g.inverse.Value, g.inverse.Value, 0, inverse)
	_, err := linalg.Cholesky(root, inverse, m, g.place("T2"))
	return err
}

// natural starts the factor itself, h and H.
func (s *starter) natural(l, k int, g *gp, mean []float64) error {
	m, h, hh := g.inducing, g.h.Value, g.hh.Value
	first := make([]float64, m)
	root := make([]float64, m*m)
	if err := s.factor(l, k, g, whitened, first, root, mean); err != nil {
		return err
	}
	linalg.Gemm(false, true, m, m, m, 1, root, root, 0, hh)
	linalg.Gemm(false, false, m, 1, m, 1, hh, first, 0, h)
	for i, v := range first {
		h[i] += v / float64(g.copies)
	}
	return nil
}
