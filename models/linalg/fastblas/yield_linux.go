package fastblas

import "syscall"

// patience is how often a goroutine that has nothing to do looks again before it
// goes to sleep: somewhat more than a millisecond on an idle machine, longer than
// most of what a training step does on one goroutine. It costs other programs
// nothing, since they are offered the thread on the way.
const patience = 16384

// yieldThread lets another thread run that waits for this processor. The call
// returns at once when there is none, so the scheduler of Go need not know of it.
func yieldThread() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
