package session

import (
	"testing"

	"dgplab/datasets"
)

// Invalid splits are refused.
func TestPrepareRefusesSplits(t *testing.T) {
	ds, err := datasets.Load(t.Context(), datasets.Source{Name: "steps"})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"nonsense", "interpolation:x", "outputs:gone:1"} {
		p, name, err := prepare(ds, division{split: text, validation: 0.1, seed: 1})
		if p != nil || name != "" || err == nil {
			t.Errorf("prepared %s as %q, %v", text, name, err)
		}
	}
}
