package linalg

import "cmp"

const (
	// wideTile is the largest number of columns (points) of a tile. A tile of a hundred rows fits in the
	// second-level cache.
	wideTile = 256
	// narrowTile is the smallest number of columns if each tile packs the other operand of a product, and
	// packedTile otherwise. Narrower tiles would make products less efficient.
	narrowTile, packedTile = 128, 64
	// stripWidth is the number of columns of the strips of tiles. Only the last strip of a tile can be
	// incomplete, and costs as much as a complete one.
	stripWidth = 16
	// MaxChains is the largest number of chains into which sums over columns are divided. It is
	// fixed, so sums do not depend on the number of processors.
	MaxChains = 16
)

// Tiling divides the columns of a wide matrix into tiles. The tiles that begin at the same column of
// their periods follow each other. Chains are sections of this sequence; different chains may run in
// parallel, as parts of a Loop.
type Tiling struct {
	Points int // columns
	Width  int // largest width of a tile
	Chains int // at most MaxChains
	Period int // no tile extends over a multiple of it; 0 means Points
}

// NewTiling divides the given number of columns.
func NewTiling(points int) Tiling { return NewPeriodicTiling(points, points) }

// NewPeriodicTiling divides the given number of columns, a multiple of period, with the same tiles in every
// period.
func NewPeriodicTiling(points, period int) Tiling {
	return newTiling(points, period, MaxChains, narrowTile)
}

// NewPackedTiling is NewPeriodicTiling with narrower tiles, for work that packs no operand in each tile, and
// with at most the given number of chains.
func NewPackedTiling(points, period, chains int) Tiling {
	return newTiling(points, period, chains, packedTile)
}

// newTiling makes a tile of each period for each chain, if their widths are within the limits.
func newTiling(points, period, chains, narrowest int) Tiling {
	t := Tiling{Points: points, Period: period}
	width := min(max(period/chains, narrowest), wideTile)
	tiles := (period + width - 1) / width
	t.Width = (period + tiles - 1) / tiles
	t.Width = min((t.Width+stripWidth-1)/stripWidth*stripWidth, period)
	t.Chains = min(t.inPeriod()*(points/period), chains)
	return t
}

// inPeriod returns the number of tiles of a period.
func (t Tiling) inPeriod() int { return (t.period() + t.Width - 1) / t.Width }

func (t Tiling) period() int { return cmp.Or(t.Period, t.Points) }

// periods returns the number of periods.
func (t Tiling) periods() int { return t.Points / t.period() }

// start returns the first column of a tile.
func (t Tiling) start(tile int) int {
	n := t.periods()
	return tile%n*t.period() + tile/n*t.Width
}

// Index returns the number of the tile that begins at start.
func (t Tiling) Index(start int) int {
	return start%t.period()/t.Width*t.periods() + start/t.period()
}

// Count returns the number of tiles.
func (t Tiling) Count() int { return t.inPeriod() * t.periods() }

// first returns the first tile of a chain.
func (t Tiling) first(chain int) int { return chain * t.Count() / t.Chains }

// Each calls visit for the tiles [start, end) of a chain.
func (t Tiling) Each(chain int, visit func(start, end int)) {
	for tile := t.first(chain); tile < t.first(chain+1); tile++ {
		start := t.start(tile)
		visit(start, min(start+t.Width, (start/t.period()+1)*t.period()))
	}
}

// First reports whether the tile that begins at start is the first of its chain.
func (t Tiling) First(chain, start int) bool { return t.Index(start) == t.first(chain) }

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
