// Package config provides the configurations of runs: their fields, presets and the settings of the
// training that all families share.
//
// A rundir.Config stores only the values that a user chose. Resolve validates it and adds the
// defaults. Fields and Hyperparameters describe all fields; forms, flags and pages are generated
// from them. Fork derives a configuration from an existing run, and Differences compares the
// configurations of several runs.
package config
