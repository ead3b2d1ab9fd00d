// Package setup is the screen that configures a run: the data set, the family and the
// hyperparameters. It also shows the size of the run and the cost of a step.
//
// The form is made from the fields of the selected family. The code does not refer to families by name.
// setup.go has the state and the calls of the engine, family.go the list of families and its search, form.go
// the fields of the form, files.go and columns.go the data files, keys.go and bindings.go the keys, layout.go
// the layout, view.go and plan.go the drawing, and fetch.go the downloads.
//
// The columns page (columnspage.go) shows how the columns of a file are interpreted, and lets the user change
// that: the targets, the ignored columns, the categories, and the treatment of rows with missing cells. It
// also asks the questions that the file leaves open. Changes are saved as the targets and the column settings
// of a configuration. After every change the file is described again in the background.
package setup
