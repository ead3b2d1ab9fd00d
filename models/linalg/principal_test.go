package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The points lie on an ellipse around (1, -2), turned by 30 degrees.
func TestAxesOfAnEllipse(t *testing.T) {
	const n = 400
	points := mat.NewDense(n, 2, nil)
	c := math.Cos(math.Pi / 6)
	s := math.Sin(math.Pi / 6)
	for k := range n {
		x := 3 * math.Cos(2*math.Pi*float64(k)/n)
		y := math.Sin(2 * math.Pi * float64(k) / n)
		points.SetRow(k, []float64{1 + c*x - s*y, -2 + s*x + c*y})
	}
	a, err := NewPrincipalAxes(points)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %g, want %g", what, got, want)
		}
	}
	const unbiased = n / (n - 1.0)
	near("mean x", a.Mean[0], 1)
	near("mean y", a.Mean[1], -2)
	near("first variance", a.Variances[0], 4.5*unbiased)
	near("second variance", a.Variances[1], 0.5*unbiased)
	near("total variance", a.Total(), 5*unbiased)
	near("direction x", a.Directions[0][0], c)
	near("direction y", a.Directions[0][1], s)
	near("the second points up", a.Directions[1][1], c)
	near("along the first", a.Along(0, points.RawRowView(0)), 3)
	back := a.At(0, 3)
	near("back x", back[0], points.At(0, 0))
	near("back y", back[1], points.At(0, 1))
}

func TestAxesOfOnePoint(t *testing.T) {
	a, err := NewPrincipalAxes(mat.NewDense(1, 3, []float64{1, 2, 3}))
	if err != nil || a.Variances[0] != 0 || a.Along(0, []float64{1, 2, 3}) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestNonFinitePoints(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.MaxFloat64} {
		if a, err := NewPrincipalAxes(mat.NewDense(2, 2, []float64{0, v, 1, -v})); err == nil {
			t.Errorf("%g has axes %+v", v, a)
		}
	}
}
