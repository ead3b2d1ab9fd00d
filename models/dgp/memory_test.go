package dgp

import (
	"context"
	"runtime"
	"testing"

	"dgplab/models/family"
)

// TestMemoryIsThatOfTheModel compares the estimate, which is of a peak of the resident memory,
// with what lies on both sides of the peak on the heap: what is kept, and all that was ever
// allocated. The collector may let the heap grow to twice that.
func TestMemoryIsThatOfTheModel(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"svgp":          {"inducing": "256", "batch": "256"},
		"mean-field":    {"inducing": "64", "layers": "3", "width": "4", "batch": "64", "samples": "2"},
		"star":          {"inducing": "48", "layers": "4", "width": "3", "batch": "128", "samples": "2"},
		"fully-coupled": {"inducing": "48", "layers": "3", "width": "4", "batch": "64", "samples": "2"},
		"sghmc":         {"inducing": "64", "layers": "3", "width": "4", "batch": "64", "samples": "2", "chains": "2"},
	} {
		t.Run(name, func(t *testing.T) {
			data := wave(300)
			before, allocatedBefore := heap()
			m := buildAny(t, name, data, set)
			if _, err := m.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Predict(wave(40).X, 100, 1); err != nil {
				t.Fatal(err)
			}
			kept, allocated := heap()
			kept, allocated = kept-before, allocated-allocatedBefore
			estimate := sizeOf(t, name, data, set).Memory
			if estimate < kept/2 || estimate > 2*allocated {
				t.Errorf("%.1f MB are estimated, %.1f MB are kept of %.1f MB", estimate/1e6, kept/1e6, allocated/1e6)
			}
			runtime.KeepAlive(m)
		})
	}
}

// heap returns the bytes that are in use, and those that were ever allocated.
func heap() (used, allocated float64) {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc), float64(stats.TotalAlloc)
}

// sizeOf returns what the named family says of a model before it is built.
func sizeOf(t *testing.T, name string, data family.Data, set map[string]string) family.Size {
	t.Helper()
	for _, spec := range Families() {
		if spec.Name != name {
			continue
		}
		values, err := family.Resolve(spec.Hyperparameters, set)
		if err != nil {
			t.Fatal(err)
		}
		n, d := data.X.Dims()
		size, err := spec.Size(values, n, d, 1)
		if err != nil {
			t.Fatal(err)
		}
		return size
	}
	t.Fatalf("no family %s", name)
	return family.Size{}
}

func TestTheLargestModelTakesTerabytes(t *testing.T) {
	set := map[string]string{"layers": "10", "width": "64", "inducing": "4096"}
	if got := sizeOf(t, "star", wave(5000), set).Memory; got < 1e12 {
		t.Errorf("%v bytes", got)
	}
}
