package sampling

import (
	"fmt"
	"slices"

	"dgplab/models/linalg"
	"dgplab/models/view"
)

// Quantity is a quantity sampled by chains.
type Quantity struct {
	Name string
	Kind view.QuantityKind
	// Draws holds the draws of each chain, [chains][n].
	Draws [][]float64
}

// Functions returns quantities, without draws, for the values of functions at points that are
// evenly spaced over n rows of data. The function index varies slowest.
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
	// mostDrawn is the maximum number of quantities whose draws are kept. mostWorst of them are
	// reserved for the quantities with the largest R-hat.
	mostDrawn, mostWorst = 40, 8
	// mostDraws is the approximate maximum number of draws kept per chain.
	mostDraws = 256
	// mostLags is the maximum number of lags of autocorrelations.
	mostLags = 60
	// mostBins is the maximum number of bins for ranks, and perBin is the minimum mean number of
	// draws per chain and bin.
	mostBins, perBin = 20, 5
)

// View returns the statistics of all quantities and the draws of some. It keeps the draws of the
// quantities with the largest R-hat, of quantities that are neither weights nor inducing outputs,
// and of evenly spaced weights and inducing outputs. quantities must not be empty. distance is the
// number of steps between draws.
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
	s := Diagnose(q.Draws)
	shape := ShapeOf(q.Draws)
	return view.ChainQuantity{
		Name: q.Name, Kind: q.Kind, Mean: view.Float(s.Mean), SD: view.Float(s.SD),
		MCSE: view.Float(s.MCSEMean),
		Rhat: view.Float(s.Rhat), ESSBulk: view.Float(s.ESSBulk), ESSTail: view.Float(s.ESSTail),
		Skewness: view.Float(shape.Skewness), Kurtosis: view.Float(shape.Kurtosis),
		Normal: view.Float(shape.P),
	}
}

// drawn returns the indices of the quantities whose draws are kept.
func drawn(c *view.Chains) (list []int) {
	var many []int // weights and inducing outputs
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

// spread returns evenly spaced entries of a list, at most the given number.
func spread(list []int, most int) []int {
	some := make([]int, min(most, len(list)))
	for k := range some {
		some[k] = list[k*len(list)/len(some)]
	}
	return some
}

// keep returns thinned draws of a quantity and statistics of all its draws.
func keep(draws [][]float64) *view.ChainDraws {
	n := len(draws[0])
	every := max(1, (n+mostDraws-1)/mostDraws)
	k := &view.ChainDraws{Every: every, Ranks: rankCounts(draws, max(1, min(mostBins, n/perBin)))}
	for _, chain := range draws {
		var shown view.Rounded
		for i := every - 1; i < n; i += every {
			shown = append(shown, chain[i])
		}
		k.Draws = append(k.Draws, shown)
		k.Autocorrelation = append(k.Autocorrelation, autocorrelation(chain, min(n, mostLags)))
	}
	return k
}

// autocorrelation returns the autocorrelations of a chain from lag 0. They are NaN if the chain is
// constant.
func autocorrelation(chain []float64, lags int) []float64 {
	acov := autocovariances([][]float64{chain})
	out := make([]float64, lags)
	for t := range out {
		out[t] = acov[t] / acov[0]
	}
	return out
}

// rankCounts counts the ranks of the draws of each chain among all draws, in equal bins. For chains
// that have mixed, the counts are uniform up to chance (Vehtari et al. 2021, section 4.4). Ties are
// ranked in the order of the chains.
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
