package chains

import (
	"fmt"
	"slices"

	"dgplab/models/linalg"
	"dgplab/models/number"
	"dgplab/models/view"
)

// Quantity is something that chains have sampled.
type Quantity struct {
	Name string
	Kind view.QuantityKind
	// Draws are those of each chain, as many of each, [chains][n].
	Draws [][]float64
}

// Functions names the values of functions, one after the other, at points that are spread
// evenly over n rows of data.
func Functions(functions, points, n int) (list []Quantity) {
	for k := range functions {
		for i := range points {
			name := fmt.Sprintf("f at row %d", i*n/points)
			if functions > 1 {
				name = fmt.Sprintf("f %d at row %d", k+1, i*n/points)
			}
			list = append(list, Quantity{Name: name, Kind: view.FunctionValue})
		}
	}
	return list
}

const (
	// mostDrawn is the most quantities whose draws are shown, mostWorst the most of them
	// that are shown for their R-hat alone.
	mostDrawn, mostWorst = 40, 8
	// mostDraws is about the most draws of a chain that are shown.
	mostDraws = 256
	// mostLags is the most lags of autocorrelations.
	mostLags = 60
	// mostBins is the most bins of ranks, and perBin the fewest draws of each chain in
	// one.
	mostBins, perBin = 20, 5
)

// View returns what there is to see of quantities, of which there is at least one and whose
// draws are so many steps apart: statistics of all, and the draws of some: of those that are
// neither weights nor inducing outputs, of evenly spaced ones that are, and of those with the
// largest R-hat.
func View(quantities []Quantity, distance int) *view.Chains {
	draws := quantities[0].Draws
	out := &view.Chains{
		Chains:     len(draws),
		Draws:      len(draws[0]),
		Distance:   distance,
		Quantities: make([]view.ChainQuantity, len(quantities)),
	}
	(&linalg.Loop{Body: func(i int) { out.Quantities[i] = summarise(quantities[i]) }}).Run(len(quantities))
	if out.Draws > 0 {
		for _, i := range drawn(out) {
			out.Quantities[i].Kept = keep(quantities[i].Draws)
		}
	}
	return out
}

// summarise returns the statistics of a quantity.
func summarise(q Quantity) view.ChainQuantity {
	s := Of(q.Draws)
	shape := ShapeOf(q.Draws)
	return view.ChainQuantity{
		Name: q.Name, Kind: q.Kind, Mean: number.Float(s.Mean), SD: number.Float(s.SD),
		MCSE: number.Float(s.MCSEMean),
		Rhat: number.Float(s.Rhat), ESSBulk: number.Float(s.ESSBulk), ESSTail: number.Float(s.ESSTail),
		Skewness: number.Float(shape.Skewness), Kurtosis: number.Float(shape.Kurtosis),
		Normal: number.Float(shape.P),
	}
}

// drawn returns the places of the quantities whose draws are shown.
func drawn(c *view.Chains) (list []int) {
	var many []int // of kinds of which there are many
	for i, q := range c.Quantities {
		if q.Kind == view.InducingOutput || q.Kind == view.Weight {
			many = append(many, i)
		} else {
			list = append(list, i)
		}
	}
	list = spread(list, mostDrawn/2)
	list = append(list, spread(many, mostDrawn-mostWorst-len(list))...)
	for _, i := range c.WorstFirst() {
		if len(list) < mostDrawn && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// spread returns at most so many of a list, evenly spaced.
func spread(list []int, most int) []int {
	if len(list) <= most {
		return list
	}
	some := make([]int, most)
	for k := range some {
		some[k] = list[k*len(list)/most]
	}
	return some
}

// keep returns the draws of a quantity as they are shown.
func keep(draws [][]float64) *view.ChainDraws {
	n := len(draws[0])
	every := max(1, (n+mostDraws-1)/mostDraws)
	k := &view.ChainDraws{Every: every, Ranks: rankCounts(draws, max(1, min(mostBins, n/perBin)))}
	for _, chain := range draws {
		var shown number.Rounded
		for i := every - 1; i < n; i += every {
			shown = append(shown, chain[i])
		}
		k.Draws = append(k.Draws, shown)
		k.Autocorrelation = append(k.Autocorrelation, autocorrelation(chain, min(n, mostLags)))
	}
	return k
}

// autocorrelation returns that of a chain at so many lags from 0 on; NaN where it is
// constant.
func autocorrelation(chain []float64, lags int) []float64 {
	acov := autocovariances([][]float64{chain})
	out := make([]float64, lags)
	for t := range out {
		out[t] = acov[t] / acov[0]
	}
	return out
}

// rankCounts counts the ranks of the draws of each chain among those of all, in equal bins:
// the same number in each, but for chance, of chains that have mixed (Vehtari et al. 2021,
// section 4.4). Equal draws are ranked in the order of the chains.
func rankCounts(draws [][]float64, bins int) [][]int {
	n := len(draws[0])
	order := ranked(draws)
	counts := make([][]int, len(draws))
	for c := range counts {
		counts[c] = make([]int, bins)
	}
	for rank, i := range order {
		counts[i/n][rank*bins/len(order)]++
	}
	return counts
}
