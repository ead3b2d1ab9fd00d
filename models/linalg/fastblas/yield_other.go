//go:build !linux

package fastblas

// patience is how often a goroutine that has nothing to do looks again before it
// goes to sleep: some 150 microseconds on an idle machine. Where a thread cannot be
// offered to other programs on the way, longer looking would take time from them.
const patience = 2048

// yieldThread does nothing here.
func yieldThread() {}
