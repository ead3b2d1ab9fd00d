package probe

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models/family"
)

// The posterior of a model that exports no parameters holds functions at evenly spaced test points, in
// original units.
func TestPosteriorAtTestPoints(t *testing.T) {
	p := onFile(t, &linear{})
	n := 2 * exportedPoints
	p.Data.Test = datasets.Part{X: mat.NewDense(n, 2, nil), Inputs: mat.NewDense(n, 2, nil),
		Y: mat.NewDense(n, 1, nil)}
	p.Data.Scaling.InputMean, p.Data.Scaling.InputSD = []float64{7, 0}, []float64{2, 1}
	for i := range n {
		p.Data.Test.X.Set(i, 0, float64(i))
		p.Data.Test.Inputs.Set(i, 0, 7+2*float64(i))
		p.Data.Test.Rows = append(p.Data.Test.Rows, 100+i)
	}
	out, err := p.Posterior()
	if err != nil || len(out.Missing) != 1 {
		t.Fatalf("missing %q, %v", out.Missing, err)
	}
	array := func(name string) family.Tensor {
		named := func(a family.Tensor) bool { return a.Name == name }
		return out.Tensors[slices.IndexFunc(out.Tensors, named)]
	}
	rows, inputs, functions := array("functions.row"), array("functions.inputs"), array("functions.draws")
	if !slices.Equal(functions.Shape, []int{2, 1, exportedPoints}) {
		t.Fatalf("shape %v", functions.Shape)
	}
	for i := range exportedPoints {
		at := float64(2 * i)
		shifted := functions.Data[exportedPoints+i]
		if rows.Data[i] != 100+at || inputs.Data[2*i] != 7+2*at || functions.Data[i] != 10+2*at ||
			shifted != 10+2*(at+1) {
			t.Fatalf("point %d: row %v, input %v, functions %v and %v", i, rows.Data[i], inputs.Data[2*i],
				functions.Data[i], shifted)
		}
	}
}
