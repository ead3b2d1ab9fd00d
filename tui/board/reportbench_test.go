package board

import (
	"testing"

	"dgplab/tui/kit/kittest"
)

// BenchmarkPanels draws each panel for four runs with 20,000 test points, the maximum in a
// snapshot.
func BenchmarkPanels(b *testing.B) {
	set := splits()
	for i, r := range set.Runs {
		s := r.Snapshot
		s.Split, s.Diagnostics = "standard:0", kittest.Health(100)
		s.Values = map[string]string{"layers": "1234"[i : i+1]}
		kittest.Evaluated(s, kittest.Predictions(0, 20000, 1, 1, uint64(i)))
	}
	for name, draw := range drawings {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				draw(set)(120, 36)
			}
		})
	}
}
