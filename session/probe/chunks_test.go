package probe

import (
	"slices"
	"testing"
)

func TestSubset(t *testing.T) {
	if got := subset(5, 0, 1); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("all of 5: %v", got)
	}
	counts := make([]int, 10)
	for seed := range uint64(3000) {
		rows := subset(10, 3, seed)
		sorted := slices.Sorted(slices.Values(rows))
		if len(rows) != 3 || len(slices.Compact(sorted)) != 3 {
			t.Fatalf("seed %d: %v", seed, rows)
		}
		for _, r := range rows {
			counts[r]++
		}
	}
	for i, n := range counts { // The expected count is 900 with standard deviation 25.
		if n < 775 || n > 1025 {
			t.Errorf("row %d was drawn %d times of 3000, want about 900", i, n)
		}
	}
}
