// Package view is what a model shows of itself: data, one type for each kind of
// picture, with the form that they have in files. It draws nothing.
package view

// Views is what a model shows at one step. A part that is nil is one that the
// model does not have; a picture is there where its part is.
type Views struct {
	Blocks    *Blocks    `json:"blocks,omitempty"`
	Units     []Units    `json:"units,omitempty"` // of each layer
	Functions *Functions `json:"functions,omitempty"`
	Matrices  *Matrices  `json:"matrices,omitempty"`
}

// Empty says whether there is nothing to see.
func (v Views) Empty() bool {
	return v.Blocks == nil && v.Units == nil && v.Functions == nil && v.Matrices == nil
}
