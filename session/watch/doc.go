// Package watch raises alarms about runs and decides when to stop a run early.
//
// A Watcher derives alarms from report lines and diagnostics. Drift measures how fast the validation
// log-likelihood, the objective and the noise variance still change over the last fifth of the steps,
// with standard errors that allow for autocorrelation, and detects a fall of the validation
// log-likelihood below its best level. EarlyStopper, Overfits and Drift.Converged are the rules for
// stopping. All state depends on the recorded lines only: a resumed or recorded run gets the same
// alarms and decisions.
package watch
