package memory

import (
	"math"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// free returns the bytes that this process can still allocate without swapping: the minimum of
// MemAvailable, the memory left in its control groups (a container, a batch job) and the remainder
// of its address-space limit (ulimit -v).
func free() float64 {
	return min(memAvailable(read("/proc/meminfo")),
		cgroupsFree(read, read("/proc/self/cgroup")), addressSpace())
}

// resident returns the resident set size of this process in bytes.
func resident() float64 {
	_, pages := statm(read("/proc/self/statm"))
	return pages * float64(os.Getpagesize())
}

// addressSpace returns the bytes left under the address-space limit, or +Inf if there is no limit.
func addressSpace() float64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return math.Inf(1)
	}
	mapped, _ := statm(read("/proc/self/statm"))
	return float64(limit.Cur) - mapped*float64(os.Getpagesize())
}

// read returns the content of a file, or "" if it cannot be read.
func read(elements ...string) string {
	text, _ := os.ReadFile(path.Join(elements...))
	return string(text)
}
