package view

import (
	"math"
	"slices"
	"testing"
)

// testChains returns four quantities: the second has the worst R-hat, the third has too few
// effective draws in its tails and the last is constant.
func testChains() *Chains {
	nan := Float(math.NaN())
	return &Chains{Chains: 4, Draws: 200, Distance: 1, Quantities: []ChainQuantity{
		{Name: "a", Kind: InducingOutput, Rhat: 1.002, ESSBulk: 700, ESSTail: 600, Normal: 0.03},
		{Name: "b", Kind: InducingOutput, Rhat: 1.2, ESSBulk: 30, ESSTail: 90, Normal: 0.01},
		{Name: "c", Kind: InducingOutput, Rhat: 1.001, ESSBulk: 800, ESSTail: 399, Normal: 0.5},
		{Name: "d", Kind: Hyperparameter, Rhat: nan, ESSBulk: nan, ESSTail: nan, Normal: nan},
	}}
}

func TestSummaryOfChains(t *testing.T) {
	c := testChains()
	s := c.Summary()
	if s.Rhat != 1.2 || s.Worst != "b" || s.ESSBulk != 30 || s.ESSTail != 90 ||
		s.Tested != 3 || s.Unmixed != 2 {
		t.Errorf("%+v", s)
	}
	// With three tests, 0.03 and 0.01 become 0.09 and 0.03.
	if len(s.Normality) != 1 ||
		s.Normality[0] != (Normality{Kind: InducingOutput, Tested: 3, Rejected: 1, MinP: 0.03}) {
		t.Errorf("normality %+v", s.Normality)
	}
	if p := c.Corrected(); p[0] != 0.09 || p[2] != 1 || p[3] == p[3] {
		t.Errorf("corrected %v", p)
	}
	if got := c.WorstFirst(); !slices.Equal(got, []int{1, 0, 2, 3}) {
		t.Errorf("by R-hat %v", got)
	}
	if got := c.LeastNormalFirst(); !slices.Equal(got, []int{1, 0, 2}) {
		t.Errorf("by normality %v", got)
	}
	c.Quantities[2].Kept = &ChainDraws{}
	if got := c.WithDraws(); !slices.Equal(got, []int{2}) {
		t.Errorf("with draws %v", got)
	}
	if s := (&Chains{}).Summary(); s.Tested != 0 || s.Rhat == s.Rhat || s.Normality != nil {
		t.Errorf("no quantities: %+v", s)
	}
}
