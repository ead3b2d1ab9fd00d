package session

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session/memory"
	"dgplab/session/rundir"
)

const (
	// estimateFactor is the largest allowed ratio of estimated to used memory, and of used to
	// estimated memory. estimateFloor is an additional allowance for pools, reports, pictures and
	// garbage, which do not grow with the data or the model.
	estimateFactor = 1.5
	estimateFloor  = 16e6
	// estimateMost bounds the memory of the tested runs and thereby the duration of the test. Larger families
	// are tested with fewer inducing points and inputs.
	estimateMost = 300e6
)

// randomData returns n rows of random inputs and a target that depends on the first input.
func randomData(n, d int) *datasets.Dataset {
	rng := rand.New(rand.NewPCG(7, 7))
	ds := &datasets.Dataset{
		Name:    "random",
		Title:   "Random",
		X:       mat.NewDense(n, d, nil),
		Y:       mat.NewDense(n, 1, nil),
		Targets: []string{"y"},
	}
	for i := range n {
		for j := range d {
			ds.X.Set(i, j, rng.NormFloat64())
		}
		ds.Y.Set(i, 0, ds.X.At(i, 0)+0.1*rng.NormFloat64())
	}
	for j := range d {
		ds.Inputs = append(ds.Inputs, fmt.Sprint("x", j))
	}
	return ds
}

// estimatedRun returns a small run of a family with the given number of inducing points, and an
// environment with n rows of d inputs.
func estimatedRun(spec models.Spec, inducing, n, d int) (rundir.Config, environment) {
	c := rundir.Config{
		Dataset: "random",
		Family:  spec.Name,
		Split:   "interpolation:0",
		Set:     map[string]string{"steps": "2"},
	}
	small := map[string]string{"inducing": strconv.Itoa(inducing), "width": "3", "batch": "256",
		"samples": "3", "hidden_width": "16", "chains": "2",
		"kept": "50", "burn_in": "1", "thinning": "1", "leapfrog_steps": "2", "points": "600"}
	for _, h := range spec.Hyperparameters {
		if v, ok := small[h.Name]; ok && h.Validate(v) == nil {
			c.Set[h.Name] = v
		}
	}
	env := realEnvironment()
	env.Dataset = func(name string) (string, error) { return name, nil }
	env.load = func(context.Context, datasets.Source) (*datasets.Dataset, error) {
		return randomData(n, d), nil
	}
	return c, env
}

// heapPeak returns the maximum growth of the live heap in bytes while work runs. The garbage collector runs
// whenever the heap has grown by a tenth.
func heapPeak(work func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	objects := func() float64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return float64(sample[0].Value.Uint64())
	}
	runtime.GC()
	runtime.GC()
	before, peak := objects(), 0.0
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			peak = max(peak, objects())
			select {
			case <-done:
				return
			case <-time.After(100 * time.Microsecond):
			}
		}
	}()
	work()
	close(done)
	<-ended
	return peak - before
}

// previewOf returns the preview of a run.
func previewOf(t *testing.T, c rundir.Config, env environment) Preview {
	t.Helper()
	inspector := Inspector{env: &env, AllowMemory: true}
	preview, err := inspector.Inspect(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return preview
}

// rowsTaken returns n, or half of it, and so on, until the family accepts as many training points.
func rowsTaken(t *testing.T, spec models.Spec, n, d int) int {
	t.Helper()
	for ; n > 1; n /= 2 {
		c, env := estimatedRun(spec, 8, n, d)
		inspector := Inspector{env: &env, AllowMemory: true}
		if _, err := inspector.Inspect(context.Background(), c); err == nil {
			return n
		}
	}
	t.Fatal("the family accepts no data")
	return 0
}

// For all families, the estimated memory is close to the memory used on wide, long and tiny data.
func TestMemoryEstimates(t *testing.T) {
	if testing.Short() {
		t.Skip("eighty runs")
	}
	every := sampled(20)
	number := 0
	for _, shape := range []struct {
		name string
		n, d int
	}{{"wide", 40, 1000}, {"long", 1200, 3}, {"tiny", 20, 2}} {
		for _, spec := range models.Families() {
			number++
			if number%every != 0 {
				continue
			}
			t.Run(shape.name+"/"+spec.Name, func(t *testing.T) {
				t.Setenv("DGPLAB_RUNS", t.TempDir())
				n := rowsTaken(t, spec, shape.n, shape.d)
				c, env := estimatedRun(spec, 32, n, shape.d)
				preview := previewOf(t, c, env)
				for d := shape.d; preview.MemoryBytes > estimateMost && d > 1; d /= 2 {
					c, env = estimatedRun(spec, 8, n, d)
					preview = previewOf(t, c, env)
				}
				peak := heapPeak(func() {
					r, err := Start(context.Background(), c, withEnvironment(env))
					if err != nil {
						t.Fatal(err)
					}
					if s := r.Wait(); s.Stop == rundir.StopFailed {
						t.Error(s.Err)
					}
				})
				estimate := preview.MemoryBytes
				t.Logf("estimated %.1f MB, used %.1f MB: %.2f",
					estimate/1e6, peak/1e6, estimate/peak)
				if estimate > estimateFactor*peak+estimateFloor ||
					peak > estimateFactor*estimate+estimateFloor {
					t.Errorf("estimated %.1f MB, used %.1f MB", estimate/1e6, peak/1e6)
				}
			})
		}
	}
}

// A run that does not fit is refused before it allocates memory.
func TestOutOfMemoryRunIsNotAllocated(t *testing.T) {
	const n, d = 12, 20000
	const free = 60e6 // bytes; the data take 15e6
	for _, spec := range sampledFamilies() {
		t.Run(spec.Name, func(t *testing.T) {
			t.Setenv("DGPLAB_RUNS", t.TempDir())
			c, env := estimatedRun(spec, 32, n, d)
			env.memory = memory.NewLedger(func() float64 { return free })
			peak := heapPeak(func() {
				r, err := Start(context.Background(), c, withEnvironment(env))
				if err != nil {
					t.Fatal(err)
				}
				s := r.Wait()
				if s.Stop != rundir.StopFailed ||
					!strings.Contains(s.Err.Error(), "of memory; 0.1 GB are available") {
					t.Errorf("%s: %v", s.Stop, s.Err)
				}
			})
			if peak > free {
				t.Errorf("%.1f MB were allocated", peak/1e6)
			}
		})
	}
}
