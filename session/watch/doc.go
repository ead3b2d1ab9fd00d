// Package watch raises alarms about runs and decides when to stop a run early.
//
// A Watcher derives alarms from report lines and diagnostics. EarlyStopper and Overfits are the
// rules for stopping. All state depends on the recorded lines only: a resumed or recorded run gets
// the same alarms and decisions. Trends are measured by package drift, which package rundir also
// stores and which therefore stays separate.
package watch
