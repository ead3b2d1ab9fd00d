package watch

import (
	"math"
	"strings"
	"testing"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

// The first fall of a monotone objective raises an alarm. The text names the largest fall. The
// alarm clears after 30 lines without a fall. Rounding errors do not count, even with large terms.
// Objectives that are not declared monotone may fall.
func TestFallOfMonotoneObjective(t *testing.T) {
	o := family.Objective{
		Name:     "ELBO",
		Kind:     family.Bound,
		Monotone: true,
		Terms:    []family.Reading{{Key: "a", Name: "a"}},
	}
	lines := func(part float64, values ...float64) *Watcher {
		w := New(o, 10)
		for i, v := range values {
			w.Add(rundir.Point{
				Step:      i + 1,
				Objective: v,
				Readings:  []rundir.Reading{{Key: "a", Value: part}},
				ValLogLik: math.NaN(),
			})
		}
		return w
	}
	rising := make([]float64, 30)
	for i := range rising {
		rising[i] = -50 + float64(i)
	}
	for _, c := range []struct {
		name   string
		values []float64
		part   float64
		since  int
		text   string
	}{
		{name: "rising", values: rising},
		{name: "rounding", values: []float64{-100, -90, -90 - 1e-9, -90 + 1e-9, -90}},
		{name: "rounding of large terms", part: 1e9, values: []float64{-100, -90, -90.1}},
		{name: "one small fall", values: []float64{-100, -90, -90.01, -80}, since: 3,
			text: "the ELBO fell by 0.01, from -90 to -90.01 at step 3"},
		{name: "the deepest", values: []float64{-100, -90, -91, -80, -85, -84.5, -84.6}, since: 3,
			text: "fell by 5, from -80 to -85 at step 5"},
		{name: "not finite between", values: []float64{-100, math.Inf(-1), -101}, since: 3,
			text: "fell by 1,"},
		{name: "long ago", values: append([]float64{-60, -70}, rising...)},
		{name: "a recent fall", values: append([]float64{-60, -70}, rising[1:]...), since: 2,
			text: "from -60 to -70"},
	} {
		var got []rundir.Alarm
		for _, a := range lines(c.part, c.values...).Alarms() {
			if a.Kind != rundir.AlarmNonFinite {
				got = append(got, a)
			}
		}
		if want := c.since > 0; want != (len(got) == 1) {
			t.Errorf("%s: %+v", c.name, got)
		} else if want &&
			(got[0].Kind != rundir.AlarmFall || got[0].Since != c.since ||
				!strings.Contains(got[0].Text, c.text)) {
			t.Errorf("%s: %+v, want %q since %d", c.name, got[0], c.text, c.since)
		}
	}
	o.Monotone = false
	if got := lines(0, -100, -90, -95).Alarms(); len(got) > 0 {
		t.Errorf("not monotone: %+v", got)
	}
}
