package dgp

import (
	"slices"
	"testing"

	"dgplab/models/familytest"
)

// Announcing a step changes neither the noise of any step nor the objective of the current one.
func TestPreparedNoise(t *testing.T) {
	for _, spec := range gaussian() {
		p := build(t, spec.Name, familytest.Wave(40, 1), small).problem
		noise := func() (all []float64) {
			p.drawing.Wait()
			for _, eps := range p.eps {
				all = append(all, eps.Value...)
			}
			if p.epsInducing != nil {
				all = append(all, p.epsInducing.Value...)
			}
			return all
		}
		evaluate := func() float64 {
			value, err := p.Evaluate(make([]float64, len(p.Set.Free)))
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
		noises, values := make([][]float64, 6), make([]float64, 6)
		for step := range noises {
			p.Draw(uint64(step))
			values[step] = evaluate()
			noises[step] = noise()
		}
		for _, next := range []int{1, 2, 4, 4, 5} { // The announced step does not always follow.
			p.Draw(uint64(next - 1))
			if got := noise(); !slices.Equal(got, noises[next-1]) {
				t.Errorf("%s: other noise in step %d", spec.Name, next-1)
			}
			p.Prepare(uint64(next))
			if got := evaluate(); got != values[next-1] {
				t.Errorf("%s: objective %v in step %d, want %v", spec.Name, got, next-1, values[next-1])
			}
		}
	}
}

// Ranges of points are within a period, and those at the same place of their periods are visited in order.
func TestPointwise(t *testing.T) {
	const points, period = 1500, 500
	visits := make([]int, points)
	last := make([]int, period)
	g := &graph{shards: 1}
	p := g.newPointwise(points, period, func(start, end int) error {
		if start/period != (end-1)/period {
			t.Errorf("points %d to %d are in several periods", start, end)
		}
		for n := start; n < end; n++ {
			visits[n]++
			if last[n%period] > n {
				t.Errorf("point %d is visited after point %d", n, last[n%period])
			}
			last[n%period] = n
		}
		return nil
	})
	if err := p.run(); err != nil {
		t.Fatal(err)
	}
	for n, times := range visits {
		if times != 1 {
			t.Errorf("point %d is visited %d times", n, times)
		}
	}
	row := make([]float64, period)
	for n := range row {
		row[n] = float64(n)
	}
	if got := cut(row, 1003, 1005); !slices.Equal(got, []float64{3, 4}) {
		t.Errorf("points 1003 and 1004 have the entries %v", got)
	}
}
