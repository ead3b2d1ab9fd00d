package dgp

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/view"
)

// spectrum returns the eigenvalues of K_MM of each layer. The posterior must be up to date.
func (p *posterior) spectrum() (*view.Spectrum, error) {
	s := &view.Spectrum{}
	for l := range p.layers {
		m := p.inducing[l]
		root := mat.NewTriDense(m, mat.Lower, p.layers[l].root.Value)
		var k mat.SymDense
		k.SymOuterK(1, root)
		var eigen mat.EigenSym
		if !eigen.Factorize(&k, false) {
			return nil, errors.New("the eigenvalues of K_MM do not converge")
		}
		values := eigen.Values(nil) // in ascending order
		largest := values[m-1]
		layer := view.LayerSpectrum{Jitter: view.Float(math.Log10(p.arch.Jitter / largest))}
		for i := m - 1; i >= 0; i-- {
			// Rounding can make eigenvalues below the precision negative.
			least := largest * 0x1p-52
			layer.Log10 = append(layer.Log10, math.Log10(max(values[i], least)/largest))
		}
		s.Layers = append(s.Layers, layer)
	}
	return s, nil
}
