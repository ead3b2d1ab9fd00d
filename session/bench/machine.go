package bench

import (
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"

	"dgplab/models"
)

// Machine is what a sweep was measured on.
type Machine struct {
	// CPU is the processor's model, or its architecture where the system does not
	// tell the model.
	CPU string
	// Cores is how many of them Go uses (GOMAXPROCS).
	Cores int
	// Kernels names the instructions of the matrix products; see models.Kernels.
	Kernels string
	// Go is the version of the compiler.
	Go string
}

// ThisMachine returns the one that the program runs on.
func ThisMachine() Machine {
	m := Machine{CPU: runtime.GOARCH, Cores: runtime.GOMAXPROCS(0), Kernels: models.Kernels(), Go: runtime.Version()}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if name := cpuModel(string(text)); name != "" {
			m.CPU = name
		}
	}
	return m
}

// cpuModel returns the model name in the text of /proc/cpuinfo, "" if it has none.
func cpuModel(cpuinfo string) string {
	for line := range strings.Lines(cpuinfo) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return ""
}

// availableMemory returns the bytes that can be had without swapping: what the
// system says is available, at most the limit of the control group (a
// container). It is +Inf where neither can be found out.
func availableMemory() float64 {
	available := math.Inf(1)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		available = memAvailable(string(text))
	}
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(name); err == nil {
			if limit, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err == nil {
				available = min(available, limit)
			}
		}
	}
	return available
}

// memAvailable returns the bytes of MemAvailable in the text of /proc/meminfo,
// +Inf if it is not there.
func memAvailable(meminfo string) float64 {
	for line := range strings.Lines(meminfo) {
		fields := strings.Fields(line)
		if len(fields) >= 2 && fields[0] == "MemAvailable:" {
			if kilobytes, err := strconv.ParseFloat(fields[1], 64); err == nil {
				return kilobytes * 1024
			}
		}
	}
	return math.Inf(1)
}
