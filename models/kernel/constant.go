package kernel

// constant is the kernel of constant functions.
type constant struct{}

// Describe implements Function.
func (constant) Describe() Description {
	return Description{Name: "constant", Formula: "v", Use: "an unknown mean"}
}

// Parameters implements Function.
func (constant) Parameters() []Parameter { return []Parameter{varianceParameter} }

// Value implements Function.
func (constant) Value(_, _ []float64, p [][]float64) float64 { return p[0][0] }

// AddGradient implements Function.
func (constant) AddGradient(w float64, _, _ []float64, _ [][]float64, g Gradient) { g.P[0][0] += w }
