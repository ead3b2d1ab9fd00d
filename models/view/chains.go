package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"dgplab/models/number"
)

// Chains is what Markov chains have kept of some quantities, and how well they have
// sampled them. All chains have kept as many draws.
type Chains struct {
	// Chains is their number, Draws how many each has kept, so many steps apart.
	Chains   int `json:"chains"`
	Draws    int `json:"draws"`
	Distance int `json:"distance"`
	// Complete says that they have sampled for as long as they were asked to.
	Complete   bool            `json:"complete"`
	Quantities []ChainQuantity `json:"quantities"`
}

// QuantityKind says what a quantity of chains is.
type QuantityKind string

const (
	Hyperparameter QuantityKind = "hyperparameter"
	// FunctionValue is the value of the function at an input, without noise.
	FunctionValue  QuantityKind = "function"
	InducingOutput QuantityKind = "inducing output"
	Weight         QuantityKind = "weight"
)

// ChainQuantity is a quantity that chains have sampled.
type ChainQuantity struct {
	Name string       `json:"name"`
	Kind QuantityKind `json:"kind"`
	// Mean and SD are of all draws, and MCSE is the Monte Carlo error of the mean.
	Mean number.Float `json:"mean"`
	SD   number.Float `json:"sd"`
	MCSE number.Float `json:"mcse"`
	// Rhat is rank-normalised split R-hat; ESSBulk and ESSTail are effective sample sizes.
	// They are NaN where they are not defined, as those of constant draws.
	Rhat    number.Float `json:"rhat"`
	ESSBulk number.Float `json:"ess_bulk"`
	ESSTail number.Float `json:"ess_tail"`
	// Skewness and Kurtosis (that of a Gaussian is 3) are of all draws, and Normal is the
	// p-value of a test that they are a Gaussian's, for this quantity alone; see Normality.
	Skewness number.Float `json:"skewness"`
	Kurtosis number.Float `json:"kurtosis"`
	Normal   number.Float `json:"normal"`
	// Kept has the draws themselves, of some quantities.
	Kept *ChainDraws `json:"kept,omitempty"`
}

// ChainDraws are draws of a quantity, and what follows from all of them.
type ChainDraws struct {
	// Draws are every Every-th one of each chain, [chains][n].
	Every int              `json:"every"`
	Draws []number.Rounded `json:"draws"`
	// Autocorrelation is that of each chain, from lag 0 on, [chains][lags].
	Autocorrelation []number.Rounded `json:"autocorrelation"`
	// Ranks counts the ranks of the draws of each chain, among all of them, in equal bins,
	// [chains][bins].
	Ranks [][]int `json:"ranks"`
}

// Limits of chains that have mixed, and of draws that are worth enough: Vehtari, Gelman,
// Simpson, Carpenter, Bürkner, "Rank-Normalization, Folding, and Localization: An Improved
// R-hat for Assessing Convergence of MCMC", Bayesian Analysis 16(2), 2021,
// arXiv:1903.08008, section 4.
const (
	MostRhat = 1.01
	LeastESS = 400
)

// Mixed says whether a quantity is within the limits; one without statistics, such as a
// constant, is.
func (q *ChainQuantity) Mixed() bool {
	return !(q.Rhat > MostRhat || min(q.ESSBulk, q.ESSTail) < LeastESS)
}

// ChainsSummary is the worst of chains.
type ChainsSummary struct {
	Chains int `json:"chains"`
	Draws  int `json:"draws"`
	// Rhat is the largest one, of the quantity Worst; ESSBulk and ESSTail are the least
	// ones. NaN where none is defined.
	Rhat    number.Float `json:"rhat"`
	Worst   string       `json:"worst"`
	ESSBulk number.Float `json:"ess_bulk"`
	ESSTail number.Float `json:"ess_tail"`
	// Of is the number of quantities with statistics, Unmixed how many of them are not
	// within the limits.
	Of      int `json:"of"`
	Unmixed int `json:"unmixed"`
	// Normality has one entry for each kind that was tested.
	Normality []Normality `json:"normality,omitempty"`
}

// Normality is what came of tests that quantities of a kind are Gaussian. The p-values are
// corrected as Bonferroni's inequality has it: multiplied by the number of tests, at most 1.
type Normality struct {
	Kind QuantityKind `json:"kind"`
	// Tested is their number, and Rejected how many have a corrected p-value below
	// RejectedBelow.
	Tested   int          `json:"tested"`
	Rejected int          `json:"rejected"`
	Least    number.Float `json:"least"` // corrected p-value
}

// RejectedBelow is the level of tests.
const RejectedBelow = 0.05

// Summary returns the worst of chains.
func (c *Chains) Summary() *ChainsSummary {
	nan := number.Float(math.NaN())
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
		s.Of++
		if s.Of == 1 {
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

// lesser returns the smaller of two numbers, the other where one is not known.
func lesser(a, b number.Float) number.Float {
	if a != a || b < a {
		return b
	}
	return a
}

// Corrected returns the p-value of each quantity, corrected for all tests of its kind; NaN
// where there was none.
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

// normality sums up tests by kind, in the order of the quantities.
func (c *Chains) normality() (list []Normality) {
	corrected := c.Corrected()
	for i, q := range c.Quantities {
		if q.Normal != q.Normal {
			continue
		}
		at := slices.IndexFunc(list, func(n Normality) bool { return n.Kind == q.Kind })
		if at < 0 {
			at = len(list)
			list = append(list, Normality{Kind: q.Kind, Least: 1})
		}
		of, p := &list[at], number.Float(corrected[i])
		of.Tested++
		of.Least = min(of.Least, p)
		if p < RejectedBelow {
			of.Rejected++
		}
	}
	return list
}

// WorstFirst returns the places of the quantities by their R-hat, the largest first;
// those without one are last.
func (c *Chains) WorstFirst() []int {
	return c.by(func(i int) float64 { return -float64(c.Quantities[i].Rhat) })
}

// LeastNormalFirst returns the places of the quantities that were tested by their corrected
// p-values, and of equal ones by the p-values as they are.
func (c *Chains) LeastNormalFirst() []int {
	corrected := c.Corrected()
	list := c.by(func(i int) float64 { return float64(c.Quantities[i].Normal) })
	list = slices.DeleteFunc(list, func(i int) bool { return corrected[i] != corrected[i] })
	slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(corrected[i], corrected[j]) })
	return list
}

// by returns the places of the quantities by a number of each, NaN last.
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

// WithDraws returns the places of the quantities whose draws are there.
func (c *Chains) WithDraws() (list []int) {
	for i, q := range c.Quantities {
		if q.Kept != nil {
			list = append(list, i)
		}
	}
	return list
}

// Check returns an error unless quantities with draws have those of all chains, as many
// of each.
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
