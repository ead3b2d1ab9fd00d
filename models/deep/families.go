package deep

import (
	"slices"

	"dgplab/models/family"
)

// Families returns the families whose posterior factorises over layers: amortized inducing points,
// orthogonal inducing points, sigma points or samples of layers with shared inducing points, and
// latent variables as additional inputs.
func Families() []family.Spec {
	return slices.Concat(amortizedFamilies(), orthogonalFamilies(), sigmaPointFamilies(),
		weightedFamilies())
}
