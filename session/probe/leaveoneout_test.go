package probe

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models/family"
)

// leavingOut is a model whose leave-one-out predictions have weights of given tail shapes.
type leavingOut struct {
	*linear
	shapes func(n int) []float64
	rows   []int
	none   bool
}

func (m *leavingOut) LeaveOneOut(_ context.Context, rows []int, seed uint64) (*family.LeftOut, error) {
	m.rows = rows
	if m.none || m.err != nil {
		return nil, m.err
	}
	out := &family.LeftOut{Draws: 100, K: m.shapes(len(rows)), ReliableK: 0.5}
	for _, row := range rows {
		p, err := m.Predict(mat.NewDense(1, 1, []float64{float64(row)}), 1, seed)
		if err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, p)
	}
	return out, nil
}

// Leave-one-out predictions belong to a sorted sample of the training points, and unreliable ones are
// counted.
func TestLeaveOneOut(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{0, 1, 2, 3, 4, 5})
	p := &Probe{ctx: t.Context(), seed: 3, Data: &datasets.Prepared{
		Train: datasets.Part{X: x, Y: x, Targets: x, Rows: []int{10, 11, 12, 13, 14, 15}},
	}}
	m := &leavingOut{linear: &linear{weight: []float64{1}}}
	m.shapes = func(n int) []float64 {
		k := make([]float64, n)
		k[0] = 0.6
		k[1] = math.Inf(1)
		return k
	}
	p.Model = m
	scores, points, err := p.LeaveOneOut(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	if scores.N != 4 || scores.Of != 6 || scores.Exact || scores.Unreliable != 2 || *scores.RMSE != 0 ||
		!math.IsInf(float64(*scores.LargestK), 1) || scores.Warning() == "" || scores.Samples != 100 {
		t.Errorf("%+v", scores)
	}
	for i, row := range m.rows {
		if points.Rows[i] != row+10 || points.Mean[i] != float64(row) || points.Target[i] != float64(row) {
			t.Errorf("point %d of row %d: %+v", i, row, points)
		}
	}
	m.none = true
	scores, _, err = p.LeaveOneOut(t.Context(), 4)
	if scores != nil || err != nil || scores.Warning() != "" {
		t.Errorf("without predictions: %+v, %v", scores, err)
	}
	m.err = errors.New("no")
	if _, _, err := p.LeaveOneOut(t.Context(), 4); !errors.Is(err, m.err) {
		t.Errorf("failed: %v", err)
	}
	m.err, m.none, m.weight[0] = nil, false, math.NaN()
	if _, _, err := p.LeaveOneOut(t.Context(), 4); err == nil {
		t.Error("NaN is no error")
	}
	p.Model = m.linear
	if scores, _, err := p.LeaveOneOut(t.Context(), 4); scores != nil || err != nil {
		t.Errorf("of a family without: %+v, %v", scores, err)
	}
}
