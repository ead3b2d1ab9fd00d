package dgp

import (
	"context"
	"errors"
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
)

// small is a setting that trains in milliseconds.
var small = map[string]string{"layers": "3", "width": "2", "inducing": "8", "batch": "16", "samples": "2"}

// build returns a model of the named family. Settings unknown to the family are ignored.
func build(t *testing.T, name string, data family.Data, sets ...map[string]string) *Model {
	t.Helper()
	return buildAny(t, name, data, sets...).(*Model)
}

// buildAny is like build, but also builds models without a q(f_M).
func buildAny(t *testing.T, name string, data family.Data, sets ...map[string]string) family.Model {
	t.Helper()
	for _, spec := range Families() {
		if spec.Name != name {
			continue
		}
		m, err := spec.New(familytest.Values(t, spec, familytest.Applicable(spec, sets...)), data, 7)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	t.Fatalf("no family %q", name)
	return nil
}

// gaussian returns the families with a q(f_M).
func gaussian() (list []family.Spec) {
	for _, spec := range Families() {
		if !spec.Objective.Sampled() {
			list = append(list, spec)
		}
	}
	return list
}

// variants returns settings for each family, with each of its optimisers.
func variants() map[string][]map[string]string {
	all := map[string][]map[string]string{}
	for _, spec := range gaussian() {
		all[spec.Name] = []map[string]string{small}
	}
	for _, name := range []string{"svgp", "mean-field", "fully-coupled"} {
		all[name+" natgrad"] = []map[string]string{small, {"optimizer": "natgrad"}}
	}
	all["star unwhitened"] = []map[string]string{small, {"whiten": "off"}}
	for name, sets := range maps.Clone(all) {
		if nameOf(name) != "svgp" {
			all[name+" uneven"] = append(slices.Clip(sets), map[string]string{"inducing": "8,5,3"})
		}
	}
	return all
}

// nameOf returns the family of a variant.
func nameOf(variant string) string {
	for _, spec := range Families() {
		if len(variant) >= len(spec.Name) && variant[:len(spec.Name)] == spec.Name {
			return spec.Name
		}
	}
	return variant
}

func TestBuildErrorReturnsNilModel(t *testing.T) {
	spec := Families()[0]
	values, err := family.Resolve(spec.Hyperparameters, nil)
	if err != nil {
		t.Fatal(err)
	}
	values["lengthscale"] = "1e-6" // out of bounds
	if m, err := spec.New(values, familytest.Wave(10, 1), 7); m != nil || err == nil {
		t.Errorf("invalid lengthscale: model %v, error %v", m, err)
	}
}

// Interruptions, predictions and views do not affect training.
func TestResumedEqualsUninterrupted(t *testing.T) {
	data := familytest.Wave(40, 1)
	for variant, sets := range variants() {
		build := func() family.Model { return build(t, nameOf(variant), data, sets...) }
		familytest.Resumes(t, variant, build, data.X, 12, 0, 4, 7)
	}
}

func TestResultsIndependentOfCores(t *testing.T) {
	set := map[string]string{"inducing": "96", "batch": "128", "samples": "3", "layers": "2", "width": "2"}
	for name, data := range map[string]family.Data{
		"values": familytest.Wave(200, 1), "classes": familytest.Signs(familytest.Wave(200, 1)),
	} {
		build := func() family.Model { return build(t, "fully-coupled", data, set) }
		familytest.Resumes(t, name, build, nil, 3)
	}
}

func TestHeapIsFlatOver10000Steps(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 steps")
	}
	m := build(t, "star", familytest.Wave(40, 1), small)
	heap := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	familytest.Steps(t, m, 20)
	before := heap()
	familytest.Steps(t, m, 10000)
	if after := heap(); after > before+64<<10 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}

func TestStepAllocations(t *testing.T) {
	for variant, sets := range variants() {
		m := build(t, nameOf(variant), familytest.Wave(40, 1), sets...)
		familytest.Steps(t, m, 3)
		// The random streams of a step and the permutation of an epoch allocate memory.
		familytest.Allocates(t, variant, m, 8)
	}
}

func TestTrainingImprovesTheBound(t *testing.T) {
	if testing.Short() {
		t.Skip("300 steps of every variant")
	}
	for name := range variants() {
		for _, data := range []family.Data{familytest.Wave(60, 1), familytest.Signs(familytest.Wave(60, 1))} {
			m := build(t, nameOf(name), data, small, variants()[name][len(variants()[name])-1],
				map[string]string{"batch": "60", "learning_rate": "0.02"})
			first := familytest.Steps(t, m, 1)
			last := familytest.Steps(t, m, 300)
			if !(last.Objective > first.Objective+5) {
				t.Errorf("%s: the bound went from %g to %g", name, first.Objective, last.Objective)
			}
		}
	}
}

// means returns the predictive means of one output.
func means(p predictive.Predictive) []float64 {
	n, _ := p.Dims()
	mean := make([]float64, n)
	p.(predictive.Regression).Moments(mean, make([]float64, n))
	return mean
}

func TestPredictionsFitData(t *testing.T) {
	data := familytest.Wave(200, 1)
	m := build(t, "svgp", data, map[string]string{"inducing": "30", "batch": "200", "learning_rate": "0.03"})
	familytest.Steps(t, m, 400)
	predicted, err := m.Predict(data.X, 10, 3)
	if err != nil {
		t.Fatal(err)
	}
	var rss float64
	for n, mean := range means(predicted) {
		d := mean - data.Y.At(n, 0)
		rss += d * d / 200
	}
	if rss > 0.03 { // the noise has variance 0.01, the targets 0.6
		t.Errorf("mean squared error %g on the training points", rss)
	}
}

func TestPredictionsIndependentOfChunks(t *testing.T) {
	data := familytest.Wave(50, 1)
	m := build(t, "svgp", data, small)
	familytest.Steps(t, m, 20)
	all, err := m.Predict(data.X, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	some, err := m.Predict(data.X.Slice(0, 7, 0, 2).(*mat.Dense), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := means(all)
	for n, mean := range means(some) {
		if d := math.Abs(want[n] - mean); d > 1e-12 {
			t.Errorf("point %d: means differ by %g", n, d)
		}
	}
}

func TestSizeMatchesModel(t *testing.T) {
	for _, spec := range gaussian() {
		for _, inducing := range []string{"8", "8,5,50"} {
			if spec.Name == "svgp" && inducing != "8" {
				continue
			}
			set := familytest.Applicable(spec, small, map[string]string{"inducing": inducing})
			m := build(t, spec.Name, familytest.Wave(40, 1), set)
			values, _ := family.Resolve(spec.Hyperparameters, set)
			size, err := spec.Size(values, 40, 2, 1)
			if err != nil {
				t.Fatal(err)
			}
			if size.Parameters != m.NumParameters() {
				t.Errorf("%s, M %s: Size returns %d parameters, the model has %d",
					spec.Name, inducing, size.Parameters, m.NumParameters())
			}
		}
	}
}

func TestBlocksOfThePaper(t *testing.T) {
	// For L=3 and tau=5 there are 11 + 2*5 + 2*10 = 41 blocks in both triangles, and 11 + 5 + 10 in
	// L_S.
	widths := []int{5, 5, 1}
	for name, want := range map[string]int{"mean-field": 11, "star": 11 + 5 + 10, "fully-coupled": 66} {
		if got := patterns(widths)[name].NumBlocks(); got != want {
			t.Errorf("%s has %d blocks, want %d", name, got, want)
		}
	}
}

func TestMoreInducingPointsThanDataAreNoted(t *testing.T) {
	m := build(t, "svgp", familytest.Wave(20, 1), map[string]string{"inducing": "50"})
	if m.arch.Layers[0].M != 20 || len(m.Notes()) != 1 {
		t.Errorf("M = %d, notes %v", m.arch.Layers[0].M, m.Notes())
	}
	familytest.Steps(t, m, 3)
}

func TestNonFiniteDataLeavesParametersUnchanged(t *testing.T) {
	for _, bad := range []float64{math.Inf(1), math.Inf(-1)} {
		data := familytest.Wave(40, 1)
		data.Y.Set(3, 0, bad)
		m := build(t, "mean-field", data, small, map[string]string{"batch": "40"})
		familytest.Unchanged(t, "a failed step", m, func() {
			if _, err := m.Step(context.Background()); err == nil {
				t.Fatalf("a target of %v was accepted", bad)
			}
		})
	}
}

// A NaN target is missing: it does not contribute to the step.
func TestMissingTargetsAreIgnored(t *testing.T) {
	full := familytest.Wave(40, 1)
	partial := familytest.Wave(40, 1)
	partial.Y.Set(3, 0, math.NaN())
	sets := map[string]string{"batch": "40"}
	step := func(data family.Data) (family.Report, *Model) {
		m := build(t, "mean-field", data, small, sets)
		report, err := m.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return report, m
	}
	all, _ := step(full)
	some, m := step(partial)
	if all.Terms[1] != some.Terms[1] || all.Terms[0] == some.Terms[0] {
		t.Errorf("KL %v and %v, expected log-likelihood %v and %v",
			all.Terms[1], some.Terms[1], all.Terms[0], some.Terms[0])
	}
	for _, a := range m.State() {
		for _, v := range a.Data {
			if math.IsNaN(v) {
				t.Fatalf("%s is NaN", a.Name)
			}
		}
	}
}

// Kernels start at the listed values. A list has one value for all layers or one per layer.
func TestInitialKernels(t *testing.T) {
	m := build(t, "star", familytest.Wave(40, 1), small, map[string]string{
		"layers": "3", "lengthscale": "0.5,1,2", "variance": "3",
	})
	for l, want := range []float64{0.5, 1, 2} {
		lengthscales, variance := m.post.layers[l].shape()
		if math.Abs(lengthscales.Value[0]-want) > 1e-12 || math.Abs(variance.Value[0]-3) > 1e-12 {
			t.Errorf("layer %d starts with lengthscale %v and variance %v",
				l+1, lengthscales.Value[0], variance.Value[0])
		}
	}
	for _, spec := range Families() {
		values, err := family.Resolve(spec.Hyperparameters, map[string]string{"lengthscale": "1,2,3,4"})
		if err != nil {
			t.Fatal(err)
		}
		var bad *family.ValueError
		if _, err := spec.Size(values, 40, 2, 1); !errors.As(err, &bad) || bad.Name != "lengthscale" {
			t.Errorf("%s: accepted four lengthscales: %v", spec.Name, err)
		}
	}
}
