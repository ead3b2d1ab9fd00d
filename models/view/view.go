// Package view defines the data of the views that models provide of themselves, one type for each
// kind of picture, with their form in files. It does no drawing.
package view

// Views holds the views of a model at one step. A view that the model does not provide is nil.
type Views struct {
	Blocks         *Blocks         `json:"blocks,omitempty"`
	Units          []Units         `json:"units,omitempty"` // one entry per layer
	Functions      *Functions      `json:"functions,omitempty"`
	Matrices       *Matrices       `json:"matrices,omitempty"`
	Amortization   *Amortization   `json:"amortization,omitempty"`
	Quadrature     *Quadrature     `json:"quadrature,omitempty"`
	Prior          *Prior          `json:"prior,omitempty"`
	Network        *Network        `json:"network,omitempty"`
	MomentMatching *MomentMatching `json:"passage,omitempty"`
	Maps           *Maps           `json:"maps,omitempty"`
	Weights        *Weights        `json:"weights,omitempty"`
	Chains         *Chains         `json:"chains,omitempty"`
	// Plane is computed from predictions, so any model with two inputs provides it.
	Plane *Plane `json:"plane,omitempty"`
	// Fit is computed from predictions, so any model provides it.
	Fit *Fit `json:"fit,omitempty"`
}

// Empty reports whether there are no views.
func (v Views) Empty() bool {
	return v.Units == nil && v.Blocks == nil && v.Functions == nil && v.Matrices == nil &&
		v.Amortization == nil && v.Quadrature == nil && v.Prior == nil && v.Network == nil &&
		v.MomentMatching == nil && v.Maps == nil && v.Weights == nil && v.Chains == nil &&
		v.Plane == nil && v.Fit == nil
}

// Check returns an error unless the parts of each view fit together. Views read from a file may be
// inconsistent.
func (v Views) Check() error {
	for _, check := range []struct {
		there bool
		fits  func() error
	}{
		{v.Blocks != nil, v.Blocks.Check}, {v.Functions != nil, v.Functions.Check},
		{v.Amortization != nil, v.Amortization.Check},
		{v.Quadrature != nil, v.Quadrature.Check}, {v.Prior != nil, v.Prior.Check},
		{v.Network != nil, v.Network.Check}, {v.MomentMatching != nil, v.MomentMatching.Check},
		{v.Maps != nil, v.Maps.Check}, {v.Weights != nil, v.Weights.Check}, {v.Chains != nil, v.Chains.Check},
		{v.Plane != nil, v.Plane.Check}, {v.Fit != nil, v.Fit.Check},
	} {
		if !check.there {
			continue
		}
		if err := check.fits(); err != nil {
			return err
		}
	}
	return nil
}
