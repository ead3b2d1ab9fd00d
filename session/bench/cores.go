package bench

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"dgplab/models/linalg"
)

// OnCores is the time of a step on a number of cores in milliseconds.
type OnCores struct {
	Cores int `json:"cores"`
	// Median is measured. It is NaN if this machine has fewer cores.
	Median Measure `json:"ms_median"`
	// Predicted follows from a step on one core; see Prediction.
	Predicted Measure `json:"ms_predicted"`
}

// Best returns the measured time, or the predicted one if there is none.
func (c OnCores) Best() Measure {
	if c.Median.Known() {
		return c.Median
	}
	return c.Predicted
}

// Fastest returns the entry with the shortest time, as runs find it by trial in their first steps.
func Fastest(list []OnCores) OnCores {
	return slices.MinFunc(list, func(a, b OnCores) int { return cmp.Compare(a.Best(), b.Best()) })
}

// Prediction predicts the time of a step on several cores from a step on one core: what is outside of
// parallel loops and products takes as long, and their independent parts are divided among the cores as they
// would be there. Each loop also costs the time in which cores hand over work. Caches and memory are taken to
// be as fast as with one core, and so is the clock.
type Prediction struct {
	Step linalg.Span
	// HandOver is the time in seconds that a loop costs on two cores. It is taken to grow with the logarithm
	// of their number.
	HandOver float64
}

// Seconds returns the time of the step on a number of cores.
func (p *Prediction) Seconds(cores int) float64 { return p.span(p.Step, cores, false) }

// span returns the time of a part. inner is set for parts of outer loops, whose products run on one core.
func (p *Prediction) span(s linalg.Span, cores int, inner bool) float64 {
	seconds := s.Seconds
	for _, task := range s.Tasks {
		seconds += p.task(task, cores, inner) - total(task.Parts)
	}
	return seconds
}

// total returns the time of parts on one core.
func total(parts []linalg.Span) (seconds float64) {
	for _, part := range parts {
		seconds += part.Seconds
	}
	return seconds
}

// task returns the time of a task.
func (p *Prediction) task(t linalg.Task, cores int, inner bool) float64 {
	workers, within := cores, 1
	switch {
	case t.Beside:
		return total(t.Parts) / float64(cores)
	case t.Outer:
		within = coresWithin(t, cores)
	case inner && !t.Loop:
		workers = 1
	}
	workers = min(workers, len(t.Parts))
	times := make([]float64, len(t.Parts))
	for i, part := range t.Parts {
		times[i] = p.span(part, within, t.Outer)
	}
	return p.HandOver*math.Log2(float64(workers)) + makespan(times, workers)
}

// coresWithin returns the number of cores of each part of an outer loop.
func coresWithin(t linalg.Task, cores int) int { return (cores + len(t.Parts) - 1) / len(t.Parts) }

// makespan returns the time after which all parts are done. Each worker takes the parts of its own section in
// order, and then those that are left in the sections after it.
func makespan(times []float64, workers int) float64 {
	n := len(times)
	next := make([]int, workers)
	busy := make([]float64, workers)
	for i := range next {
		next[i] = i * n / workers
	}
	for range times {
		w := 0
		for i := range busy {
			if busy[i] < busy[w] {
				w = i
			}
		}
		section := w
		for next[section] >= (section+1)*n/workers {
			section = (section + 1) % workers
		}
		busy[w] += times[next[section]]
		next[section]++
	}
	return slices.Max(busy)
}

// handOverRuns is the number of empty loops that are timed together.
const handOverRuns = 2000

// handOver returns the time in seconds of an empty loop on two cores, or 0 if there is only one.
func (m *meter) handOver() float64 {
	if runtime.GOMAXPROCS(0) < 2 {
		return 0
	}
	linalg.LimitProcessors(2)
	defer linalg.LimitProcessors(0)
	empty := linalg.Loop{Body: func(int) {}}
	start := m.now()
	for range handOverRuns {
		empty.Run(2)
	}
	return m.now().Sub(start).Seconds() / handOverRuns
}

// tracedSteps is the number of steps that are traced. Of each part the shortest time counts, so that the
// prediction is that of a machine without other load.
const tracedSteps = 10

// keepShortest replaces the times of a span by those of another that are shorter. It returns false if the
// spans have different tasks.
func keepShortest(s *linalg.Span, other linalg.Span) bool {
	if len(s.Tasks) != len(other.Tasks) {
		return false
	}
	inner, before := 0.0, 0.0
	for i := range s.Tasks {
		parts, others := s.Tasks[i].Parts, other.Tasks[i].Parts
		if s.Tasks[i].Name != other.Tasks[i].Name || len(parts) != len(others) {
			return false
		}
		before += total(parts)
		inner += total(others)
		for k := range parts {
			if !keepShortest(&parts[k], others[k]) {
				return false
			}
		}
	}
	s.Seconds = min(s.Seconds-before, other.Seconds-inner)
	for _, task := range s.Tasks {
		s.Seconds += total(task.Parts)
	}
	return true
}

// onCores measures a cell, which was measured on all cores, on the other numbers of cores that the machine
// has, and predicts all from one.
func (m *meter) onCores(ctx context.Context, c *Cell, j job, o Options) error {
	defer linalg.LimitProcessors(0)
	measured := map[int]Measure{runtime.GOMAXPROCS(0): c.Median}
	for _, n := range append([]int{1}, o.Cores...) {
		if measured[n] > 0 || n > runtime.GOMAXPROCS(0) {
			continue
		}
		linalg.LimitProcessors(n)
		one := newCell(j)
		_, err := m.measure(ctx, &one, j, o, o.Seconds/10)
		if err != nil || ctx.Err() != nil {
			return cmp.Or(err, ctx.Err())
		}
		measured[n] = one.Median
	}
	model, err := j.spec.New(j.values, m.synthetic(j.rows, o.Inputs, o.Outputs), seed)
	if err != nil {
		return err
	}
	p := &Prediction{HandOver: m.handOver()}
	for i := range minWarmUp + tracedSteps {
		step := linalg.Trace(func() { _, err = model.Step(ctx) })
		if err != nil {
			return err
		}
		if i <= minWarmUp || !keepShortest(&p.Step, step) {
			p.Step = step
		}
	}
	for _, n := range o.Cores {
		at := OnCores{Cores: n, Median: notMeasured}
		if known, is := measured[n]; is {
			at.Median = known
		}
		at.Predicted = measured[1] * Measure(p.Seconds(n)/p.Seconds(1))
		c.OnCores = append(c.OnCores, at)
	}
	c.Loops = p.Loops()
	return nil
}

// LoopCost describes the tasks of one name within a step.
type LoopCost struct {
	// Name is that of a loop or of a kind of product; see linalg.Task. It is "serial" for the rest.
	Name string `json:"name"`
	// Runs is the number of runs in a step, and Parts is the mean number of independent parts.
	Runs  int     `json:"runs"`
	Parts Measure `json:"parts"`
	// Milliseconds is the time of a step on one core, and Predicted holds the times on PredictedCores.
	Milliseconds Measure   `json:"ms"`
	Predicted    []Measure `json:"ms_predicted"`
}

// PredictedCores lists the numbers of cores of LoopCost.Predicted.
var PredictedCores = []int{4, 8, 16, 32}

// Serial is the name of the time outside of tasks.
const Serial = "serial"

// Loops lists the loops and products of the step, those with the most time on 16 cores first. A loop of outer
// parts counts only what is outside of the loops within them.
func (p *Prediction) Loops() []LoopCost {
	byName := map[string]*LoopCost{}
	p.addLoops(byName, p.Step, 1, PredictedCores, Serial)
	var list []LoopCost
	for _, cost := range byName {
		list = append(list, *cost)
	}
	slices.SortFunc(list, func(a, b LoopCost) int {
		return cmp.Or(cmp.Compare(b.Predicted[2], a.Predicted[2]), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// addLoops adds the time of a span outside of its tasks to the cost of a name, and then its tasks. The span
// is one of the given number of equal ones that run at the same time.
func (p *Prediction) addLoops(
	costs map[string]*LoopCost, s linalg.Span, equal int, cores []int, name string,
) {
	of := func(name string) *LoopCost {
		if costs[name] == nil {
			costs[name] = &LoopCost{Name: name, Predicted: make([]Measure, len(cores))}
		}
		return costs[name]
	}
	rest := s.Seconds
	for _, task := range s.Tasks {
		rest -= total(task.Parts)
		if task.Outer {
			// Its parts run at the same time: the first stands for all.
			within := make([]int, len(cores))
			for i, n := range cores {
				within[i] = coresWithin(task, n)
			}
			p.addLoops(costs, task.Parts[0], len(task.Parts), within, task.Name)
			continue
		}
		cost := of(task.Name)
		cost.Parts = (cost.Parts*Measure(cost.Runs) + Measure(len(task.Parts))) / Measure(cost.Runs+1)
		cost.Runs++
		cost.Milliseconds += Measure(float64(equal) * total(task.Parts) / milli)
		for i, n := range cores {
			cost.Predicted[i] += Measure(p.task(task, n, name != Serial) / milli)
		}
	}
	cost := of(name)
	cost.Runs++
	cost.Parts = 1
	cost.Milliseconds += Measure(float64(equal) * rest / milli)
	for i := range cores {
		cost.Predicted[i] += Measure(rest / milli)
	}
}
