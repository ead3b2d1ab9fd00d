package bench

import (
	"context"
	"math"
	"runtime"
	"testing"
	"time"

	"dgplab/models"
	"dgplab/models/family"
)

// The floor is the sum of the times of products and of elementwise operations, at rates that are measured
// once.
func TestFloor(t *testing.T) {
	m := fakeMeter(time.Second)
	shape := family.Shape{Rows: 3, Inner: 4, Cols: 5}
	m.rates = map[family.Shape]Rate{shape: 10, {}: 2}
	for _, c := range []struct {
		size models.Size
		want float64
	}{
		{models.Size{}, math.NaN()},
		{models.Size{StepFLOPs: 30}, 15},
		{models.Size{StepFLOPs: 30, Shape: shape}, 3},
		{models.Size{StepFLOPs: 30, Shape: shape, Elementwise: 10}, 7},
	} {
		got := m.floor(context.Background(), c.size)
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("floor %v of %+v; want %v", got, c.size, c.want)
		}
	}
}

// Each clock reading of the meter takes a second, so that a rate is the number of operations that are timed
// together.
func TestRates(t *testing.T) {
	m := fakeMeter(time.Second)
	ctx, cancel := context.WithCancel(context.Background())
	cores := runtime.GOMAXPROCS(0)
	shape := family.Shape{Rows: 100, Inner: 50, Cols: 20}
	if got, want := m.rateOf(ctx, shape), Rate(cores*2*100*50*20); got != want {
		t.Errorf("rate %v of products; want %v", got, want)
	}
	if got, want := m.rateOf(ctx, family.Shape{}), Rate(cores*2*1024*64); got != want {
		t.Errorf("rate %v of elementwise operations; want %v", got, want)
	}
	large := family.Shape{Rows: 2048, Inner: 2048, Cols: 4096}
	if got, want := within(large), (family.Shape{Rows: 256, Inner: 256, Cols: 128}); got != want {
		t.Errorf("%+v within the limit is %+v; want %+v", large, got, want)
	}
	cancel()
	if got := m.rateOf(ctx, family.Shape{Rows: 1, Inner: 1, Cols: 1}); !math.IsNaN(float64(got)) {
		t.Errorf("rate %v although the context is done", got)
	}
}

// After the end of the context, no product is calculated: on a busy machine each takes seconds.
func TestInterruptedRate(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := &meter{now: time.Now}
	if rate := m.rate(ctx, 1, 1, func() { t.Error("a product is calculated") }); rate != 0 {
		t.Errorf("the rate is %v, want 0", rate)
	}
}

func TestMeasureTrips(t *testing.T) {
	trips := measureTrips(context.Background())
	if runtime.GOMAXPROCS(0) < 2 {
		if trips.Near.Known() || trips.Far.Known() {
			t.Errorf("%+v with one core", trips)
		}
		return
	}
	if !(trips.Near > 0 && trips.Far >= trips.Near) {
		t.Errorf("got %+v", trips)
	}
}

// All measures every family but the baseline. Families that factorise N x N matrices have few rows.
func TestAll(t *testing.T) {
	p := mustBenchmark(t, All())
	if p.Len() != len(models.Families())-1 {
		t.Fatalf("%d cells", p.Len())
	}
	for _, j := range p.jobs {
		if j.err != nil {
			t.Errorf("%s: %v", j.Setting, j.err)
		}
		if want := map[bool]int{true: 256, false: 2048}[fewRows[j.spec.Name] > 0]; j.rows != want {
			t.Errorf("%s: %d rows; want %d", j.Setting, j.rows, want)
		}
		if !(j.size.StepFLOPs > 0) || j.size.Elementwise > j.size.StepFLOPs {
			t.Errorf("%s: %+v", j.Setting, j.size)
		}
	}
}
