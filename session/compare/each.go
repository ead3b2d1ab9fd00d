package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"dgplab/session/rundir"
)

// Memory caches pairs for callers that repeat a comparison while runs are added. The predictions of unchanged
// runs are read only once. The zero value is ready to use. A Memory is safe for concurrent use.
type Memory struct {
	mu    sync.Mutex
	pairs map[pairKey]Pair
}

// pairKey identifies the state of two runs.
type pairKey struct {
	a, b           string // IDs
	aSteps, bSteps int
}

func (m *Memory) get(key pairKey) (Pair, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.pairs[key]
	return p, ok
}

func (m *Memory) put(key pairKey, p Pair) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pairs == nil {
		m.pairs = map[pairKey]Pair{}
	}
	m.pairs[key] = p
}

// reader reads predictions and caches the predictions of method a on one data set.
type reader struct {
	memory *Memory
	a      int
	read   map[string]*rundir.Predictions
}

func (r *reader) predictions(run Run) (*rundir.Predictions, error) {
	if p, ok := r.read[run.ID]; ok {
		return p, nil
	}
	p, err := run.predictions()
	if err == nil && run.Method == r.a {
		r.read[run.ID] = p
	}
	return p, err
}

// pair compares two runs on the same test points.
func (r *reader) pair(a, b Run) (Pair, error) {
	key := pairKey{a.ID, b.ID, a.Results.Step, b.Results.Step}
	if d, ok := r.memory.get(key); ok {
		return d, nil
	}
	x, err := r.predictions(a)
	if err != nil {
		return Pair{}, err
	}
	y, err := r.predictions(b)
	if err != nil {
		return Pair{}, err
	}
	d, err := Against(x, y)
	if err != nil {
		return Pair{}, fmt.Errorf("%s and %s: %w", a.ID, b.ID, err)
	}
	d.A = a.ID
	d.B = b.ID
	d.Split = a.Config.Split
	d.block = a.block
	d.Ratio = Ratio(a.Results.Data)
	r.memory.put(key, d)
	return d, nil
}

// Each compares the method with index a with every other method on all data sets and sets the verdicts of
// these comparisons together. The comparisons are ordered by data set, then by method. failed lists the
// comparisons that failed, with the reasons. The error is the error of ctx, which is checked between pairs of
// runs. memory may be nil.
func (s *Set) Each(
	ctx context.Context, a int, memory *Memory,
) (list []Comparison, failed []string, err error) {
	if memory == nil {
		memory = new(Memory)
	}
	for d, dataset := range s.Datasets {
		from := &reader{memory, a, map[string]*rundir.Predictions{}}
		for b := range s.Methods {
			if b == a {
				continue
			}
			c, err := s.direct(ctx, from, b, d)
			switch {
			case ctx.Err() != nil:
				return nil, nil, ctx.Err()
			case err != nil:
				failed = append(failed, s.noDirect(b, dataset)+": "+err.Error())
			case len(c.Pairs) > 0:
				list = append(list, c)
			}
		}
	}
	together := make([]*Comparison, len(list))
	for i := range list {
		together[i] = &list[i]
	}
	Together(together)
	return list, failed, nil
}

// noDirect returns a heading for a failed comparison.
func (s *Set) noDirect(b int, dataset string) string {
	if len(s.Methods) == 2 {
		return "no direct comparison on " + dataset
	}
	return "no direct comparison with " + s.Methods[b].Label + " on " + dataset
}

// direct compares the method of the reader with method b on a data set. Runs on the same test points are
// paired by seed, or in the order of their seeds if no seeds match. If a method has no runs on the data set,
// the comparison has no pairs.
func (s *Set) direct(ctx context.Context, from *reader, b, dataset int) (Comparison, error) {
	var compared []Pair
	pairs := s.pairs(from.a, b, dataset)
	if len(pairs) == 0 && len(s.blocks(from.a, dataset)) > 0 && len(s.blocks(b, dataset)) > 0 {
		return Comparison{}, errors.New("no common test points")
	}
	for _, pair := range pairs {
		if ctx.Err() != nil {
			return Comparison{}, ctx.Err()
		}
		d, err := from.pair(pair[0], pair[1])
		if err != nil {
			return Comparison{}, err
		}
		compared = append(compared, d)
	}
	c := Direct(compared)
	c.withhold(pairs)
	c.Dataset, c.A, c.B = s.Datasets[dataset], s.Methods[from.a].Label, s.Methods[b].Label
	return c, nil
}

// pairs returns the pairs of runs of two methods on the same test points.
func (s *Set) pairs(a, b, dataset int) (list [][2]Run) {
	left := s.blocks(a, dataset)
	right := s.blocks(b, dataset)
	anySeed := [2]bool{s.seedless(a, dataset), s.seedless(b, dataset)}
	for _, block := range slices.Sorted(maps.Keys(left)) {
		x, y := left[block], right[block]
		found := len(list)
		if anySeed[0] { // One run is compared with each of the others.
			x = x[:min(1, len(x))]
		}
		if anySeed[1] {
			y = y[:min(1, len(y))]
		}
		for _, r := range x {
			for _, q := range y {
				if r.Config.Seed == q.Config.Seed || anySeed[0] || anySeed[1] {
					list = append(list, [2]Run{r, q})
				}
			}
		}
		if len(list) == found {
			for i := range min(len(x), len(y)) {
				list = append(list, [2]Run{x[i], y[i]})
			}
		}
	}
	return list
}

// blocks returns the runs of a method on a data set by block, sorted by seed.
func (s *Set) blocks(method, dataset int) map[string][]Run {
	out := map[string][]Run{}
	for _, r := range s.Runs {
		if r.Method == method && r.Dataset == dataset {
			out[r.block] = append(out[r.block], r)
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(p, q Run) int { return cmp.Compare(p.Config.Seed, q.Config.Seed) })
	}
	return out
}
