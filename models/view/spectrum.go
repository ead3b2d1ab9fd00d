package view

import "fmt"

// Spectrum holds the eigenvalues of K_MM, the prior covariance of the inducing outputs, in each layer. They show
// how many inducing points a layer needs: eigenvalues as small as the jitter belong to points that others replace.
type Spectrum struct {
	Layers []LayerSpectrum `json:"layers"`
}

// LayerSpectrum holds the eigenvalues of one layer relative to the largest.
type LayerSpectrum struct {
	// Log10 holds decimal logarithms, [M], in descending order.
	Log10 Rounded `json:"log10"`
	// Jitter is the decimal logarithm of the jitter that K_MM contains.
	Jitter Float `json:"jitter"`
}

// Check returns an error unless every layer has eigenvalues in descending order.
func (s *Spectrum) Check() error {
	for l, layer := range s.Layers {
		if len(layer.Log10) == 0 {
			return fmt.Errorf("layer %d has no eigenvalues", l+1)
		}
		for i, v := range layer.Log10[1:] {
			if v > layer.Log10[i] {
				return fmt.Errorf("eigenvalue %d of layer %d is larger than the one before", i+2, l+1)
			}
		}
	}
	return nil
}
