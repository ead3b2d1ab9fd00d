package bench

import (
	"os"
	"runtime"
	"strings"

	"dgplab/models"
	"dgplab/models/family"
)

// Machine describes the machine that a sweep ran on.
type Machine struct {
	// CPU is the processor's model, or its architecture if the system does not report a model.
	CPU string `json:"cpu"`
	// Cores is the number of cores that Go uses (GOMAXPROCS).
	Cores int `json:"cores"`
	// Kernels names the instruction set of the matrix products; see models.Kernels.
	Kernels string `json:"kernels"`
	// Go is the version of the Go toolchain.
	Go string `json:"go"`
}

// ThisMachine returns the machine that the program runs on.
func ThisMachine() Machine {
	m := Machine{
		CPU:     runtime.GOARCH,
		Cores:   runtime.GOMAXPROCS(0),
		Kernels: models.Kernels(),
		Go:      runtime.Version(),
	}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if name := cpuModel(string(text)); name != "" {
			m.CPU = name
		}
	}
	return m
}

// cpuModel returns the model name in the text of /proc/cpuinfo, or "".
func cpuModel(cpuinfo string) string {
	for line := range strings.Lines(cpuinfo) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return ""
}

// Peak is the peak speed of the machine in floating-point operations per second: the fastest of
// several matrix products on all cores. It is measured before and after the cells to detect other
// load on the machine.
type Peak struct {
	Before Rate `json:"peak_gflops_before"` // 0 if not measured
	After  Rate `json:"peak_gflops_after"`
	// Shape is the shape of the fastest product.
	Shape family.Shape `json:"-"`
}

// Rate is a speed in floating-point operations per second. JSON holds it in units of 1e9, and null
// for 0.
type Rate float64

// Giga returns the rate in units of 1e9 operations per second.
func (r Rate) Giga() float64 { return float64(r) / giga }

// MarshalJSON implements json.Marshaler.
func (r Rate) MarshalJSON() ([]byte, error) {
	if r <= 0 {
		return notMeasured.MarshalJSON()
	}
	return Measure(r.Giga()).MarshalJSON()
}

// steady is the largest relative difference between the two measurements of a steady peak.
const steady = 0.10

// Best returns the larger of the two measurements, to which shares refer.
func (p Peak) Best() Rate { return max(p.Before, p.After) }

// Steady reports whether the two measurements differ by at most a tenth of the larger. It returns
// true if there is only one.
func (p Peak) Steady() bool {
	return p.Before == 0 || p.After == 0 || p.Best()-min(p.Before, p.After) <= steady*p.Best()
}

// Share returns rate, in operations per second, relative to the peak. It returns 0 if either is
// unknown.
func (p Peak) Share(rate Rate) float64 {
	if p.Best() == 0 {
		return 0
	}
	return float64(rate / p.Best())
}
