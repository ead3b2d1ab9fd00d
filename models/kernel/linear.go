package kernel

// linear is the kernel of linear functions that are zero at the offset (Rasmussen and Williams,
// "Gaussian Processes for Machine Learning", 2006, section 4.2.2).
type linear struct{}

// Describe implements Function.
func (linear) Describe() Description {
	return Description{Name: "linear", Formula: "sum v (x-c) (x'-c)", Columns: true,
		Use: "straight lines, zero at the offset c"}
}

// Parameters implements Function.
func (linear) Parameters() []Parameter {
	return []Parameter{{Name: variance, Each: true, Spread: 1},
		{Name: "offset", Each: true, Real: true, Spread: 1}}
}

// Value implements Function.
func (linear) Value(x, y []float64, p [][]float64) (sum float64) {
	for d, v := range p[0] {
		sum += v * ((x[d] - p[1][d]) * (y[d] - p[1][d]))
	}
	return sum
}

// AddGradient implements Function.
func (linear) AddGradient(w float64, x, y []float64, p [][]float64, g Gradient) {
	for d, v := range p[0] {
		a := x[d] - p[1][d]
		b := y[d] - p[1][d]
		g.X[d] += w * v * b
		g.Y[d] += w * v * a
		g.P[0][d] += w * a * b
		g.P[1][d] -= w * v * (a + b)
	}
}
