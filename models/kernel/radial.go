package kernel

// radial is a function of the distance scaled by a lengthscale for each column:
//
//	k(x, y) = v of(r2), r2 = sum_d (x_d - y_d)^2 / lengthscale_d^2
type radial struct {
	Description
	// shape is an additional parameter; its name is empty if the function has none.
	shape Parameter
	// of returns the function and its derivatives with respect to r2 and to the shape. If the slope
	// is infinite at r2 = 0, of returns 0 there.
	of func(r2, shape float64) (value, slope, dShape float64)
	// fast is the assembly for the function, or 0.
	fast Stationary
}

// Describe implements Function.
func (k radial) Describe() Description {
	k.Columns = true
	return k.Description
}

// Parameters implements Function.
func (k radial) Parameters() []Parameter {
	list := []Parameter{lengthscaleParameter, varianceParameter}
	if k.shape.Name != "" {
		list = append(list, k.shape)
	}
	return list
}

// at returns the squared scaled distance and the shape.
func (k radial) at(x, y []float64, p [][]float64) (r2, shape float64) {
	for d, l := range p[0] {
		t := (x[d] - y[d]) / l
		r2 += t * t
	}
	if k.shape.Name != "" {
		shape = p[2][0]
	}
	return r2, shape
}

// Value implements Function.
func (k radial) Value(x, y []float64, p [][]float64) float64 {
	value, _, _ := k.of(k.at(x, y, p))
	return p[1][0] * value
}

// AddGradient implements Function.
func (k radial) AddGradient(w float64, x, y []float64, p [][]float64, g Gradient) {
	value, slope, dShape := k.of(k.at(x, y, p))
	g.P[1][0] += w * value
	w *= p[1][0]
	if k.shape.Name != "" {
		g.P[2][0] += w * dShape
	}
	for d, l := range p[0] {
		t := (x[d] - y[d]) / l
		pull := 2 * w * slope * t / l
		g.X[d] += pull
		g.Y[d] -= pull
		g.P[0][d] -= pull * t
	}
}
