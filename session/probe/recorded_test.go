package probe

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/viz/golden"
)

// measured returns a table of a category, two numbers and a time, with a target that depends on all.
func measured(target func(y float64) string) string {
	var text strings.Builder
	text.WriteString("colour,mass,height,day,y\n")
	for i := range 60 {
		mass := math.Mod(float64(i)*0.618, 1) * 5
		height := math.Mod(float64(i)*0.414, 1) - 0.5
		y := mass*height + float64(i%3) + 0.1*math.Sin(float64(50*i))
		fmt.Fprintf(&text, "%s,%.4f,%.4f,2026-%02d-%02d,%s\n", []string{"red", "green", "blue"}[i%3],
			mass, height, 1+i%12, 1+i%28, target(y))
	}
	return text.String()
}

// probeOf returns a probe for a model of a family, trained on a table for some steps.
func probeOf(t *testing.T, text, name string, set map[string]string, targets ...string) *Probe {
	t.Helper()
	source := datasets.Source{Name: "m.csv", Targets: targets}
	ds, err := datasets.ReadCSV(t.Context(), strings.NewReader(text), source)
	if err != nil {
		t.Fatal(err)
	}
	split, err := datasets.ParseSplit("interpolation:0")
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := datasets.Prepare(ds, split, 0.2, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := New(t.Context(), ds, prepared, 1)
	spec := familytest.Find(models.Families(), name)
	p.Model, err = spec.New(familytest.Values(t, spec, set), family.Data{
		X: prepared.Train.X, Y: prepared.Train.Y, Task: ds.Task, Classes: len(ds.Classes),
		Inputs: ds.Inputs, Columns: p.Columns(),
	}, 1)
	if err != nil {
		t.Fatal(err)
	}
	familytest.Steps(t, p.Model, 4)
	return p
}

// TestRecordedResults compares all results of queries with recorded ones.
func TestRecordedResults(t *testing.T) {
	var d golden.Digest
	real := func(y float64) string { return fmt.Sprintf("%.4f", y) }
	sign := func(y float64) string { return map[bool]string{true: "high", false: "low"}[y > 1] }
	third := func(y float64) string {
		return map[bool]string{true: sign(y), false: "middle"}[math.Abs(y-1) > 0.7]
	}
	deep := map[string]string{"layers": "2", "width": "2", "inducing": "8", "samples": "2"}
	for _, c := range []struct {
		family  string
		set     map[string]string
		target  func(y float64) string
		targets []string
	}{
		{"star", deep, real, nil}, {"star", deep, sign, nil}, {"star", deep, third, nil},
		{"gp", nil, real, nil}, {"bnn-vi", map[string]string{"hidden_width": "4"}, real, nil},
		{"gprn", map[string]string{"latents": "2"}, real, []string{"mass", "y"}},
	} {
		text := measured(c.target)
		p := probeOf(t, text, c.family, c.set, c.targets...)
		d.Begin(c.family + ", " + p.Data.Task.String())
		fit, err := p.Fit(t.Context(), 4)
		d.Add(t, "fit", fit, err)
		plane, err := p.Plane(t.Context(), 4)
		d.Add(t, "plane", plane, err)
		views, err := p.Views()
		d.Add(t, "views", views, err)
		metrics, predictions, err := p.Test(t.Context(), 3)
		d.Add(t, "test", metrics, err)
		d.Add(t, "predictions", predictions, err)
		value, err := p.Validate(t.Context(), 4, 5, 3)
		d.Add(t, "validation", value, err)
		arrays, err := p.Posterior()
		d.Add(t, "posterior", arrays, err)
		for _, criterion := range []Criterion{ALM, ALC, IMSE} {
			o := SuggestOptions{Criterion: criterion, Count: 2, Hypercube: 9}
			s, err := p.Suggest(t.Context(), nil, 3, o)
			d.Add(t, fmt.Sprint("suggest ", criterion), s, err)
		}
	}
	for _, inputs := range []int{1, 20} {
		var text strings.Builder
		for k := range inputs {
			fmt.Fprintf(&text, "x%d,", k)
		}
		text.WriteString("y\n")
		for i := range 40 {
			for k := range inputs {
				fmt.Fprintf(&text, "%d,", (i*(k+1)+k*k)%41)
			}
			fmt.Fprintf(&text, "%.4f\n", math.Sin(float64(i*i)))
		}
		d.Begin(fmt.Sprintf("%d inputs", inputs))
		fit, err := probeOf(t, text.String(), "svgp", nil).Fit(t.Context(), 4)
		d.Add(t, "fit", fit, err)
	}
	d.Check(t, "results")
}
