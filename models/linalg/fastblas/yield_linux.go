package fastblas

import "syscall"

// maxPolls is the number of times that an idle goroutine polls before it sleeps. This takes more
// than a millisecond on an idle machine, longer than most serial sections of a training step. Other
// programs lose no time, since polling also offers them the thread.
const maxPolls = 16384

// yieldThread lets another thread run that waits for this processor. The call returns at once if
// there is none, so the Go scheduler need not be informed.
func yieldThread() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
