package bench

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Trips holds the times of a round trip of a cache line between two cores in nanoseconds: the shortest and
// the longest over the pairs of the first core with the others. They are NaN if there is only one core.
type Trips struct {
	Near Measure `json:"round_trip_near_ns"`
	Far  Measure `json:"round_trip_far_ns"`
}

const (
	tripCores   = 16   // maximum number of cores that are measured
	tripCount   = 2000 // round trips that are timed together
	tripSeconds = 0.1  // for each pair of cores
)

// measureTrips measures the round trips. Where threads cannot be pinned to cores, it measures a single pair
// of goroutines, which run on two cores chosen by the operating system.
func measureTrips(ctx context.Context) Trips {
	trips := Trips{notMeasured, notMeasured}
	if runtime.GOMAXPROCS(0) < 2 {
		return trips
	}
	cores := allowedCores()
	others := 1
	if cores != nil {
		others = min(len(cores), tripCores) - 1
	}
	for i := range others {
		var a, b func()
		if cores != nil {
			a = func() { pin(cores[0]) }
			b = func() { pin(cores[i+1]) }
		}
		took := roundTrip(ctx, a, b)
		if !trips.Near.Known() || took < trips.Near {
			trips.Near = took
		}
		if !trips.Far.Known() || took > trips.Far {
			trips.Far = took
		}
	}
	return trips
}

// roundTrip returns the shortest time of a round trip between two spinning goroutines, after they called a
// and b, which may be nil. Each runs on its own thread, which ends with it.
func roundTrip(ctx context.Context, a, b func()) Measure {
	var ball atomic.Int64 // odd: on its way to the second goroutine; negative: done
	var ready, done sync.WaitGroup
	ready.Add(2)
	play := func(prepare, do func()) {
		runtime.LockOSThread()
		if prepare != nil {
			prepare()
		}
		ready.Done()
		ready.Wait()
		do()
	}
	done.Go(func() {
		play(b, func() {
			for {
				v := ball.Load()
				switch {
				case v < 0:
					return
				case v%2 == 1:
					ball.Store(v + 1)
				}
			}
		})
	})
	best := notMeasured
	done.Go(func() {
		play(a, func() {
			defer ball.Store(-1)
			start := time.Now()
			for time.Since(start).Seconds() < tripSeconds && ctx.Err() == nil {
				first := time.Now()
				for range tripCount {
					next := ball.Load() + 1
					ball.Store(next)
					for ball.Load() == next {
					}
				}
				took := Measure(time.Since(first).Nanoseconds()) / tripCount
				if !best.Known() || took < best {
					best = took
				}
			}
		})
	})
	done.Wait()
	return best
}
