// Package setup is the screen before a run: the data set, the family and every
// hyperparameter, what the run would be and what a step of it costs.
//
// The form is made from the list of fields of the chosen family; nothing here knows
// a family by name. setup.go has the state and what is asked of the engine, family.go
// the families and how one is found, form.go what the form lists, keys.go and bindings.go what keys
// do, layout.go where everything goes, view.go and plan.go how it looks, fetch.go downloads.
package setup
