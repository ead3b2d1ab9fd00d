// Package form is the form of a configuration, used by the set-up screen, the fork form and the sweep form.
// Its fields are grouped into sections. Each section shows its most important fields and folds the others
// away unless there is room for them.
//
// A field has a base value that can be restored: its default, the value of a preset, or the value in the run
// that is forked. Values that differ from the base are marked. They are kept while other fields are listed,
// such as the fields of another family. Fields without effect, because of the value of another field, are
// hidden.
//
// field.go defines a field, form.go the state, rows.go the visible rows, keys.go the actions, and
// view.go the drawing.
package form
