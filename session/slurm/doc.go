// Package slurm submits work to the Slurm workload manager and queries its state.
//
// It calls the programs sbatch, squeue, scontrol and scancel, which must be on the PATH. Every
// call has a deadline, because the programs wait for a controller that is down. Only stable text
// formats are parsed: the JSON output differs between versions of Slurm.
//
// Slurm says which tasks are pending or running. It forgets finished tasks after minutes, and many
// sites have no accounting, so it cannot say which work is done.
package slurm
