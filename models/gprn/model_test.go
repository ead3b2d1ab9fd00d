package gprn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
	"dgplab/models/view"
)

// someData is the setting of the data in model tests, with missing targets.
var someData = setting{n: 40, d: 2, p: 3, missing: 0.15, seed: 9}

// build returns a model of a family.
func build(t testing.TB, spec family.Spec, s setting, set map[string]string) family.Model {
	t.Helper()
	x, y := s.targets()
	m, err := spec.New(familytest.Values(t, spec, set), family.Data{X: x, Y: y}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A run that is saved and restored after every step, with predictions and views between steps,
// equals an uninterrupted run bit for bit, even on another number of processors.
func TestModelsResume(t *testing.T) {
	x, _ := someData.targets()
	count := 25
	if testing.Short() {
		count = 12 // reaches the hyperparameter phase
	}
	for _, spec := range Families() {
		set := map[string]string{"hyper_after": "9"}
		if spec.Name == "gprn" {
			set = map[string]string{"hyper_every": "2", "hyper_steps": "3"}
		}
		build := func() family.Model { return build(t, spec, someData, set) }
		familytest.Resumes(t, spec.Name, build, x, count, familytest.Every(count)...)
	}
}

// Latent functions with different kernels have their own parameters, which views and names show.
func TestLatentKernels(t *testing.T) {
	spec := Families()[0]
	set := map[string]string{"latent_kernel": "matern52 & periodic(1) + linear", "hyper_every": "2"}
	build := func() family.Model { return build(t, spec, someData, set) }
	x, _ := someData.targets()
	familytest.Resumes(t, spec.Name, build, x, 8, 3, 6)
	m := build()
	familytest.Steps(t, m, 8)
	var names []string
	for _, q := range m.Hyper() {
		names = append(names, q.Name)
	}
	for _, want := range []string{"latent.kernel.gp0.lengthscales", "latent.kernel.gp1.periodic.period",
		"weight.kernel.lengthscales"} {
		if !slices.Contains(names, want) {
			t.Errorf("the parameters %v lack %s", names, want)
		}
	}
	v, err := m.(family.Viewer).Views(0)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Matrices.Matrices[1].Name; got != "K of latent function f_2" {
		t.Errorf("the second matrix is %s", got)
	}
	set["latents"] = "3"
	_, err = spec.New(familytest.Values(t, spec, set), family.Data{X: x, Y: x}, 1)
	if err == nil || !strings.Contains(err.Error(), "want one kernel, or 3 for the GPs") {
		t.Errorf("two kernels for three latent functions: %v", err)
	}
	other := Families()[1].Hyperparameters
	at := slices.Index(family.Names(other), "latent_kernel")
	if other[at].Check(set["latent_kernel"]) == nil {
		t.Error("gprn-npv accepts several kernels")
	}
}

// cancelledLater is a context that is cancelled after the given number of checks.
type cancelledLater struct {
	context.Context
	looks int
}

func (c *cancelledLater) Err() error {
	c.looks--
	if c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// Cancellation before or during a step changes nothing, both for starting points and for steps that
// update hyperparameters.
func TestCancelledStepsChangeNothing(t *testing.T) {
	for _, spec := range Families() {
		m := build(t, spec, someData, nil)
		for _, until := range []int{1, 7} {
			for m.StepsDone() < until {
				familytest.Steps(t, m, 1)
			}
			checkCancelled(t, spec.Name, m)
		}
	}
}

// checkCancelled cancels a step and checks that nothing changed.
func checkCancelled(t *testing.T, name string, m family.Model) {
	t.Helper()
	x, _ := someData.targets()
	predicted := momentsOf(t, m, x)
	for looks := range 2 {
		familytest.Unchanged(t, name, m, func() {
			if _, err := m.Step(&cancelledLater{t.Context(), looks}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		})
		if !slices.Equal(momentsOf(t, m, x), predicted) {
			t.Errorf("%s: predictions changed", name)
		}
	}
}

// momentsOf returns the predictive means, followed by the variances.
func momentsOf(t *testing.T, m family.Model, x *mat.Dense) []float64 {
	t.Helper()
	p, err := m.Predict(x, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	n, outputs := p.Dims()
	mean := make([]float64, n*outputs)
	variance := make([]float64, n*outputs)
	p.(predictive.Regression).Moments(mean, variance)
	return append(mean, variance...)
}

func TestModelsConverge(t *testing.T) {
	s := setting{n: 60, d: 2, p: 3, seed: 4}
	test := s
	test.seed = 5
	x, y := test.targets()
	for _, spec := range Families() {
		m := build(t, spec, s, map[string]string{"ftol": "1e-4"})
		var r family.Report
		for range 2000 {
			r = familytest.Steps(t, m, 1)
			if r.Converged {
				break
			}
		}
		if !r.Converged {
			t.Errorf("%s has not converged: %+v", spec.Name, r)
		}
		if len(r.Terms) != len(spec.Objective.Terms) || len(r.Gauges) != len(spec.Objective.Gauges) {
			t.Errorf("%s: %d terms, %d gauges", spec.Name, len(r.Terms), len(r.Gauges))
		}
		mean := momentsOf(t, m, x)
		var squares float64
		for k, v := range y.RawMatrix().Data {
			squares += (v - mean[k]) * (v - mean[k]) / float64(len(y.RawMatrix().Data))
		}
		if rmse := math.Sqrt(squares); rmse > 0.6 { // the noise is 0.3
			t.Errorf("%s: RMSE %v", spec.Name, rmse)
		}
	}
}

func TestSizesMatchModels(t *testing.T) {
	s := setting{n: 30, d: 2, p: 3, seed: 1}
	for _, spec := range Families() {
		for _, set := range []map[string]string{nil, {"ard": "off", "points": "20"},
			{"learn_latent_variance": "on", "latents": "3"}, {"latent_kernel": "rbf & rq + linear"}} {
			if set["latent_kernel"] != "" && spec.Name == "gprn-npv" {
				continue
			}
			size, err := spec.Size(familytest.Values(t, spec, set), s.n, s.d, s.p)
			if err != nil {
				t.Fatal(err)
			}
			m := build(t, spec, s, set)
			variational := 0
			for _, a := range m.State() {
				if a.Name == "precision" || a.Name == "linear" {
					variational += len(a.Data)
				}
			}
			if m.NumParameters() != size.Parameters || variational > 0 && variational != size.Variational {
				t.Errorf("%s %v: %d parameters, %d of them variational; Size returns %+v",
					spec.Name, set, m.NumParameters(), variational, size)
			}
		}
	}
}

func TestBuildErrors(t *testing.T) {
	for _, spec := range Families() {
		for what, c := range map[string]struct {
			set  map[string]string
			want string
		}{
			"wrong number of lengthscales": {map[string]string{"latent_lengthscale": "1,2,3"},
				"2 for the lengthscales"},
			"several lengthscales without ard": {map[string]string{"weight_lengthscale": "1,2", "ard": "off"},
				"1 for the lengthscales"},
		} {
			x, y := someData.targets()
			m, err := spec.New(familytest.Values(t, spec, c.set), family.Data{X: x, Y: y}, 1)
			if err == nil || m != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v, %v", spec.Name, what, m, err)
			}
		}
		many := familytest.Values(t, spec, nil)
		many["latent_kernel"] = "rbf & rbf & rbf"
		_, err := spec.Size(many, 10, 2, 3)
		if err == nil || !strings.Contains(err.Error(), "want one kernel, or 2") {
			t.Errorf("%s: three kernels of two latent functions: %v", spec.Name, err)
		}
		_, err = spec.Size(familytest.Values(t, spec, nil), maxPoints+1, 2, 3)
		if err == nil || !strings.Contains(err.Error(), "0.2 GB; set points") {
			t.Errorf("%s: too many points: %v", spec.Name, err)
		}
		if _, err := spec.Size(familytest.Values(t, spec, map[string]string{"points": "100"}),
			maxPoints+1, 2, 3); err != nil {
			t.Errorf("%s: %v", spec.Name, err)
		}
	}
}

func TestNotes(t *testing.T) {
	for _, spec := range Families() {
		m := build(t, spec, someData, map[string]string{"points": "25"})
		notes := m.(family.Annotator).Notes()
		if len(notes) != 1 {
			t.Errorf("%s: notes %q before the starts", spec.Name, notes)
		}
		for range 3 {
			familytest.Steps(t, m, 1)
		}
		notes = m.(family.Annotator).Notes()
		if len(notes) != 2 ||
			notes[0] != "points=25: training on a random subset of 25 of the 40 training points" ||
			!strings.Contains(notes[1], " of 3 selected: ") {
			t.Errorf("%s: %q", spec.Name, notes)
		}
		if notes := build(t, spec, someData, map[string]string{
			"restarts": "1",
		}).(family.Annotator).Notes(); notes != nil {
			t.Errorf("%s: %q", spec.Name, notes)
		}
	}
}

// The first steps try starting points, report them in the phase and keep the best. More starting
// points never lower the bound.
func TestStarts(t *testing.T) {
	for _, spec := range Families() {
		m := build(t, spec, someData, map[string]string{"restarts": "4"})
		last := math.Inf(-1)
		for k := range 5 {
			r := familytest.Steps(t, m, 1)
			if k > 0 && r.Objective < last {
				t.Errorf("%s: step %d: %v after %v", spec.Name, k+1, r.Objective, last)
			}
			last = r.Objective
			want := fmt.Sprintf("start %d of 4, bound -", k+1)
			if best := fmt.Sprintf(", best %.6g",
				last); k < 4 && (!strings.HasPrefix(r.Phase, want) || !strings.HasSuffix(r.Phase, best)) ||
				k == 4 && strings.Contains(r.Phase, "start") {
				t.Errorf("%s: step %d is %q, the objective %v", spec.Name, k+1, r.Phase, last)
			}
		}
	}
}

func TestViews(t *testing.T) {
	for _, spec := range Families() {
		m := build(t, spec, someData, nil)
		for range 6 {
			familytest.Steps(t, m, 1)
		}
		v, err := m.(family.Viewer).Views(0)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Blocks.Check(); err != nil || len(v.Blocks.Parts) != 8 || v.Blocks.Parts[2].Group != 1 ||
			v.Blocks.Parts[7].Index != 5 {
			t.Errorf("%s: %v, parts %+v", spec.Name, err, v.Blocks.Parts)
		}
		if got := v.Blocks.Parts; got[0].Name != "f_1" || got[2].Name != "w_11" || got[7].Name != "w_32" {
			t.Errorf("%s: parts %+v", spec.Name, got)
		}
		// Functions are independent, and nearby points are correlated.
		if at := v.Blocks.At(0, 0); math.IsInf(at, -1) || !math.IsInf(v.Blocks.At(0, v.Blocks.Side()-1), -1) {
			t.Errorf("%s: covariances %v, %v", spec.Name, at, v.Blocks.At(0, v.Blocks.Side()-1))
		}
		var names []string
		for _, f := range v.Functions.Items {
			names = append(names, f.Name)
			if len(f.Mean) != len(v.Functions.Grid) || !(slices.Min(f.SD) > 0) {
				t.Errorf("%s: function %+v", spec.Name, f)
			}
		}
		if got := strings.Join(names, " "); got != "f_1 f_2 w_11 w_12 w_21 w_22 w_31 w_32" {
			t.Errorf("%s: functions %s", spec.Name, got)
		}
		checkDivergences(t, m, v.Matrices)
		checkFunctions(t, m, v.Functions)
		for _, k := range v.Matrices.Matrices {
			if !(k.Condition >= 1) || math.IsInf(float64(k.Condition), 0) || !(k.SmallestPivot > 0) {
				t.Errorf("%s: %+v", spec.Name, k)
			}
		}
	}
}

// checkFunctions compares the functions along each input with Functions at the same points.
func checkFunctions(t *testing.T, m family.Model, f *view.Functions) {
	t.Helper()
	x, _ := someData.targets()
	if err := f.Check(); err != nil || len(f.Lines()) != 2 || f.Lines()[1].Input != 1-f.Input {
		t.Fatalf("%v, functions along %d inputs", err, len(f.Lines()))
	}
	for _, l := range f.Lines() {
		points := mat.NewDense(len(l.Grid), 2, nil)
		for i, v := range l.Grid {
			other := 1 - l.Input
			points.Set(i, other, mat.Sum(x.ColView(other))/float64(someData.n))
			points.Set(i, l.Input, v)
		}
		list, err := m.(family.FunctionPredictor).Functions(points)
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range list {
			got := l.Items[k]
			for i := range want.Mean {
				if got.Name != want.Name || math.Abs(got.Mean[i]-want.Mean[i]) > 1e-9 ||
					math.Abs(got.SD[i]-want.SD[i]) > 1e-7 {
					t.Fatalf("%s along input %d at %d: %v, want %v",
						want.Name, l.Input+1, i, got.Mean[i], want.Mean[i])
				}
			}
		}
	}
}

// checkDivergences compares the KL of the functions with the terms of the bound.
func checkDivergences(t *testing.T, m family.Model, v *view.Matrices) {
	t.Helper()
	model, ok := m.(*Model)
	if !ok {
		return
	}
	var sum float64
	for _, kl := range v.KLByLayer {
		sum += float64(kl)
	}
	terms := model.network.terms
	if want := terms[termLatent] + terms[termWeight]; math.Abs(sum-want) > 1e-12*want ||
		len(v.Parts) != len(v.KLByLayer) || v.Parts[3] != "w_12" {
		t.Errorf("KLs %v of %v, want a sum of %v", v.KLByLayer, v.Parts, want)
	}
	if last := v.Matrices[len(v.Matrices)-1].Name; !strings.HasPrefix(last, "B of weight functions, GP w_") {
		t.Errorf("the last matrix is %s", last)
	}
}

// The blocks of the map are the posterior covariances.
func TestSigma(t *testing.T) {
	m := settings["missing"].network(t)
	w := m.works[0]
	order := m.order(view.Line{Column: view.Column{Width: 1}})
	for _, g := range m.groups {
		if err := g.factorise(w, m.noise[0]); err != nil {
			t.Fatal(err)
		}
		want := m.sigma(g)
		for k, v := range g.sigma(w, order) {
			if d := want.At(order[k/m.n], order[k%m.n]); math.Abs(v-d) > 1e-8 {
				t.Fatalf("entry %d is %v, want %v", k, v, d)
			}
		}
	}
}

// With almost no data (two points and few or no observed targets), nothing is NaN.
func TestAlmostNoData(t *testing.T) {
	for _, spec := range Families() {
		for _, y := range [][]float64{{math.NaN(), math.NaN(), math.NaN(), math.NaN()},
			{1, math.NaN(), -1, math.NaN()}, {0, 0, 0, 0}} {
			data := family.Data{X: mat.NewDense(2, 1, []float64{0.5, 0.5}), Y: mat.NewDense(2, 2, y)}
			m, err := spec.New(familytest.Values(t, spec, map[string]string{"latents": "3"}), data, 1)
			if err != nil {
				t.Fatal(err)
			}
			for range 8 {
				familytest.Steps(t, m, 1)
			}
			for k, v := range momentsOf(t, m, mat.NewDense(2, 1, []float64{0, 1})) {
				if math.IsNaN(v) || k >= 4 && !(v > 0) {
					t.Errorf("%s, targets %v: moment %d is %v", spec.Name, y, k, v)
				}
			}
			if _, err := m.(family.Viewer).Views(0); err != nil {
				t.Errorf("%s: %v", spec.Name, err)
			}
		}
	}
}
