package linalg

const (
	// tileWidth is the number of columns (points) processed at a time. A tile of a hundred rows
	// fits in the second-level cache.
	tileWidth = 256
	// MaxChains is the largest number of chains into which sums over columns are divided. It is
	// fixed, so sums do not depend on the number of processors.
	MaxChains = 4
)

// Tiling divides the columns of a wide matrix into tiles, which are distributed over chains. A
// chain processes its tiles in order; different chains may run in parallel, as parts of a Loop.
type Tiling struct {
	Points int // columns
	Width  int // largest width of a tile
	Chains int // at most MaxChains
}

// NewTiling divides the given number of columns.
func NewTiling(points int) Tiling {
	tiles := (points + tileWidth - 1) / tileWidth
	return Tiling{Points: points, Width: (points + tiles - 1) / tiles, Chains: min(tiles, MaxChains)}
}

// Each calls visit for the tiles [start, end) of a chain.
func (t Tiling) Each(chain int, visit func(start, end int)) {
	for start := chain * t.Width; start < t.Points; start += t.Chains * t.Width {
		visit(start, min(start+t.Width, t.Points))
	}
}

// First reports whether the tile that begins at start is the first of its chain.
func (t Tiling) First(chain, start int) bool { return start == chain*t.Width }

// SumChains adds the results of all chains, [chains][n], in order, to the result of the first
// chain, and returns it.
func SumChains(parts []float64, n int) []float64 {
	sum := parts[:n]
	for rest := parts[n:]; len(rest) > 0; rest = rest[n:] {
		for i, v := range rest[:n] {
			sum[i] += v
		}
	}
	return sum
}
