package kernel

import "math"

// rationalQuadratic is a mixture of rbf kernels with different lengthscales, which approaches rbf
// for large alpha (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, eq.
// 4.19).
var rationalQuadratic = radial{
	Description: Description{
		Name: "rq", Formula: "v (1 + r2/(2 alpha))^-alpha", Use: "smooth functions on several scales",
	},
	shape: Parameter{Name: "alpha", Start: 1, Spread: 1},
	of: func(r2, alpha float64) (value, slope, dAlpha float64) {
		w := r2 / (2 * alpha)
		log := math.Log1p(w)
		value = math.Exp(-alpha * log)
		return value, -0.5 * value / (1 + w), value * (w/(1+w) - log)
	},
}
