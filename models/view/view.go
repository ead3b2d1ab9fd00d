// Package view defines the views of their state that models provide: one type for each kind of
// picture, with its form in files. Drawing is left to other packages.
package view

import "reflect"

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
	MomentMatching *MomentMatching `json:"moment_matching,omitempty"`
	Maps           *Maps           `json:"maps,omitempty"`
	Weights        *Weights        `json:"weights,omitempty"`
	Chains         *Chains         `json:"chains,omitempty"`
	// Plane is computed from predictions and exists for any model with two or more inputs.
	Plane *Plane `json:"plane,omitempty"`
	// Fit is computed from predictions and exists for any model.
	Fit *Fit `json:"fit,omitempty"`
}

// Empty reports whether v contains no views.
func (v Views) Empty() bool { return len(v.parts()) == 0 }

// Check returns an error unless the parts of each view are consistent. Views read from a file can
// be inconsistent.
func (v Views) Check() error {
	for _, part := range v.parts() {
		if view, ok := part.(interface{ Check() error }); ok {
			if err := view.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// parts returns the fields that are not nil. The struct is the only list of views.
func (v Views) parts() (list []any) {
	fields := reflect.ValueOf(v)
	for i := range fields.NumField() {
		if f := fields.Field(i); !f.IsNil() {
			list = append(list, f.Interface())
		}
	}
	return list
}
