package probe

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/predictive"
	"dgplab/models/view"
)

// trainedOn returns a probe with a model of a family at its initial parameters, on standardised data.
func trainedOn(t *testing.T, name string, set map[string]string, x, y []float64) *Probe {
	t.Helper()
	return trainedOnTask(t, task.Regression, name, set, x, y)
}

// trainedOnTask is like trainedOn, for targets of any task.
func trainedOnTask(
	t *testing.T, of task.Task, name string, set map[string]string, x, y []float64,
) *Probe {
	t.Helper()
	spec, err := models.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := models.Resolve(spec.Hyperparameters, set)
	if err != nil {
		t.Fatal(err)
	}
	part := datasets.Part{X: mat.NewDense(len(x), 1, x), Y: mat.NewDense(len(y), 1, y)}
	part.Targets = part.Y
	m, err := spec.New(v, family.Data{X: part.X, Y: part.Y, Task: of}, 1)
	if err != nil {
		t.Fatal(err)
	}
	scaling := datasets.Scaling{
		InputMean: []float64{0}, InputSD: []float64{1}, TargetMean: []float64{0}, TargetSD: []float64{1},
	}
	return &Probe{ctx: t.Context(), seed: 3, Model: m, columns: columnNames{inputs: []string{"x"}},
		Data: &datasets.Prepared{Train: part, Scaling: scaling, Task: of}}
}

var wave = []float64{-1, -0.6, -0.1, 0.5, 1}

// The best design of a straight line is at both ends of its range (Fedorov, "Theory of Optimal
// Experiments", 1972, section 2.3); the joint draws of a linear model have exactly its covariance.
func TestSuggestEndsOfALine(t *testing.T) {
	for _, criterion := range []Criterion{ALM, ALC, IMSE} {
		y := []float64{-1, -0.5, 0, 0.6, 1}
		p := trainedOn(t, "linear", map[string]string{"intercept": "on"}, wave, y)
		out, err := p.Suggest(t.Context(), nil, 1,
			SuggestOptions{Criterion: criterion, Count: 2, Hypercube: 60})
		if err != nil {
			t.Fatal(err)
		}
		var ends []float64
		for _, s := range out.List {
			ends = append(ends, s.number(t))
			at, err := p.predictAt(mat.NewDense(1, 1, []float64{s.number(t)}), 1, 1)
			if err != nil {
				t.Fatal(err)
			}
			var mean, variance [1]float64
			at.(predictive.Regression).Moments(mean[:], variance[:])
			if math.Abs(s.Mean[0]-mean[0]) > 1e-6 || math.Abs(s.SD[0]-math.Sqrt(variance[0])) > 1e-6 {
				t.Errorf("%s: mean %v, SD %v; want %v, variance %v", criterion, s.Mean, s.SD, mean, variance)
			}
		}
		slices.Sort(ends)
		if ends[0] > -0.9 || ends[1] < 0.9 || out.Draws != suggestionDraws || out.Candidates != 60 {
			t.Errorf("%s: %v, %+v", criterion, ends, out)
		}
	}
}

// number returns the only input.
func (s Suggestion) number(t *testing.T) float64 {
	t.Helper()
	if len(s.Inputs) != 1 {
		t.Fatalf("inputs %q", s.Inputs)
	}
	v, err := strconv.ParseFloat(s.Inputs[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Variances after each suggestion equal those of a GP trained on the suggested inputs as well, for any
// targets, and the scores are the variances and their reductions.
func TestSuggestEqualsRefits(t *testing.T) {
	set := map[string]string{"noise_variance": "0.05", "lengthscale": "0.4"}
	y := []float64{0.3, -0.2, 0.1, 0.9, -0.4}
	for _, criterion := range []Criterion{ALM, ALC} {
		x := slices.Clone(wave)
		targets := slices.Clone(y)
		p := trainedOn(t, "gp", set, slices.Clone(x), slices.Clone(targets))
		out, err := p.Suggest(t.Context(), nil, 1,
			SuggestOptions{Criterion: criterion, Count: 4, Hypercube: 40})
		if err != nil {
			t.Fatal(err)
		}
		grid := p.hypercube(40, "candidates").x
		variances := func() []float64 {
			m := trainedOn(t, "gp", set, slices.Clone(x), slices.Clone(targets)).Model.(family.JointPredictor)
			_, k, err := m.JointMoments(grid)
			if err != nil {
				t.Fatal(err)
			}
			var list []float64
			for i := range 40 {
				list = append(list, k[0][i*40+i])
			}
			return list
		}
		before := variances()
		for _, s := range out.List {
			at := s.number(t)
			x = append(x, at)
			targets = append(targets, 0)
			after := variances()
			want := slices.Max(before)
			if criterion == ALC {
				want = 0
				for i, v := range before {
					want += (v - after[i]) / 40
				}
			}
			if math.Abs(s.Score-want) > 1e-9 {
				t.Errorf("%s at %v: score %v, want %v", criterion, at, s.Score, want)
			}
			before = after
		}
	}
}

// Expected improvement has the closed form of Jones et al. 1998, and finds the minimum of a parabola.
func TestExpectedImprovement(t *testing.T) {
	d := &design{criterion: EI, candidates: 1, mean: [][]float64{{0.5}}, covariance: [][]float64{{4}},
		noise: []float64{0.1}, best: 1}
	const want = 1.07269 // 0.5 Phi(0.25) + 2 phi(0.25)
	if got := d.score(0); math.Abs(got-want) > 1e-5 {
		t.Errorf("%v, want %v", got, want)
	}
	d.covariance[0][0] = 0
	if got := d.score(0); got != 0.5 {
		t.Errorf("without variance: %v", got)
	}
	x := []float64{-1, -0.5, 0, 0.5, 1}
	y := []float64{1.5, 0.4, -0.1, 0.1, 1}
	set := map[string]string{"noise_variance": "1e-4", "lengthscale": "0.8"}
	for _, maximise := range []bool{false, true} {
		p := trainedOn(t, "gp", set, slices.Clone(x), slices.Clone(y))
		out, err := p.Suggest(t.Context(), nil, 1,
			SuggestOptions{Criterion: EI, Count: 1, Hypercube: 200, Maximise: maximise})
		if err != nil {
			t.Fatal(err)
		}
		at := out.List[0].number(t)
		if !maximise && math.Abs(at-0.2) > 0.15 || maximise && at > -0.9 {
			t.Errorf("maximise %v: %v", maximise, at)
		}
	}
}

// The search for the maximum of some targets equals the search for the minimum of their negatives.
func TestSuggestMaximum(t *testing.T) {
	set := map[string]string{"noise_variance": "0.05", "lengthscale": "0.4"}
	var scores [2][]float64
	for k, sign := range []float64{1, -1} {
		var y []float64
		for _, v := range []float64{0.3, -0.2, 0.1, 0.9, -0.4} {
			y = append(y, sign*v)
		}
		p := trainedOn(t, "gp", set, slices.Clone(wave), y)
		out, err := p.Suggest(t.Context(), nil, 1,
			SuggestOptions{Criterion: EI, Count: 4, Hypercube: 40, Maximise: k == 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range out.List {
			scores[k] = append(scores[k], s.number(t), s.Score)
		}
	}
	for i, want := range scores[0] {
		if math.Abs(scores[1][i]-want) > 1e-9 {
			t.Errorf("maximum %v, minimum of the negatives %v", scores[1], scores[0])
			break
		}
	}
}

// Models without a joint posterior use marginal variances and say so.
func TestSuggestWithoutJointPosterior(t *testing.T) {
	p := trainedOn(t, "idsgp", map[string]string{"inducing": "3"}, wave, slices.Clone(wave))
	out, err := p.Suggest(t.Context(), nil, 4, SuggestOptions{Criterion: ALM, Count: 2, Hypercube: 20})
	if err != nil || out.Note == "" || out.Draws != 0 || out.List[0].Score < out.List[1].Score {
		t.Errorf("%+v, %v", out, err)
	}
	for _, o := range []SuggestOptions{
		{Criterion: IMSE, Count: 1, Hypercube: 5}, {Criterion: ALM, Count: 6, Hypercube: 5},
		{Criterion: ALM, Count: 1, Hypercube: 1 << 13},
	} {
		if _, err := p.Suggest(t.Context(), nil, 4, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// A Latin hypercube has one point in each interval of every column, within the training inputs.
func TestHypercube(t *testing.T) {
	p := trainedOn(t, "gp", nil, slices.Clone(wave), slices.Clone(wave))
	x := mat.Col(nil, 0, p.hypercube(10, "candidates").x)
	slices.Sort(x)
	for i, v := range x {
		if v < -1+0.2*float64(i)-1e-5 || v > -1+0.2*float64(i+1)+1e-5 {
			t.Errorf("point %d is %v", i, v)
		}
	}
}

// faulty is a linear model whose operations beyond predictions fail.
type faulty struct {
	*linear
	err error
}

func (m faulty) DrawFunctions(*mat.Dense, int, uint64) ([][][]float64, error) { return nil, m.err }

func (m faulty) Functions(*mat.Dense) ([]view.Function, error) { return nil, m.err }

func (m faulty) Posterior(*mat.Dense) (family.Arrays, error) { return family.Arrays{}, m.err }

// unmoved is a faulty model with joint moments.
type unmoved struct{ faulty }

func (m unmoved) JointMoments(*mat.Dense) (mean, covariance [][]float64, err error) {
	return nil, nil, m.err
}

// The errors of a model are the errors of suggestions, planes and posteriors.
func TestErrorsOfModels(t *testing.T) {
	no := errors.New("no")
	alm := SuggestOptions{Criterion: ALM, Count: 1, Hypercube: 5}
	ei := SuggestOptions{Criterion: EI, Count: 1, Hypercube: 5}
	suggest := func(o SuggestOptions) func(p *Probe) error {
		return func(p *Probe) error { _, err := p.Suggest(t.Context(), nil, 4, o); return err }
	}
	for name, c := range map[string]struct {
		model func(m *linear) family.Model
		// fail is the call of Predict that fails, from 1, or 0.
		fail int
		do   func(p *Probe) error
	}{
		"draws":       {func(m *linear) family.Model { return faulty{m, no} }, 0, suggest(alm)},
		"joint":       {func(m *linear) family.Model { return unmoved{faulty{m, no}} }, 0, suggest(alm)},
		"predict":     {func(m *linear) family.Model { return m }, 1, suggest(alm)},
		"describe":    {func(m *linear) family.Model { return m }, 2, suggest(alm)},
		"best":        {func(m *linear) family.Model { return m }, 2, suggest(ei)},
		"describe ei": {func(m *linear) family.Model { return m }, 3, suggest(ei)},
		"export draws": {func(m *linear) family.Model { return faulty{m, no} }, 0,
			func(p *Probe) error { _, err := p.Posterior(); return err }},
		"plane": {func(m *linear) family.Model { return faulty{m, no} }, 0,
			func(p *Probe) error { _, err := p.Plane(t.Context(), 1); return err }},
		"predict plane": {func(m *linear) family.Model { return m }, 1,
			func(p *Probe) error { _, err := p.Plane(t.Context(), 1); return err }},
	} {
		m := new(linear)
		calls := 0
		m.onPredict = func(int) {
			calls++
			if calls == c.fail {
				m.err = no
			}
		}
		p := onPlane(m)
		p.ctx = t.Context()
		p.Data.Test = p.Data.Train
		p.Model = c.model(m)
		if err := c.do(p); !errors.Is(err, no) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := onPlane(new(linear))
	p.Data.Task = task.Binary
	if err := suggest(ei)(p); err == nil || err.Error() != "the criterion ei needs a single real target" {
		t.Errorf("classes: %v", err)
	}
	p = onPlane(&linear{class: true})
	p.Data.Task = task.Binary
	if err := suggest(alm)(p); err == nil || !strings.HasPrefix(err.Error(), "classes need functions") {
		t.Errorf("classes without functions: %v", err)
	}
	wrong := places{n: 2, inputs: func(int, int) *mat.Dense { return copyRows(p.Data.Train.X, nil, 0, 1) }}
	err := p.predictInChunks(t.Context(), wrong, 4, 1, "", func(int, predictive.Predictive) {})
	if err == nil || err.Error() != "the model returned 1 predictions for 2 points" {
		t.Errorf("too few predictions: %v", err)
	}
	p.abandoned = true
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.ctx = ctx
	if _, err := p.predictAt(p.Data.Train.X, 4, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("after an abandoned query: %v", err)
	}
}

// Dates are written as whole days or seconds, which the tables of new rows accept.
func TestSuggestDates(t *testing.T) {
	for unit, want := range map[string]string{
		"days since 1970": "2024-02-29", "seconds since 1970": "2024-02-29 13:05:10",
	} {
		p := trainedOn(t, "linear", nil, wave, wave)
		p.columns.inputUnits = []string{unit}
		day := 19782.0 // from 1970-01-01 to 2024-02-29
		at := day
		if unit == "seconds since 1970" {
			at = 86400*day + 13*3600 + 5*60 + 10
		}
		p.Data.Scaling.InputMean[0] = at
		if cells := p.cellsOf([]float64{at}); !slices.Equal(cells, []string{want}) {
			t.Errorf("%s: %q, want %s", unit, cells, want)
		}
		c := p.hypercube(3, "candidates")
		for i := range 3 {
			if v := c.given.At(i, 0); v != math.Round(v) {
				t.Errorf("%s: candidate %v is no whole number", unit, v)
			}
		}
	}
}

// Likelihoods with a second function, the log variance of the noise, do not disturb suggestions.
func TestSuggestWithVaryingNoise(t *testing.T) {
	set := map[string]string{"likelihood": "heteroscedastic", "inducing": "3"}
	p := trainedOn(t, "svgp", set, wave, []float64{0.3, -0.2, 0.1, 0.9, -0.4})
	out, err := p.Suggest(t.Context(), nil, 4, SuggestOptions{Criterion: ALC, Count: 2, Hypercube: 20})
	if err != nil || len(out.List) != 2 || !(out.List[0].Score > 0) {
		t.Errorf("suggested %+v, %v", out, err)
	}
}

// An observed count determines the logarithm of its rate up to about the inverse of the count, so a batch
// spreads over the inputs.
func TestSuggestForCounts(t *testing.T) {
	set := map[string]string{"likelihood": "poisson", "inducing": "5", "lengthscale": "0.5"}
	p := trainedOnTask(t, task.Count, "svgp", set, wave, []float64{30, 20, 40, 25, 35})
	out, err := p.Suggest(t.Context(), nil, 4, SuggestOptions{Criterion: ALM, Count: 2, Hypercube: 40})
	if err != nil {
		t.Fatal(err)
	}
	d := &design{criterion: ALM, candidates: len(wave)}
	x := mat.NewDense(len(wave), 1, slices.Clone(wave))
	if err := p.designMoments(t.Context(), d, x, 4, new(Suggestions)); err != nil {
		t.Fatal(err)
	}
	rates := make([]float64, len(wave))
	predicted, err := p.predictAt(x, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	predicted.(predictive.Regression).Moments(rates, make([]float64, len(wave)))
	if got := 1 / stat.Mean(rates, nil); math.Abs(d.noise[0]/got-1) > 1e-6 {
		t.Errorf("noise variance %v, want %v", d.noise[0], got)
	}
	a := out.List[0].number(t)
	b := out.List[1].number(t)
	if !(math.Abs(a-b) > 0.3) {
		t.Errorf("suggested %v and %v", a, b)
	}
}

// ALC averages over at most 200 candidates, and IMSE over 200 other points. The numbers of candidates and
// suggestions are limited.
func TestSuggestLimits(t *testing.T) {
	p := trainedOn(t, "gp", nil, slices.Clone(wave), slices.Clone(wave))
	for _, c := range []struct {
		o          SuggestOptions
		references int
		want       string
	}{
		{SuggestOptions{Criterion: ALC, Count: 1, Hypercube: 250}, 200, ""},
		{SuggestOptions{Criterion: ALC, Count: 1, Hypercube: 20}, 20, ""},
		{SuggestOptions{Criterion: IMSE, Count: 1, Hypercube: 20}, 200, ""},
		{SuggestOptions{Criterion: ALM, Count: 1, Hypercube: 20}, 0, ""},
		{SuggestOptions{Criterion: ALM, Count: 9999, Hypercube: mostJointRows - mostReferences}, 0,
			"9999 suggestions need as many candidates"},
		{SuggestOptions{Criterion: ALM, Count: 9999, Hypercube: mostJointRows - mostReferences + 1}, 0,
			"candidates are too many"},
	} {
		out, err := p.Suggest(t.Context(), nil, 1, c.o)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: error %v, want %q", c.o, err, c.want)
			}
			continue
		}
		if err != nil || out.References != c.references || out.Candidates != c.o.Hypercube {
			t.Errorf("%+v: %+v, %v", c.o, out, err)
		}
	}
}

// Every level of a category has the same number of points in a Latin hypercube.
func TestHypercubeOfCategories(t *testing.T) {
	p := ofTable(t, mixedTable, 1, 2, 3, 0.5, 10)
	c := p.hypercube(12, "candidates")
	counts := map[string]int{}
	for i := range 12 {
		cells := p.cellsOf(c.given.RawRowView(i))
		counts[cells[0]]++
		counts[cells[2]]++
	}
	for level, want := range map[string]int{"red": 4, "blue": 4, "green": 4, "yes": 6, "no": 6} {
		if counts[level] != want {
			t.Errorf("%d points are %s, want %d", counts[level], level, want)
		}
	}
	at := p.numbersOf(c.given.RawRowView(0))
	cells := p.cellsOf(c.given.RawRowView(0))
	if !math.IsNaN(at[0]) || strconv.FormatFloat(at[1], 'g', -1, 64) != cells[1] || !math.IsNaN(at[2]) {
		t.Errorf("numbers %v of %q", at, cells)
	}
}

// Without a joint posterior, each target has the moments of its own predictions. The first function of each
// target is in its units.
func TestMomentsOfTargets(t *testing.T) {
	d := &design{criterion: ALM}
	out := &Suggestions{Note: "no draws"}
	err := new(Probe).marginalMoments(d, []float64{1, 2, 3, 4, 5, 6}, []float64{7, 8, 9, 10, 11, 12}, 2, out)
	if err != nil || !d.independent || !slices.Equal(d.mean[0], []float64{1, 3, 5}) ||
		!slices.Equal(d.mean[1], []float64{2, 4, 6}) || d.variance(0, 2) != 11 ||
		!slices.Equal(d.covariance[1], []float64{8, 10, 12}) ||
		!strings.HasPrefix(out.Note, "no draws; the suggestions ignore each other") {
		t.Errorf("%+v, %+v, %v", d, out, err)
	}
	functions := [][]float64{{1}, {2}, {3}, {4}, {5}, {6}}
	if got := firstOfEach(functions, 2); len(got) != 2 || got[0][0] != 1 || got[1][0] != 4 {
		t.Errorf("first functions %v", got)
	}
}
