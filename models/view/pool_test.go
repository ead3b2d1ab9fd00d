package view

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// Each cell holds the largest absolute entry of its block and of the mirror image. Cells without
// entries are -Inf.
func TestPool(t *testing.T) {
	p := NewPool([]Part{{Group: 0, Size: 4}, {Group: 1, Size: 3}}, 4)
	p.Enter(0, 0, blas64.General{Rows: 4, Cols: 4, Stride: 4, Data: []float64{
		10, 1, 1, 1,
		1, -100, 1, 1,
		1, 1, 10, 1,
		1, 1, 1, 10,
	}})
	p.Enter(1, 0, blas64.General{Rows: 3, Cols: 4, Stride: 4, Data: []float64{
		0, 0, 1, 0,
		0, 0, 0, 0,
		0, 0, 0, -1000,
	}})
	b := p.Blocks()
	if err := b.Check(); err != nil || b.Parts[0].Cells != 2 || b.Parts[1].Cells != 2 {
		t.Fatalf("%v, parts %+v", err, b.Parts)
	}
	none := math.Inf(-1)
	want := []float64{
		2, 0, none, none,
		0, 1, 0, 3,
		none, 0, none, none,
		none, 3, none, none,
	}
	if !slices.Equal(b.Log10, want) {
		t.Errorf("cells %v, want %v", b.Log10, want)
	}
}

// Zero blocks that were entered are free; blocks that were not entered are zero by construction.
func TestPoolFreeZeros(t *testing.T) {
	p := NewPool([]Part{{Size: 2}, {Size: 1}, {Size: 1}}, 4)
	p.Enter(0, 0, blas64.General{Rows: 2, Cols: 2, Stride: 2, Data: []float64{1, 0, 0, 1}})
	p.Enter(0, 1, blas64.General{Rows: 2, Cols: 1, Stride: 1, Data: []float64{0, 0}})
	b := p.Blocks()
	if want := [][2]int{{1, 0}}; !slices.Equal(b.Free, want) {
		t.Errorf("free %v, want %v", b.Free, want)
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	b.Free = [][2]int{{3, 0}}
	if b.Check() == nil {
		t.Error("Check accepts a free pair with a part that does not exist")
	}
}
