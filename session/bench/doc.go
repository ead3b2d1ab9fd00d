// Package bench measures what a training step costs on this machine, before a
// long run is begun: time, arithmetic, memory traffic of the allocator, and how
// they grow with the size of the model.
//
// New turns Options, a sweep over families and values of their hyperparameters,
// into a list of cells and refuses what no model can be built from. A family is
// asked what it has: without inducing points, batches, layers or counted operations
// it is one like any other, and takes no part in what it lacks. Run measures cell after cell on
// synthetic data and returns a Result:
//
//	Machine    what it was measured on
//	Peak       what the machine can do: its own matrix product, before and after
//	Cell       one model: times of its steps, operations, allocations, or an error
//	Exponent   how time grows along one axis of the sweep, beside the theory that
//	           family.Spec.Scaling declares
//
// The operations of a step are those that family.Size counts; nothing is
// counted here. Times come from the wall clock, so other work on the machine is
// in them; everything that is made of times is a pure function.
//
// Nothing here writes to a terminal.
package bench
