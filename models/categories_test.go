package models

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/view"
)

// paints returns points with a category of three levels, in inputs 0 to 2, and a numeric input
// whose mean is the middle of its range. Views hold the category at the given level.
func paints(held int) Data {
	const n = 30
	d := Data{X: mat.NewDense(n, 4, nil), Y: mat.NewDense(n, 1, nil)}
	category := view.Column{Width: 3, Held: held, Category: &view.Category{
		Names: []string{"blue", "green", "red"}, Counts: []int{10, 10, 10}}}
	for level := range 3 {
		code := []float64{-0.7, -0.7, -0.7}
		code[level] = 1.4
		category.Codes = append(category.Codes, code)
	}
	d.Columns = []view.Column{category, {Input: 3, Width: 1}}
	for i := range n {
		x := 1.5 * (2*float64(i)/(n-1) - 1)
		d.X.SetRow(i, append(slices.Clone(category.Codes[i%3]), x))
		d.Y.Set(i, 0, math.Sin(2*x)+float64(i%3)-1)
	}
	return d
}

// Functions, curves and maps of every family vary a category level by level, and hold it at a level
// while a numeric input varies.
func TestCategoriesInViews(t *testing.T) {
	for _, spec := range Families() {
		t.Run(spec.Name, func(t *testing.T) {
			set := familytest.Applicable(spec, map[string]string{
				"layers": "2", "width": "2", "inducing": "5", "orthogonal": "3",
				"samples": "3", "batch": "10",
			})
			var views [2]view.Views
			for held := range views {
				m, err := spec.New(familytest.Values(t, spec, set), paints(held), 7)
				if err != nil {
					t.Fatal(err)
				}
				familytest.Steps(t, m, 3)
				viewer, ok := m.(family.Viewer)
				if !ok {
					t.Skip("it has no views")
				}
				views[held], err = viewer.Views(1)
				if err != nil {
					t.Fatal(err)
				}
				if err := views[held].Check(); err != nil {
					t.Fatal(err)
				}
			}
			checkCategories(t, views)
		})
	}
}

// Models of inputs that all encode categories have views.
func TestViewsOfCategoriesAlone(t *testing.T) {
	data := paints(1)
	data.X = mat.DenseCopyOf(data.X.Slice(0, 30, 0, 3))
	data.Columns = data.Columns[:1]
	for _, spec := range Families() {
		m := trainedModel(t, spec, data)
		views, err := m.(family.Viewer).Views(1)
		if err == nil {
			err = views.Check()
		}
		if err != nil || views.Functions != nil && views.Functions.Category == nil {
			t.Errorf("%s: %v", spec.Name, err)
		}
		if _, err := m.(family.FunctionSampler).DrawFunctions(data.X, 1, 1); err != nil {
			t.Errorf("%s: %v", spec.Name, err)
		}
	}
}

// checkCategories checks the views of a model of paints(0) and of the same model of paints(1).
func checkCategories(t *testing.T, views [2]view.Views) {
	if f := views[0].Functions; f != nil {
		// The values of the first function at the mean of the numeric input, by held level.
		var values [2][]float64
		sd := f.Items[0].SD[0]
		for k, l := range f.Lines() {
			other := views[1].Functions.Lines()[k]
			switch {
			case l.Category != nil:
				if l.Input != 0 || len(l.Grid) != 3 || !reflect.DeepEqual(l, other) && len(f.Others) == 0 {
					t.Errorf("functions along the category have values at %v and %v", l, other)
				}
				values[0] = append(values[0], l.Items[0].Mean[0])
				values[1] = append(values[1], l.Items[0].Mean[1])
			case l.Input != 3 || reflect.DeepEqual(l, other):
				t.Errorf("functions along input %d do not depend on the level", l.Input)
			default:
				values[0] = append(values[0], l.Items[0].Mean[len(l.Grid)/2])
				values[1] = append(values[1], other.Items[0].Mean[len(l.Grid)/2])
			}
		}
		for level, v := range values {
			// Some families average 64 draws, which differ between lines.
			if len(v) == 2 && math.Abs(v[0]-v[1]) > 0.5*sd+1e-9 {
				t.Errorf("at level %d and the mean of the number f is %v along one and %v along the other",
					level, v[0], v[1])
			}
		}
	}
	for l, units := range views[0].Units {
		for k, unit := range units.Units {
			if units.Input != 3 || len(unit.Curves) == 0 ||
				reflect.DeepEqual(unit.Curves, views[1].Units[l].Units[k].Curves) {
				t.Errorf("layer %d: curves along input %d do not depend on the level", l+1, units.Input)
			}
		}
	}
	if p := views[0].Prior; p != nil && reflect.DeepEqual(p.Kinds, views[1].Prior.Kinds) {
		t.Error("the prior does not depend on the level")
	}
	if maps := views[0].Maps; maps != nil {
		for k, m := range maps.GPs {
			if m.Layer == 0 && (!reflect.DeepEqual(m.Axes, []int{3}) ||
				reflect.DeepEqual(m.Mean, views[1].Maps.GPs[k].Mean)) {
				t.Errorf("the map over the inputs %v does not depend on the level", m.Axes)
			}
		}
	}
}
