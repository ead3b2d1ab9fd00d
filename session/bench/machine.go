package bench

import (
	"os"
	"runtime"
	"strings"

	"dgplab/models"
)

// Machine is what a sweep was measured on.
type Machine struct {
	// CPU is the processor's model, or its architecture where the system does not
	// tell the model.
	CPU string `json:"cpu"`
	// Cores is how many of them Go uses (GOMAXPROCS).
	Cores int `json:"cores"`
	// Kernels names the instructions of the matrix products; see models.Kernels.
	Kernels string `json:"kernels"`
	// Go is the version of the compiler.
	Go string `json:"go"`
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
