//go:build unix

package bench

import (
	"math"

	"golang.org/x/sys/unix"
)

// processorTime returns the user and system time of this process in seconds, or NaN if it is unknown.
func processorTime() float64 {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return math.NaN()
	}
	seconds := func(t unix.Timeval) float64 { return float64(t.Nano()) / 1e9 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}
