//go:build !linux

package bench

// allowedCores returns nil: threads cannot be pinned.
func allowedCores() []int { return nil }

// pin does nothing.
func pin(int) {}
