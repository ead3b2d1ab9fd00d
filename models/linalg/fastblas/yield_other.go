//go:build !linux

package fastblas

import "time"

// patience is the time for which an idle goroutine polls before it sleeps. On these systems the
// thread cannot be yielded to other programs, so longer polling would take time from them.
const patience = 150 * time.Microsecond

// yieldThread does nothing on this system.
func yieldThread() {}
