package datasets

import (
	"math"

	"gonum.org/v1/gonum/mathext/prng"
)

// The extrapolation splits of the code that Lindinger et al. published with their paper
// (github.com/boschresearch/Structured_DGP, experiments/utils/prepare_data.py): the inputs are projected on a
// direction that NumPy's RandomState draws, the training set is the upper half of the rows, and inputs that
// are constant there are left out. The rows of both halves are those of the authors. Their validation rows
// are not: they follow the random numbers of k-means in SciPy.

// constantInput is the standard deviation up to which an input counts as constant.
const constantInput = 1e-3

// lindinger returns the test rows, the lower half (the smaller one if their number is odd).
func (s Split) lindinger(ds *Dataset) ([]int, error) {
	direction := newNumpyNormal(s.Number)
	order, err := ds.alongDirection(func(sd float64) float64 {
		if sd <= constantInput {
			return 0
		}
		return direction.next()
	})
	return order[:len(order)/2], err
}

// numpyNormal draws the standard normal numbers of numpy.random.RandomState.randn: Mersenne twister and polar
// method, fixed for all versions by NumPy's policy NEP 19.
type numpyNormal struct {
	source *prng.MT19937
	kept   float64 // the second number of the last pair
	has    bool    // whether kept is still to be returned
}

func newNumpyNormal(seed uint64) *numpyNormal {
	source := prng.NewMT19937()
	source.Seed(seed)
	return &numpyNormal{source: source}
}

// uniform returns a number in [0, 1) with 53 random bits.
func (g *numpyNormal) uniform() float64 {
	high := float64(g.source.Uint32() >> 5)
	low := float64(g.source.Uint32() >> 6)
	return (high*(1<<26) + low) / (1 << 53)
}

// next returns the next number.
func (g *numpyNormal) next() float64 {
	if g.has {
		g.has = false
		return g.kept
	}
	for {
		x := 2*g.uniform() - 1
		y := 2*g.uniform() - 1
		square := x*x + y*y
		if square >= 1 || square == 0 {
			continue
		}
		scale := math.Sqrt(-2 * math.Log(square) / square)
		g.kept, g.has = scale*x, true
		return scale * y
	}
}
