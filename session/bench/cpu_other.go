//go:build !unix

package bench

import "math"

// processorTime returns NaN: it is not measured on this system.
func processorTime() float64 { return math.NaN() }
