// Package form is the form of a configuration, used by the set-up screen, the fork form and the
// sweep form. Its fields are grouped in sections; each section shows the most important fields and
// folds the others away, unless there is room for them.
//
// A field has a base value, which can be restored: its default, the value of a preset, or the value
// of the run that is forked. Values that differ from the base are marked, and are kept while other
// fields are listed, for example the fields of another family. Fields that have no effect because
// of the value of another field are hidden.
//
// field.go defines a field, form.go the state, rows.go the visible rows, keys.go the actions, and
// view.go the drawing.
package form
