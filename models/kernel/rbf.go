package kernel

import "math"

// rbf is the squared exponential (Rasmussen and Williams, "Gaussian Processes for Machine Learning",
// 2006, eq. 4.9, https://gaussianprocess.org/gpml).
var rbf = radial{
	Description: Description{
		Name: "rbf", Formula: "v exp(-r2/2), r2 = sum (x-x')^2/l^2", Use: "very smooth functions",
	},
	of: func(r2, _ float64) (value, slope, _ float64) {
		value = math.Exp(-0.5 * r2)
		return value, -0.5 * value, 0
	},
	fast: RBF,
}
