package probe

import (
	"errors"
	"math"
	"strings"
	"testing"

	"dgplab/datasets/task"
)

// The distance of two known Gaussians: KL for means 1 apart and a doubled covariance with unit noise, by
// hand for independent points, and the relative difference of the covariances.
func TestJointDistance(t *testing.T) {
	a := &Joint{Rows: []int{3, 8}, Mean: [][]float64{{1, 0}}, Covariance: [][]float64{{2, 0, 0, 2}},
		Noise: []float64{1}}
	b := &Joint{Rows: []int{3, 8}, Mean: [][]float64{{0, 0}}, Covariance: [][]float64{{1, 0, 0, 1}},
		Noise: []float64{1}, Draws: 64}
	d, err := a.Distance(b)
	if err != nil {
		t.Fatal(err)
	}
	want := (2*0.5*(1.5-1-math.Log(1.5)) + 0.25) / 2
	if math.Abs(d.KL-want) > 1e-14 || math.Abs(d.Covariance-1) > 1e-14 || d.Points != 2 || d.Draws != 64 {
		t.Errorf("the distance is %+v, want KL %v", d, want)
	}
	d, err = a.Distance(a)
	if err != nil || math.Abs(d.KL) > 1e-14 || d.Covariance != 0 {
		t.Errorf("the distance to itself is %+v, %v", d, err)
	}
	b.Rows[1] = 9
	if _, err := a.Distance(b); err == nil {
		t.Error("different points are compared")
	}
	b.Rows[1], b.Noise[0] = 8, -1
	if _, err := a.Distance(b); err == nil || !strings.Contains(err.Error(), "not positive definite") {
		t.Errorf("a negative variance: %v", err)
	}
	// The points of b are almost dependent.
	b.Noise[0], a.Noise[0] = 0, 0
	b.Covariance = [][]float64{{1, 0, 0, 1e-17}}
	if _, err := a.Distance(b); err == nil || !strings.Contains(err.Error(), "singular") {
		t.Errorf("an ill-conditioned covariance: %v", err)
	}
	// The number of draws is the smaller one if both covariances come from draws.
	a.Draws, b.Covariance = 16, [][]float64{{1, 0, 0, 1}}
	if d, err := a.Distance(b); err != nil || d.Draws != 16 {
		t.Errorf("%d draws, %v", d.Draws, err)
	}
}

// The joint predictions of a GP have the variances of its predictions.
func TestJointAt(t *testing.T) {
	p := trainedOn(t, "gp", nil, wave, []float64{0.3, -0.2, 0.1, 0.9, -0.4})
	p.Data.Test = p.Data.Train
	p.Data.Test.Rows = []int{10, 11, 12, 13, 14}
	p.Data.Scaling.TargetMean[0], p.Data.Scaling.TargetSD[0] = 5, 2
	got, err := p.JointAt(t.Context(), 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	predicted, err := p.predictAt(p.Data.Train.X, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	mean := make([]float64, 5)
	variance := make([]float64, 5)
	predicted.(interface {
		Moments(mean, variance []float64)
	}).Moments(mean, variance)
	for i, at := range []int{0, 1, 3} {
		total := got.Covariance[0][4*i] + got.Noise[0]
		if math.Abs(got.Mean[0][i]-(5+2*mean[at])) > 1e-9 || math.Abs(total-4*variance[at]) > 1e-9 {
			t.Errorf("point %d: mean %v, variance %v, want %v and %v", i, got.Mean[0][i], total,
				5+2*mean[at], 4*variance[at])
		}
	}
}

// Joint predictions need real targets and a covariance of points.
func TestErrorsOfJointAt(t *testing.T) {
	p := onPlane(&linear{})
	p.ctx = t.Context()
	p.Data.Test = p.Data.Train
	p.Data.Test.Rows = []int{0, 1, 2}
	if _, err := p.JointAt(t.Context(), 3, 1); err == nil ||
		err.Error() != "the family has no covariance of points" {
		t.Errorf("without a covariance: %v", err)
	}
	p.Model.(*linear).err = errors.New("no")
	if _, err := p.JointAt(t.Context(), 3, 1); !errors.Is(err, p.Model.(*linear).err) {
		t.Errorf("without predictions: %v", err)
	}
	p.Data.Task = task.Binary
	if _, err := p.JointAt(t.Context(), 3, 1); err == nil ||
		err.Error() != "joint predictions need real targets" {
		t.Errorf("classes: %v", err)
	}
}
