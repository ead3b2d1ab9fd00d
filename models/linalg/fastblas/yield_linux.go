package fastblas

import (
	"syscall"
	"time"
)

// patience is the time for which an idle goroutine polls before it sleeps. It is longer than most
// serial sections of a training step. Other programs lose no time, because polling also yields the
// thread to them.
const patience = 1500 * time.Microsecond

// yieldThread yields to another thread that waits for this processor. The call returns at once if
// there is none, so the Go scheduler need not be informed.
func yieldThread() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
