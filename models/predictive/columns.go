package predictive

// NewGaussians returns a mixture with the given weights, [S], for n points with p outputs. All
// moments and the noise are zero.
func NewGaussians(weights []float64, n, p int) *Gaussians {
	s := len(weights)
	return &Gaussians{
		S:       s,
		N:       n,
		P:       p,
		Weights: weights,
		Mean:    make([]float64, s*n*p),
		Var:     make([]float64, s*n*p),
	}
}

// SetColumns sets the moments of the points starting at start. mean and vr are [P][S*B], with
// sample s of point b in column s*B + b. Columns beyond the last point are ignored.
func (m *Gaussians) SetColumns(start int, mean, vr []float64) {
	columns := len(mean) / m.P
	b := columns / m.S
	for p := range m.P {
		for s := range m.S {
			for i := range min(b, m.N-start) {
				to, from := (s*m.N+start+i)*m.P+p, p*columns+s*b+i
				m.Mean[to], m.Var[to] = mean[from], vr[from]
			}
		}
	}
}
