package config

import "testing"

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
