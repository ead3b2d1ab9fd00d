package stats

import (
	"math"
	"testing"
)

func TestStreamDependsOnAllArguments(t *testing.T) {
	base := Stream(1, "noise", 7).Uint64()
	if again := Stream(1, "noise", 7).Uint64(); again != base {
		t.Fatalf("the same name gave %d, then %d", base, again)
	}
	for name, other := range map[string]uint64{
		"seed":    Stream(2, "noise", 7).Uint64(),
		"purpose": Stream(1, "batch", 7).Uint64(),
		"index":   Stream(1, "noise", 8).Uint64(),
	} {
		if other == base {
			t.Errorf("another %s gave the same number", name)
		}
	}
}

func TestNeighbouringStreamsAreUncorrelated(t *testing.T) {
	const n = 20000
	a := make([]float64, n)
	b := make([]float64, n)
	Normals(a, Stream(3, "noise", 0))
	Normals(b, Stream(3, "noise", 1))
	var mean, square, cross float64
	for i := range a {
		mean += a[i] / n
		square += a[i] * a[i] / n
		cross += a[i] * b[i] / n
	}
	// The tolerance is five standard errors. The standard error is 1/sqrt(n) for the mean and the
	// product, and sqrt(2/n) for the square.
	limit := 5 / math.Sqrt(n)
	if math.Abs(mean) > limit || math.Abs(cross) > limit || math.Abs(square-1) > math.Sqrt2*limit {
		t.Errorf("mean %g, second moment %g, cross moment %g", mean, square, cross)
	}
}
