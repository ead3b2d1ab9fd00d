package config

import (
	"slices"
	"testing"
)

func TestDeriveSeparatesStreams(t *testing.T) {
	seen := map[uint64]string{}
	for _, p := range []string{"model", "hold-out", "validation-rows", "validation", "test", "layers"} {
		for seed := range uint64(20) {
			for index := range 20 {
				v := Derive(seed, p, index)
				if other, ok := seen[v]; ok {
					t.Fatalf("%s and %s %d %d share a seed", other, p, seed, index)
				}
				seen[v] = p
			}
		}
	}
	// The seed is part of the file format, because old runs must resume exactly. The output of
	// printf 'dgplab/1 model 0 0' | sha256sum starts with 5b7c6d3e1c5405ee.
	got := Derive(0, "model", 0)
	want := uint64(0xee05541c3e6d7c5b)
	if got != want {
		t.Errorf("Derive = %#x, want %#x", got, want)
	}
}

func TestSubset(t *testing.T) {
	if got := Subset(5, 0, 1); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("all of 5: %v", got)
	}
	counts := make([]int, 10)
	for seed := range uint64(3000) {
		rows := Subset(10, 3, seed)
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
