package bench

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

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

// cpuModel returns the model name in the text of /proc/cpuinfo, "" if it has none.
func cpuModel(cpuinfo string) string {
	for line := range strings.Lines(cpuinfo) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return ""
}

// Peak is what the machine can do, in floating-point operations a second: its
// own matrix product, on all cores, the best of several. A second figure, taken
// after the cells, tells whether something else used the machine meanwhile.
type Peak struct {
	Before Rate `json:"peak_gflops_before"` // 0 when not measured
	After  Rate `json:"peak_gflops_after"`
}

// Rate is floating-point operations a second; JSON has billions of them, null for 0.
type Rate float64

// Giga returns the billions of operations a second.
func (r Rate) Giga() float64 { return float64(r) / giga }

// MarshalJSON implements json.Marshaler.
func (r Rate) MarshalJSON() ([]byte, error) {
	if r <= 0 {
		return nothing.MarshalJSON()
	}
	return Measure(r.Giga()).MarshalJSON()
}

// steady is the largest relative difference of two measurements of one peak.
const steady = 0.10

// Best returns the larger figure, to which shares refer.
func (p Peak) Best() Rate { return max(p.Before, p.After) }

// Steady says whether the two figures differ by at most a tenth of the larger.
// It is true when there is only one.
func (p Peak) Steady() bool {
	return p.Before == 0 || p.After == 0 || p.Best()-min(p.Before, p.After) <= steady*p.Best()
}

// Share returns rate, in operations a second, as a part of the peak; 0 when
// either is not known.
func (p Peak) Share(rate Rate) float64 {
	if p.Best() == 0 {
		return 0
	}
	return float64(rate / p.Best())
}

// PeakSide is the side of the square matrices whose product is the peak.
const PeakSide = 1024

const (
	leastProducts = 3
	peakSeconds   = 1 // or as long as a cell, if that is shorter
)

// product times products of two square matrices, side x side, and returns the
// operations a second of the fastest. It ends when ctx does; it returns 0 when
// nothing was measured until then.
func (m *meter) product(ctx context.Context, side int, seconds float64) Rate {
	stream := rand.New(rand.NewPCG(seed, 0))
	a := square(side)
	b := square(side)
	c := square(side)
	for i := range a.Data {
		a.Data[i] = stream.NormFloat64()
		b.Data[i] = stream.NormFloat64()
	}
	multiply := func() { blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c) }
	multiply() // Warms up caches, workers and the clock rate.
	var best float64
	start := m.now()
	for n, last := 0, start; ctx.Err() == nil &&
		(n < leastProducts || last.Sub(start).Seconds() < seconds); n++ {
		multiply()
		now := m.now()
		if took := now.Sub(last).Seconds(); took > 0 {
			best = max(best, 2*float64(side)*float64(side)*float64(side)/took)
		}
		last = now
	}
	return Rate(best)
}

func square(side int) blas64.General {
	return blas64.General{Rows: side, Cols: side, Stride: side, Data: make([]float64, side*side)}
}
