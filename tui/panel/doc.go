// Package panel draws what the dashboard says about several runs at once: a table
// to compare them by, the direct comparison of two methods on their test points,
// pictures of calibration, and the health of the arithmetic.
//
//	Table(th, runs, sort, w, h)               a row for each run
//	Direct(th, runs, evaluate, w, h)          A against B, point by point
//	ErrorVariance, VarianceDistance, PIT, Coverage(th, runs, target, w, h)
//	Health(th, runs, top, w, h)               may be longer than h: it scrolls
//
// All are pure functions of runs to exactly h lines of exactly w cells (none when w
// or h is below one), and none of them waits, reads a file or keeps anything. With
// 20,000 test points in each of four runs the direct comparison and the scatters take
// about 20 ms, all else much less. A screen should keep those until the size, what
// was asked for, or one of Predictions, TestStep, State, Index, Label and Chosen of a
// run changes: nothing else in a snapshot has a part in them.
//
// Nothing is claimed that was not measured: "-" stands for what was not, "~" marks
// what is still moving, and runs on other data are never compared. Runs without a
// snapshot, or one that has nothing yet, are shown as waiting.
package panel

import "dgplab/session"

// Run is one run as the dashboard shows it.
type Run struct {
	// Snapshot is nil until there is one.
	Snapshot *session.Snapshot
	// Index picks colour and marker, see canvas.Style.RunColor.
	Index int
	// Label is what a person calls the run; short, since panels cut it.
	Label string
	// Chosen is the run that details are about: at most one is; without any it is
	// the first.
	Chosen bool
}
