//go:build !linux

package fastblas

// maxPolls is the number of times that an idle goroutine polls before it sleeps, about 150
// microseconds on an idle machine. On these systems the thread cannot be yielded to other programs,
// so longer polling would take time from them.
const maxPolls = 2048

// yieldThread does nothing on this system.
func yieldThread() {}
