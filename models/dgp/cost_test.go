package dgp

import (
	"math"
	"testing"
)

// At L=3, tau=5, M=128, B=512, R=5, the forward products take about 0.2, 0.5 and 1.2 to 2.1 G
// multiply-adds for mean-field, star and fully-coupled.
func TestCostMatchesMethods(t *testing.T) {
	widths := []int{5, 5, 1}
	for name, bounds := range map[string][2]float64{
		"mean-field": {0.18e9, 0.24e9}, "star": {0.45e9, 0.6e9}, "fully-coupled": {1.2e9, 2.1e9},
	} {
		c := cost{
			structure: newStructure(patterns(widths)[name], []int{128, 128, 128}, false),
			inputs:    []int{9, 5, 5},
			b:         512,
			r:         5,
		}
		if got := c.forwardMACs(); got < bounds[0] || got > bounds[1] {
			t.Errorf("%s: %.3g multiply-adds, want between %.3g and %.3g", name, got, bounds[0], bounds[1])
		}
	}
}

// Doubling M multiplies the products of the marginals by four and the products of the blocks of S_M
// by eight. Mean-field grows in proportion to the width.
func TestCostGrowth(t *testing.T) {
	at := func(pattern func([]int) *Pattern, m, width int) float64 {
		c := cost{
			structure: newStructure(pattern([]int{width, width, 1}), []int{m, m, m}, false),
			inputs:    []int{width, width, width},
			b:         1 << 20,
			r:         5,
		}
		return c.forwardMACs()
	}
	for name, pattern := range map[string]func([]int) *Pattern{
		"mean-field": MeanField, "star": StripesAndArrow, "fully-coupled": FullyCoupled,
	} {
		if exponent := math.Log2(at(pattern, 512, 5) / at(pattern, 256, 5)); math.Abs(exponent-2) > 0.05 {
			t.Errorf("%s: exponent in M is %.3f, want 2 for many points", name, exponent)
		}
	}
	if exponent := math.Log2(at(MeanField, 512, 128) / at(MeanField, 512, 64)); math.Abs(exponent-1) > 0.1 {
		t.Errorf("mean-field: exponent in tau is %.3f, want 1", exponent)
	}
	if exponent := math.Log2(at(FullyCoupled, 512, 64) / at(FullyCoupled, 512, 32)); math.Abs(exponent-2) >
		0.1 {
		t.Errorf("fully-coupled: exponent in tau is %.3f, want 2", exponent)
	}
}
