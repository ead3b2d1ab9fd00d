package vec

import "testing"

// TestEmptyVectors checks that functions accept vectors without entries.
func TestEmptyVectors(t *testing.T) {
	for name, call := range map[string]func(){
		"Normal":   func() { Normal(nil, nil, nil) },
		"Exp":      func() { Exp(nil, nil) },
		"Log":      func() { Log(nil, nil) },
		"Softplus": func() { Softplus(nil, nil) },
		"Roots":    func() { Roots(nil, nil); InverseRoots(nil, nil) },
		"moments":  func() { AddMoments(nil, nil, nil, 1, 1); PullMoments(nil, nil, nil, nil, 1, 1) },
		"products": func() { AddMul(nil, nil, nil); SubMul(nil, nil, nil); Mul(nil, nil, nil) },
		"ratios":   func() { Div(nil, nil, nil) },
		"scaling":  func() { AddScaled(nil, nil, 1); Scaled(nil, nil, 1) },
		"sums":     func() { AddAndScaleNonPositive(nil, 1, 1); ScaleNonPositiveSum(nil, nil, 1) },
		"dot":      func() { Dot(nil, nil); MulSum(nil, nil, nil) },
		"filter":   func() { ProductMoments(nil, nil, nil, nil, nil) },
	} {
		t.Run(name, func(*testing.T) { call() })
	}
}
