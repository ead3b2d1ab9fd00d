package bench

import "golang.org/x/sys/unix"

// allowedCores returns the cores that this process may use, or nil if they are unknown.
func allowedCores() (cores []int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	for core := 0; len(cores) < set.Count(); core++ {
		if set.IsSet(core) {
			cores = append(cores, core)
		}
	}
	if len(cores) < 2 {
		return nil
	}
	return cores
}

// pin moves the calling thread to a core.
func pin(core int) {
	var set unix.CPUSet
	set.Set(core)
	_ = unix.SchedSetaffinity(0, &set) // Without it, the operating system chooses the core.
}
