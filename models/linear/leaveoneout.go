package linear

import (
	"context"
	"math"

	"dgplab/models/family"
	"dgplab/models/predictive"
)

// rounding is the lower bound of 1 - h. It limits the effect of rounding errors.
const rounding = 1e-12

// LeaveOneOut implements family.LeaveOneOuter. With m_n and v_n the moments of f at a training point and
// h = v_n/s for the noise variance s, the target has the mean y_n - (y_n - m_n)/(1 - h) and the
// variance s/(1 - h): Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, eqs.
// 5.10 to 5.12, in weight space. A point of weight w has h = w v_n/s, because its likelihood is that of the
// noise variance s/w up to a constant. A point without a target is predicted from all other points.
// Classes have no closed form.
func (m *Model) LeaveOneOut(_ context.Context, rows []int, _ uint64) (*family.LeftOut, error) {
	r, ok := m.problem.(*regression)
	if !ok {
		return nil, nil
	}
	x, y := m.data.Rows(rows)
	p := len(r.noise)
	mean, variance := r.moments(m.at(x))
	out := predictive.NewGaussians([]float64{1}, len(rows), p)
	out.Noise = append(out.Noise, r.noise...)
	for i, row := range rows {
		weight := 1.0
		if m.data.Weights != nil {
			weight = m.data.Weights[row]
		}
		for k, s := range r.noise {
			at := i*p + k
			out.Mean[at], out.Var[at] = mean[at], variance[at]
			if !math.IsNaN(y[at]) {
				share := 1 / max(1-weight*variance[at]/s, rounding)
				out.Mean[at] = y[at] - (y[at]-mean[at])*share
				out.Var[at] = variance[at] * share
			}
		}
	}
	return &family.LeftOut{Parts: []predictive.Predictive{out}}, nil
}
