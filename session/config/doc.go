// Package config provides the configurations of runs: their fields, presets and the settings of the
// training that all families share.
//
// A rundir.Config stores only the values that a user chose. Resolve validates it and adds the defaults. Once
// the data are known, AdaptToData adapts defaults to them and AdaptToSteps shortens a run to its time budget;
// run directories record both. Fields and Hyperparameters describe all fields; forms, flags and pages are
// generated from them. Fork derives a configuration from an existing run, and Differences compares the
// configurations of several runs.
package config
