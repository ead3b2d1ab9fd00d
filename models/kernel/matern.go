package kernel

import "math"

// The Matern kernels (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, eqs.
// 4.14 and 4.17).
var (
	matern12 = radial{
		Description: Description{
			Name: "matern12", Formula: "v exp(-r)", Use: "continuous functions without a slope",
		},
		of: func(r2, _ float64) (value, slope, _ float64) {
			r := math.Sqrt(r2)
			value = math.Exp(-r)
			if r > 0 {
				slope = -value / (2 * r)
			}
			return value, slope, 0
		},
	}
	matern32 = radial{
		Description: Description{
			Name: "matern32", Formula: "v (1+s) exp(-s), s = sqrt(3) r", Use: "functions with a slope",
		},
		of: func(r2, _ float64) (value, slope, _ float64) {
			s := math.Sqrt(3 * r2)
			e := math.Exp(-s)
			return (1 + s) * e, -1.5 * e, 0
		},
		fast: Matern32,
	}
	matern52 = radial{
		Description: Description{
			Name: "matern52", Formula: "v (1+s+s^2/3) exp(-s), s = sqrt(5) r",
			Use: "functions with a slope and a curvature",
		},
		of: func(r2, _ float64) (value, slope, _ float64) {
			s := math.Sqrt(5 * r2)
			e := math.Exp(-s)
			return (1 + s + s*s/3) * e, -5.0 / 6 * (1 + s) * e, 0
		},
		fast: Matern52,
	}
)
