package kernel

import "math"

// periodic is the kernel of functions that are periodic in each column (MacKay, "Introduction to
// Gaussian Processes", 1998; Rasmussen and Williams, "Gaussian Processes for Machine Learning",
// 2006, eq. 4.31).
type periodic struct{}

// Describe implements Function.
func (periodic) Describe() Description {
	return Description{Name: "periodic", Columns: true, Use: "functions that repeat with the period p",
		Formula: "v exp(-2 sum sin^2(pi (x-x')/p)/l^2)"}
}

// Parameters implements Function.
func (periodic) Parameters() []Parameter {
	return []Parameter{lengthscaleParameter, varianceParameter,
		{Name: "period", Each: true, Start: 1, Spread: 1}}
}

// Value implements Function.
func (periodic) Value(x, y []float64, p [][]float64) float64 {
	var sum float64
	for d, l := range p[0] {
		s := math.Sin(math.Pi*(x[d]-y[d])/p[2][d]) / l
		sum += s * s
	}
	return p[1][0] * math.Exp(-2*sum)
}

// AddGradient implements Function.
func (k periodic) AddGradient(w float64, x, y []float64, p [][]float64, g Gradient) {
	value := k.Value(x, y, p)
	g.P[1][0] += w * value / p[1][0]
	for d, l := range p[0] {
		period := p[2][d]
		difference := x[d] - y[d]
		sin, cos := math.Sincos(math.Pi * difference / period)
		along := -4 * math.Pi * w * value * sin * cos / (period * l * l) // with respect to x
		g.X[d] += along
		g.Y[d] -= along
		g.P[2][d] -= along * difference / period
		g.P[0][d] += 4 * w * value * sin * sin / (l * l * l)
	}
}
