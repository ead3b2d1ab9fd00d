package dgp

import (
	"math"
	"testing"

	"dgplab/models/familytest"
)

// The eigenvalues of K_MM have the sum and the product of the trace and the determinant of L L^T.
func TestSpectrum(t *testing.T) {
	m := build(t, "star", familytest.Wave(40, 1))
	familytest.Steps(t, m, 3)
	if err := m.refresh(); err != nil {
		t.Fatal(err)
	}
	s, err := m.post.spectrum()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	for l, layer := range s.Layers {
		size := m.post.inducing[l]
		root := m.post.layers[l].root.Value
		var logDet, relative, logs float64
		for i := range size {
			logDet += 2 * math.Log(root[i*size+i])
		}
		for _, v := range layer.Log10 {
			relative += math.Pow(10, v)
			logs += v * math.Ln10
		}
		largest := sumSquares(root) / relative
		if got := logs + float64(size)*math.Log(largest); math.Abs(got-logDet) > 1e-6*math.Abs(logDet) {
			t.Errorf("layer %d: the logarithm of the determinant is %v, want %v", l+1, got, logDet)
		}
	}
}
