package memory

import "runtime/debug"

// Trim frees unused memory if the process holds many numbers, and limits later garbage to a tenth of the
// used memory. By default, garbage can take as much memory as large data themselves.
func Trim(numbers int) {
	const many, percent = 1 << 21, 10
	if numbers > many {
		debug.SetGCPercent(percent)
		debug.FreeOSMemory()
	}
}
