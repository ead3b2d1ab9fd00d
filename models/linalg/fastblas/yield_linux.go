package fastblas

import "syscall"

// maxPolls is the number of times that an idle goroutine polls before it sleeps. On an idle machine
// this takes more than a millisecond, longer than most serial sections of a training step. Other
// programs lose no time, because polling also yields the thread to them.
const maxPolls = 16384

// yieldThread yields to another thread that waits for this processor. The call returns at once if
// there is none, so the Go scheduler need not be informed.
func yieldThread() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
