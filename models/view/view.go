// Package view is what a model shows of itself: data, one type for each kind of
// picture, with the form that they have in files. It draws nothing.
package view

// Views is what a model shows at one step. A part that is nil is one that the
// model does not have; a picture is there where its part is.
type Views struct {
	Blocks       *Blocks       `json:"blocks,omitempty"`
	Units        []Units       `json:"units,omitempty"` // of each layer
	Functions    *Functions    `json:"functions,omitempty"`
	Matrices     *Matrices     `json:"matrices,omitempty"`
	Amortization *Amortization `json:"amortization,omitempty"`
	Quadrature   *Quadrature   `json:"quadrature,omitempty"`
	Prior        *Prior        `json:"prior,omitempty"`
	Network      *Network      `json:"network,omitempty"`
	Passage      *Passage      `json:"passage,omitempty"`
	Maps         *Maps         `json:"maps,omitempty"`
	Weights      *Weights      `json:"weights,omitempty"`
	Chains       *Chains       `json:"chains,omitempty"`
	// Plane follows from predictions alone, so that any model of two inputs has it.
	Plane *Plane `json:"plane,omitempty"`
	// Fit follows from predictions, so that any model has it.
	Fit *Fit `json:"fit,omitempty"`
}

// Empty says whether there is nothing to see.
func (v Views) Empty() bool {
	return v.Units == nil && v.Blocks == nil && v.Functions == nil && v.Matrices == nil &&
		v.Amortization == nil && v.Quadrature == nil && v.Prior == nil && v.Network == nil &&
		v.Passage == nil && v.Maps == nil && v.Weights == nil && v.Chains == nil &&
		v.Plane == nil && v.Fit == nil
}

// Check returns an error unless the parts of each view fit together, as those that
// are read from a file may not.
func (v Views) Check() error {
	for _, check := range []struct {
		there bool
		fits  func() error
	}{
		{v.Blocks != nil, v.Blocks.Check}, {v.Functions != nil, v.Functions.Check},
		{v.Amortization != nil, v.Amortization.Check},
		{v.Quadrature != nil, v.Quadrature.Check}, {v.Prior != nil, v.Prior.Check},
		{v.Network != nil, v.Network.Check}, {v.Passage != nil, v.Passage.Check},
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
