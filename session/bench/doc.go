// Package bench measures what a training step costs on this machine, before a
// long run is begun: time, arithmetic, memory traffic of the allocator, and how
// they grow with the size of the model.
//
// New turns Options, a sweep over families and sizes, into a list of cells
// and refuses what no model can be built from. Run measures cell after cell on
// synthetic data and returns a Result:
//
//	Machine    what it was measured on
//	Peak       what the machine can do: its own matrix product, before and after
//	Cell       one model: times of its steps, operations, allocations, or an error
//	Exponent   how time grows along one axis of the sweep, beside the theory
//
// The operations of a step are those that models.Size counts; nothing is
// counted here. Times come from the wall clock, so other work on the machine is
// in them; everything that is made of times is a pure function.
//
// Nothing here writes to a terminal.
package bench
