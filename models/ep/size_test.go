package ep

import (
	"math"
	"testing"

	"dgplab/models/familytest"
)

// The size counts output covariances for every pair of outputs of a last layer above the first:
// sums over pairs of inducing inputs at each point.
func TestSizeOfOutputCovariances(t *testing.T) {
	more := func(outputs int, set map[string]string) (operations, memory float64) {
		t.Helper()
		s := familytest.Find(Families(), "aep")
		for sign, cov := range map[float64]string{1: "full", -1: "diag"} {
			set["output_cov"] = cov
			size, err := s.Size(familytest.Values(t, s, set), 1000, 3, outputs)
			if err != nil {
				t.Fatal(err)
			}
			operations += sign * size.StepFLOPs
			memory += sign * size.Memory
		}
		return operations, memory
	}
	with := func(layers, inducing, batch string) map[string]string {
		return map[string]string{"layers": layers, "inducing": inducing, "batch": batch, "width": "2"}
	}
	pair, room := more(2, with("2", "20", "50"))
	if pair <= 0 || room <= 0 {
		t.Fatalf("a pair takes %v operations and %v bytes", pair, room)
	}
	for name, c := range map[string]struct {
		outputs          int
		set              map[string]string
		operations, room float64 // relative to one pair
	}{
		"one output":    {1, with("2", "20", "50"), 0, 0},
		"one layer":     {2, with("1", "20", "50"), 0, 0},
		"three layers":  {2, with("3", "20", "50"), 1, 1},
		"three outputs": {3, with("2", "20", "50"), 3, 3},
		"double M":      {2, with("2", "40", "50"), 4, 4},
		"double batch":  {2, with("2", "20", "100"), 2, 1},
	} {
		got, bytes := more(c.outputs, c.set)
		if math.Abs(got-c.operations*pair) > 1e-9*pair || math.Abs(bytes-c.room*room) > 1e-9*room {
			t.Errorf("%s: %v and %v times as much as a pair, want %v and %v",
				name, got/pair, bytes/room, c.operations, c.room)
		}
	}
}
