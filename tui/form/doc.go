// Package form is the form of a configuration, as the set-up of a run, a fork and a
// grid of runs have it: fields in sections, of which those that people change first
// are shown and the others folded away.
//
// A field has a base that can be put back: its default, or the value of a preset, or
// that of the run that is forked. What differs from it is marked, and remembered
// when other fields are listed, for example those of another family. What has no
// effect beside the value of another field is not shown.
//
// field.go has a field, form.go the state, rows.go what is shown, keys.go what keys
// do, view.go how it looks.
package form
