//go:build !linux

package rundir

// system returns an identifier of the boot of this machine, which is not known on this system.
func system() string { return "" }

// processStart returns "", because processes cannot be looked up on this system.
func processStart(int) (started string, running bool) { return "", true }
