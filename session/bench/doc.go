// Package bench measures the cost of a training step on this machine: time, floating-point
// operations and heap allocations, and how they scale with the size of the model.
//
// New turns Options, a sweep over families and hyperparameter values, into a list of cells. It rejects
// options from which no model can be built. Families without inducing points, batches, layers or operation
// counts are allowed; they are not varied along the axes that they lack. Run measures the cells on synthetic
// data and returns a Result:
//
//	Machine    the machine that was measured
//	Peak       the speed of a matrix product on all cores, before and after the cells
//	Cell       one model: step times, operations, allocations, or an error
//	Exponent   the growth of the time along one axis of the sweep, and the theoretical
//	           exponent declared by family.Spec.Scaling
//
// Operation counts come from family.Size. Times are wall-clock times, so they include the effect of other
// processes. Statistics are pure functions of the times.
//
// The package does not write to the terminal.
package bench
