package bench

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"dgplab/models/family"
	"dgplab/session/sweep"
	"dgplab/viz/golden"
)

// TestRecordedPlans compares the cells of random options, and the errors about wrong ones, with recorded
// ones.
func TestRecordedPlans(t *testing.T) {
	r := golden.NewTypicalFiller(10)
	values := map[string][]string{
		"inducing": {"8", "16", "016", "64"}, "layers": {"1", "2", "3"}, "width": {"2", "5"},
		"batch": {"64", "4096"}, "samples": {"1", "5"}, "kernel": {"rbf", "matern32"}, Rows: {"40", "100",
			"3000"},
	}
	names := []string{"inducing", "layers", "width", "batch", "samples", "kernel", Rows}
	wrong := []string{"0", "x", "cubic", "1e3", "2,3", "64,8"}
	var sums golden.Sums
	for range 400 {
		odd := r.IntN(3) == 0
		o := Options{Set: map[string]string{}, Inputs: 1 + r.IntN(9), Outputs: 1 + r.IntN(2), Seconds: 1,
			Preset: golden.Pick(r, "", "", "default"), UsualRows: r.IntN(4) == 0}
		for range 1 + r.IntN(3) {
			o.Families = append(o.Families, golden.Pick(r, "star", "svgp", "gp", "mean-field", "bnn-vi",
				"gprn",
				"dgp-ess"))
		}
		value := func(name string) string {
			if odd && r.IntN(6) == 0 {
				return golden.Pick(r, wrong...)
			}
			return golden.Pick(r, values[name]...)
		}
		r.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		for i, name := range names[:r.IntN(5)] {
			if i%2 == 1 {
				o.Set[name] = value(name)
				continue
			}
			axis := sweep.Axis{Name: name}
			for range 1 + r.IntN(3) {
				axis.Values = append(axis.Values, value(name))
			}
			o.Axes = append(o.Axes, axis)
		}
		if odd {
			o.Inputs = golden.Pick(r, 1, 1000, 3, 4, 0, 1001)
			o.Outputs = golden.Pick(r, 1, 2, 3, 100, 0, 101)
			o.Seconds = golden.Pick(r, 1, 0.5, 3600, 2, 0, 3601, math.NaN())
			o.Preset = golden.Pick(r, "", "", "", "gone")
			o.Families = append(o.Families, golden.Pick(r, "svgp", "svgp", "svgp", "gone"))
			o.Axes = append(o.Axes, golden.Pick(r, sweep.Axis{Name: "kernel", Values: []string{"rbf"}},
				sweep.Axis{Name: "inducing", Values: []string{"9"}}, sweep.Axis{Name: "nothing",
					Values: []string{"1"}},
				sweep.Axis{Name: "hidden_width"}))
		}
		plan, err := New(o)
		if err != nil {
			sums.Add("errors", err.Error())
			continue
		}
		sums.Add("plans", fmt.Sprint(plan.N, plan.Set, plan.Len()))
		var cells []Cell
		for _, j := range plan.jobs {
			c := newCell(j)
			cells = append(cells, c)
			sums.Add("cells", fmt.Sprint(c.Setting, c.Sizes, j.rows, j.err), fmt.Sprintf("%.4g", j.memory))
			sums.AddRounded(t, "cells", c)
		}
		sums.Add("axes", fmt.Sprint(plan.AxesOf(cells)))
	}
	sums.Check(t, "plans")
}

// TestRecordedMeasurements summarises random times. It compares the results with recorded checksums.
func TestRecordedMeasurements(t *testing.T) {
	r := golden.NewTypicalFiller(11)
	golden.Draw(r, func() Setting {
		s := Setting{Family: golden.Pick(r, "star", "svgp", "gone")}
		for _, axis := range []string{"inducing", "layers", "kernel"}[:1+r.IntN(3)] {
			s.Values = append(s.Values, Value{axis, golden.Pick(r, "8", "16", "32", "rbf", "2")})
		}
		return s
	})
	golden.Draw(r, func() family.Shape {
		return family.Shape{Rows: r.IntN(3000), Inner: 1 + r.IntN(3000), Cols: r.IntN(900)}
	})
	golden.Draw(r, func() Measure { return Measure(r.Float()) })
	golden.Draw(r, func() Rate { return Rate(golden.Pick(r, 0, 1e9, 1.1e9, 1.2e9, 4.56e10)) })
	var sums golden.Sums
	for range 200 {
		cells := make([]Cell, 1+r.IntN(9))
		for i := range cells {
			c := &cells[i]
			*c = golden.Of[Cell](r)
			c.Err = golden.Pick(r, nil, nil, nil, errors.New("too large"))
			times := make([]float64, 3+r.IntN(6))
			for k := range times {
				times[k] = float64(1+r.IntN(900)) * 1e-5
			}
			c.FLOPs = Count(golden.Pick(r, 0, 1e6, 3e7))
			c.summarise(times, 1+r.IntN(3), uint64(r.IntN(100)), uint64(r.IntN(1<<20)))
			sums.AddRounded(t, "cells", c)
			sums.AddRounded(t, "ratios", []Measure{c.Ratio(), c.CPURatio(1 + r.IntN(4))})
			sums.Add("settings", c.String(), fmt.Sprint(c.Without("layers"), c.On("inducing")))
		}
		sums.AddRounded(t, "exponents", Scaling(cells, []string{"inducing", "layers", "kernel"}))
		result := Result{Cells: cells}
		peak := golden.Of[Peak](r)
		sums.Add("peaks", fmt.Sprint(peak.Steady(), result.Failed()))
		sums.AddRounded(t, "peaks", peak)
		sums.AddRounded(t, "rates", []Measure{Measure(peak.Best().Giga()),
			Measure(peak.Share(golden.Of[Rate](r)))})
		sums.Add("shapes", fmt.Sprint(within(golden.Of[family.Shape](r))))
	}
	sums.Check(t, "measurements")
}
