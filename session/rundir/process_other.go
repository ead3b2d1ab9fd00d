//go:build !linux

package rundir

// system returns "", because the boot of this machine cannot be identified on this system.
func system() string { return "" }

// processStart returns "" and true, because processes cannot be looked up on this system.
func processStart(int) (started string, running bool) { return "", true }
