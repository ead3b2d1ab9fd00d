package linalg

import "cmp"

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
	Period int // no tile extends over a multiple of it; 0 means Points
}

// NewTiling divides the given number of columns.
func NewTiling(points int) Tiling { return NewPeriodicTiling(points, points) }

// NewPeriodicTiling divides the given number of columns, a multiple of period, with the same tiles
// in every period.
func NewPeriodicTiling(points, period int) Tiling {
	t := Tiling{Points: points, Period: period}
	tiles := (period + tileWidth - 1) / tileWidth
	t.Width = (period + tiles - 1) / tiles
	t.Chains = min(t.inPeriod()*(points/period), MaxChains)
	return t
}

// inPeriod returns the number of tiles of a period.
func (t Tiling) inPeriod() int { return (t.period() + t.Width - 1) / t.Width }

func (t Tiling) period() int { return cmp.Or(t.Period, t.Points) }

// start returns the first column of a tile.
func (t Tiling) start(tile int) int {
	n := t.inPeriod()
	return tile/n*t.period() + tile%n*t.Width
}

// Index returns the number of the tile that begins at start.
func (t Tiling) Index(start int) int {
	return start/t.period()*t.inPeriod() + start%t.period()/t.Width
}

// Count returns the number of tiles.
func (t Tiling) Count() int { return t.inPeriod() * (t.Points / t.period()) }

// Each calls visit for the tiles [start, end) of a chain.
func (t Tiling) Each(chain int, visit func(start, end int)) {
	for tile := chain; t.start(tile) < t.Points; tile += t.Chains {
		start := t.start(tile)
		visit(start, min(start+t.Width, (start/t.period()+1)*t.period()))
	}
}

// First reports whether the tile that begins at start is the first of its chain.
func (t Tiling) First(chain, start int) bool { return start == t.start(chain) }

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
