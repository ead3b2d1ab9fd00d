package fastblas

// Block sizes, chosen for a first-level cache of at least 32 KiB and a second-level cache of at
// least 1 MiB.
const (
	// maxDepth is the length of the sums packed at a time. A sliver of B must fit in the
	// first-level cache.
	maxDepth = 256
	// maxRows and maxCols limit a tile, whose packed operands must together fit in the second-level
	// cache. They are multiples of the register tiles.
	maxRows = 264
	maxCols = 384
	// minSide is the smallest side of a tile when a larger one is divided. Smaller tiles would not
	// repay the packing of their operands.
	minSide = 64
	// minSection is the shortest section of the sums.
	minSection = 512
	// partWork is the number of multiplications (about 0.05 ns each) above which dividing a problem
	// into more parts pays off.
	partWork = 10 << 20
	// maxParts is the number of parts from which problems are not divided further.
	maxParts = 16
)

// plan is the division of a product into parts. It depends on the shape only.
type plan struct {
	tileM, tilesM int
	tileN, tilesN int
	// length is the number of terms per section of the sums, and sections is the number of
	// sections.
	length, sections int
}

// parts returns the number of independent parts.
func (q *plan) parts() int { return q.tilesM * q.tilesN * q.sections }

// newPlan divides an m×k times k×n product.
func newPlan(m, n, k int) plan {
	q := plan{tilesM: ceil(m, maxRows), tilesN: ceil(n, maxCols), sections: 1}
	work := float64(m) * float64(n) * float64(k)
	want := int(min(work/partWork, maxParts))
	if work > partWork/8 {
		want = max(want, 2)
	}
	for q.parts() < want {
		sideM := ceil(m, q.tilesM)
		sideN := ceil(n, q.tilesN)
		switch {
		case k >= 2*q.sections*minSection && q.sections < 4:
			q.sections *= 2
		case sideN >= sideM && sideN >= 2*minSide:
			q.tilesN *= 2
		case sideM >= 2*minSide:
			q.tilesM *= 2
		default:
			want = 0
		}
	}
	// If the number of parts is small and not a multiple of four, some processors are idle.
	for q.tilesN > 1 && q.parts() < maxParts && q.parts()%4 != 0 {
		q.tilesN++
	}
	q.tileM = roundUp(ceil(m, q.tilesM), 12)
	q.tileN = roundUp(ceil(n, q.tilesN), 16)
	q.tilesM = ceil(m, q.tileM)
	q.tilesN = ceil(n, q.tileN)
	q.length = roundUp(ceil(k, q.sections), 8)
	q.sections = ceil(k, q.length)
	return q
}

// ceil returns a/b, rounded up.
func ceil(a, b int) int { return (a + b - 1) / b }

// roundUp returns the smallest multiple of b that is at least a.
func roundUp(a, b int) int { return ceil(a, b) * b }
