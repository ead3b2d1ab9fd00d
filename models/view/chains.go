package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Chains summarises the samples that Markov chains drew of several quantities. All chains have the
// same number of draws.
type Chains struct {
	// Chains is the number of chains, Draws is the number of draws kept per chain, and Distance is
	// the number of steps between draws.
	Chains   int `json:"chains"`
	Draws    int `json:"draws"`
	Distance int `json:"distance"`
	// Complete reports whether the requested number of steps has been sampled.
	Complete   bool            `json:"complete"`
	Quantities []ChainQuantity `json:"quantities"`
}

// QuantityKind classifies the quantities of chains.
type QuantityKind string

const (
	Hyperparameter QuantityKind = "hyperparameter"
	// FunctionValue is the value of the function at an input, without noise.
	FunctionValue  QuantityKind = "function"
	InducingOutput QuantityKind = "inducing output"
	Weight         QuantityKind = "weight"
)

// ChainQuantity summarises the draws of one quantity.
type ChainQuantity struct {
	Name string       `json:"name"`
	Kind QuantityKind `json:"kind"`
	// Mean and SD are the moments of all draws. MCSE is the Monte Carlo standard error of the mean.
	Mean Float `json:"mean"`
	SD   Float `json:"sd"`
	MCSE Float `json:"mcse"`
	// Rhat is the rank-normalised split R-hat. ESSBulk and ESSTail are effective sample sizes. They
	// are NaN if undefined, for example for constant draws.
	Rhat    Float `json:"rhat"`
	ESSBulk Float `json:"ess_bulk"`
	ESSTail Float `json:"ess_tail"`
	// Skewness and Kurtosis (3 for a Gaussian) are computed from all draws. Normal is the
	// uncorrected p-value of a test of normality; see Normality.
	Skewness Float `json:"skewness"`
	Kurtosis Float `json:"kurtosis"`
	Normal   Float `json:"normal"`
	// Kept holds the draws. It is nil for quantities whose draws are not kept.
	Kept *ChainDraws `json:"kept,omitempty"`
}

// ChainDraws holds draws of a quantity and statistics computed from all of them.
type ChainDraws struct {
	// Draws holds every Every-th draw of each chain, [chains][n].
	Every int       `json:"every"`
	Draws []Rounded `json:"draws"`
	// Autocorrelation holds the autocorrelations of each chain, from lag 0, [chains][lags].
	Autocorrelation []Rounded `json:"autocorrelation"`
	// Ranks counts the ranks of each chain's draws among all draws, in equal bins, [chains][bins].
	Ranks [][]int `json:"ranks"`
}

// Thresholds for chains that have mixed and for sufficient effective sample sizes: Vehtari, Gelman,
// Simpson, Carpenter, Bürkner, "Rank-Normalization, Folding, and Localization: An Improved R-hat
// for Assessing Convergence of MCMC", Bayesian Analysis 16(2), 2021, arXiv:1903.08008, section 4.
const (
	MaxRhat = 1.01
	MinESS  = 400
)

// Mixed reports whether a quantity is within the thresholds. Quantities without statistics, such as
// constants, count as mixed.
func (q *ChainQuantity) Mixed() bool {
	return !(q.Rhat > MaxRhat || min(q.ESSBulk, q.ESSTail) < MinESS)
}

// ChainsSummary holds the worst statistics of all quantities.
type ChainsSummary struct {
	Chains int `json:"chains"`
	Draws  int `json:"draws"`
	// Rhat is the largest R-hat, attained by the quantity Worst. ESSBulk and ESSTail are the
	// smallest effective sample sizes. They are NaN if undefined for all quantities.
	Rhat    Float  `json:"rhat"`
	Worst   string `json:"worst"`
	ESSBulk Float  `json:"ess_bulk"`
	ESSTail Float  `json:"ess_tail"`
	// Tested is the number of quantities with statistics, and Unmixed is the number outside the
	// thresholds.
	Tested  int `json:"of"`
	Unmixed int `json:"unmixed"`
	// Normality has one entry for each tested kind of quantity.
	Normality []Normality `json:"normality,omitempty"`
}

// Normality summarises the tests of normality of the quantities of one kind. The p-values are
// Bonferroni-corrected: multiplied by the number of tests, at most 1.
type Normality struct {
	Kind QuantityKind `json:"kind"`
	// Tested is the number of tests, and Rejected is the number of corrected p-values below
	// NormalityLevel.
	Tested   int   `json:"tested"`
	Rejected int   `json:"rejected"`
	MinP     Float `json:"least"` // smallest corrected p-value
}

// NormalityLevel is the significance level of the tests of normality.
const NormalityLevel = 0.05

// Summary returns the worst statistics of all quantities.
func (c *Chains) Summary() *ChainsSummary {
	nan := Float(math.NaN())
	s := &ChainsSummary{
		Chains:    c.Chains,
		Draws:     c.Draws,
		Rhat:      nan,
		ESSBulk:   nan,
		ESSTail:   nan,
		Normality: c.normality(),
	}
	for i := range c.Quantities {
		q := &c.Quantities[i]
		if q.Rhat != q.Rhat {
			continue
		}
		s.Tested++
		if s.Tested == 1 {
			s.Rhat = q.Rhat
			s.Worst = q.Name
			s.ESSBulk = q.ESSBulk
			s.ESSTail = q.ESSTail
		}
		if q.Rhat > s.Rhat {
			s.Rhat, s.Worst = q.Rhat, q.Name
		}
		s.ESSBulk = lesser(s.ESSBulk, q.ESSBulk)
		s.ESSTail = lesser(s.ESSTail, q.ESSTail)
		if !q.Mixed() {
			s.Unmixed++
		}
	}
	return s
}

// lesser returns the smaller of two numbers, or the other number if one is NaN.
func lesser(a, b Float) Float {
	if a != a || b < a {
		return b
	}
	return a
}

// Corrected returns the p-value of each quantity, corrected for all tests of its kind. It is NaN if
// the quantity was not tested.
func (c *Chains) Corrected() []float64 {
	tests := map[QuantityKind]float64{}
	for _, q := range c.Quantities {
		if q.Normal == q.Normal {
			tests[q.Kind]++
		}
	}
	list := make([]float64, len(c.Quantities))
	for i, q := range c.Quantities {
		list[i] = math.Min(1, tests[q.Kind]*float64(q.Normal))
	}
	return list
}

// normality summarises the tests by kind, in the order of the quantities.
func (c *Chains) normality() (list []Normality) {
	corrected := c.Corrected()
	for i, q := range c.Quantities {
		if q.Normal != q.Normal {
			continue
		}
		at := slices.IndexFunc(list, func(n Normality) bool { return n.Kind == q.Kind })
		if at < 0 {
			at = len(list)
			list = append(list, Normality{Kind: q.Kind, MinP: 1})
		}
		of, p := &list[at], Float(corrected[i])
		of.Tested++
		of.MinP = min(of.MinP, p)
		if p < NormalityLevel {
			of.Rejected++
		}
	}
	return list
}

// WorstFirst returns the indices of the quantities by decreasing R-hat; quantities without R-hat
// come last.
func (c *Chains) WorstFirst() []int {
	return c.by(func(i int) float64 { return -float64(c.Quantities[i].Rhat) })
}

// LeastNormalFirst returns the indices of the tested quantities by increasing corrected p-value;
// ties are ordered by the uncorrected p-value.
func (c *Chains) LeastNormalFirst() []int {
	corrected := c.Corrected()
	list := c.by(func(i int) float64 { return float64(c.Quantities[i].Normal) })
	list = slices.DeleteFunc(list, func(i int) bool { return corrected[i] != corrected[i] })
	slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(corrected[i], corrected[j]) })
	return list
}

// by returns the indices of the quantities sorted by key, NaN last.
func (c *Chains) by(of func(i int) float64) []int {
	list := make([]int, len(c.Quantities))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(i, j int) int {
		a := of(i)
		b := of(j)
		switch {
		case a == a && b == b:
			return cmp.Compare(a, b)
		case a == a:
			return -1
		case b == b:
			return 1
		}
		return 0
	})
	return list
}

// WithDraws returns the indices of the quantities whose draws are kept.
func (c *Chains) WithDraws() (list []int) {
	for i, q := range c.Quantities {
		if q.Kept != nil {
			list = append(list, i)
		}
	}
	return list
}

// Check returns an error unless every quantity with draws has the same number of draws from all
// chains.
func (c *Chains) Check() error {
	for _, q := range c.Quantities {
		k := q.Kept
		if k == nil {
			continue
		}
		if len(k.Draws) != c.Chains || len(k.Autocorrelation) != c.Chains || len(k.Ranks) != c.Chains ||
			c.Chains < 1 || k.Every < 1 {
			return fmt.Errorf("%q has draws of %d chains, every %d, want %d",
				q.Name, len(k.Draws), k.Every, c.Chains)
		}
		for j := range k.Draws {
			if len(k.Draws[j]) != len(k.Draws[0]) || len(k.Autocorrelation[j]) != len(k.Autocorrelation[0]) ||
				len(k.Ranks[j]) != len(k.Ranks[0]) {
				return fmt.Errorf("the chains of %q have kept different numbers of draws", q.Name)
			}
		}
	}
	return nil
}
