package deep

import (
	"slices"

	"dgplab/models/family"
)

// Families returns the families whose posterior factorises over layers: amortized inducing points,
// orthogonal inducing points, and sigma points or samples of layers with shared inducing points.
func Families() []family.Spec {
	return slices.Concat(amortizedFamilies(), orthogonalFamilies(), sigmaPointFamilies())
}
