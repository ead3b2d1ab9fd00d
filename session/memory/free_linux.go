package memory

import (
	"math"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// free returns the bytes that can still be had without swapping: what the system has
// available, what the control groups of this process (a container, a batch job)
// leave, and what is left of its address space (ulimit -v).
func free() float64 {
	return min(available(read("/proc/meminfo")), groupsLeave(read, read("/proc/self/cgroup")), addressSpace())
}

// resident returns the bytes that this process has in memory.
func resident() float64 {
	_, pages := statm(read("/proc/self/statm"))
	return pages * float64(os.Getpagesize())
}

func addressSpace() float64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return math.Inf(1)
	}
	mapped, _ := statm(read("/proc/self/statm"))
	return float64(limit.Cur) - mapped*float64(os.Getpagesize())
}

// read returns the text of a file, "" if there is none.
func read(elements ...string) string {
	text, _ := os.ReadFile(path.Join(elements...))
	return string(text)
}
