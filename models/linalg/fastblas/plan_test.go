package fastblas

import "testing"

// The plan determines the order of sums and depends on nothing but the shape.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		m, n, k int
		want    plan
	}{
		{1, 1, 1, plan{12, 1, 16, 1, 8, 1}},
		{12, 16, 8, plan{12, 1, 16, 1, 8, 1}},
		{13, 17, 9, plan{24, 1, 32, 1, 16, 1}},
		{128, 128, 128, plan{132, 1, 32, 4, 128, 1}},
		{128, 320, 32, plan{132, 1, 320, 1, 32, 1}},
		{128, 321, 32, plan{132, 1, 96, 4, 32, 1}},
		{264, 384, 16, plan{264, 1, 96, 4, 16, 1}},
		{265, 385, 16, plan{144, 2, 208, 2, 16, 1}},
		{128, 640, 128, plan{132, 1, 160, 4, 128, 1}},
		{264, 384, 1024, plan{132, 2, 96, 4, 512, 2}},
		{127, 127, 1023, plan{132, 1, 128, 1, 1024, 1}},
		{64, 64, 1024, plan{72, 1, 64, 1, 512, 2}},
		{64, 64, 2048, plan{72, 1, 64, 1, 1024, 2}},
		{512, 512, 512, plan{132, 4, 128, 4, 512, 1}},
		{2048, 2048, 256, plan{264, 8, 352, 6, 256, 1}},
		{2048, 256, 2048, plan{264, 8, 256, 1, 1024, 2}},
		{100, 5000, 100, plan{108, 1, 320, 16, 104, 1}},
	} {
		if got := newPlan(c.m, c.n, c.k); got != c.want {
			t.Errorf("%d x %d x %d: got %+v, want %+v", c.m, c.n, c.k, got, c.want)
		}
	}
}

// Tiles consist of whole register tiles.
func TestBlockSizes(t *testing.T) {
	forAllKernels(t, func(t *testing.T) {
		if active == nil {
			return
		}
		if maxRows%active.mr != 0 || maxCols%active.nr != 0 {
			t.Errorf("tiles of %d x %d are no multiples of %d x %d", maxRows, maxCols, active.mr, active.nr)
		}
	})
}
