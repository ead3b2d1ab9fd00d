package models

import (
	"context"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/likelihood"
	"dgplab/models/predictive"
	"dgplab/models/train"
	"dgplab/models/view"
	"dgplab/viz/golden"
)

// randomModels is the number of random models of each family.
const randomModels = 16

// randomKernels are kernels whose values and gradients do not amplify rounding errors.
var randomKernels = []string{"rbf", "matern32", "matern52", "matern52", "rq*constant + white",
	"rbf(0) + linear", "matern32 & rq"}

// randomMasks are patterns of blocks, some of which need certain layers.
var randomMasks = []string{"star", "chain,star", "mean-field, 2.1-1.1", "fully-coupled", "1.1-2.2,chain",
	"1/x1/0.1", "1/01", "1"}

// randomData returns a few points with targets of a random task that a family accepts. Inputs and points can
// repeat, inputs can encode a category, and targets can be missing.
func randomData(r *rand.Rand, spec Spec) Data {
	n, d := 6+r.IntN(20), 1+r.IntN(4)
	if r.IntN(10) == 0 {
		d = n // With an intercept, a linear model then has more weights than points.
	}
	data := Data{X: mat.NewDense(n, d, nil), Y: mat.NewDense(n, 1, nil), Steps: r.IntN(2) * 5}
	tasks := append(task.All(), task.Regression, task.Regression)
	for data.Task = tasks[r.IntN(len(tasks))]; spec.Accepts.Check(data.Task, data.Y) != nil; {
		data.Task = tasks[r.IntN(len(tasks))]
	}
	if spec.Accepts.Outputs && data.Task == task.Regression {
		data.Y = mat.NewDense(n, 1+r.IntN(3), nil)
	}
	if data.Task == task.Multiclass {
		data.Classes = 3 + r.IntN(2)
	}
	data.X.Apply(func(i, j int, _ float64) float64 {
		if i > 0 && r.IntN(12) == 0 {
			return data.X.At(i-1, j)
		}
		return r.NormFloat64()
	}, data.X)
	if d > 2 && r.IntN(2) == 0 {
		category := view.Column{Input: 1, Width: 2, Held: r.IntN(3), Category: &view.Category{
			Names: []string{"blue", "green", "red"}, Counts: []int{n - 2, 1, 1}}}
		category.Codes = [][]float64{{1.1, 0.3}, {-0.4, 1.2}, {-0.9, -1.4}}
		for i := range n {
			copy(data.X.RawRowView(i)[1:], category.Codes[r.IntN(3)])
		}
		data.Columns = []view.Column{{Width: 1}, category}
		for j := 3; j < d; j++ {
			data.Columns = append(data.Columns, view.Column{Input: j, Width: 1})
		}
	}
	data.Y.Apply(func(i, p int, _ float64) float64 {
		x := data.X.RawRowView(i)
		f := math.Sin(2*x[0]+float64(p)) + 0.5*x[d-1] + 0.2*r.NormFloat64()
		switch data.Task {
		case task.Binary:
			return math.Copysign(1, f)
		case task.Multiclass:
			return math.Floor(min(max(f+1.5, 0), float64(data.Classes-1)))
		case task.Count:
			return math.Floor(3 * math.Exp(f))
		}
		if spec.Accepts.Missing && r.IntN(15) == 0 {
			return math.NaN()
		}
		return f
	}, data.Y)
	return data
}

// randomValue returns a random value of a hyperparameter of a small model.
func randomValue(r *rand.Rand, h Hyperparameter, data Data, layers int) string {
	entries := 1
	if h.PerLayer || h.PerHiddenLayer || h.Kind == family.FloatList {
		entries = []int{1, layers}[r.IntN(2)]
	}
	if h.PerHiddenLayer {
		entries = max(1, entries-1)
	}
	var parts []string
	for range entries {
		switch h.Kind {
		case family.Int, family.IntList:
			size := map[string]int{"batch": 20, "points": 20, "inducing": 7, "layers": 3}[h.Name]
			parts = append(parts, strconv.Itoa(int(h.Min)+r.IntN(max(size, 4))))
		case family.Float, family.FloatList:
			first, _, _ := strings.Cut(h.Default, ",")
			near, _ := strconv.ParseFloat(first, 64)
			switch { // Small gradients and large steps amplify rounding errors.
			case h.Name == "learning_rate":
				near = 0.002
			case near == 0 || h.Name == "inner_scale":
				near = 0.5
			}
			v := min(max(near*math.Exp2(r.NormFloat64()), h.Min), h.Max)
			parts = append(parts, strconv.FormatFloat(v, 'g', 4, 64))
		case family.Bool:
			parts = append(parts, []string{"on", "off"}[r.IntN(2)])
		case family.Expression:
			parts = append(parts, randomKernels[r.IntN(len(randomKernels))])
		case family.Text:
			parts = append(parts, randomMasks[r.IntN(len(randomMasks))])
		default:
			parts = append(parts, slices.Concat(h.Choices, []string{h.Default})[r.IntN(len(h.Choices)+1)])
		}
	}
	text := strings.Join(parts, ",")
	if h.Name == "likelihood" {
		_, err := likelihood.Find(text, data.Task)
		if err != nil {
			return h.Default
		}
	}
	if h.Validate(text) != nil {
		return h.Default
	}
	return text
}

// randomSettings returns random values of the hyperparameters of a family.
func randomSettings(r *rand.Rand, spec Spec, data Data) map[string]string {
	set := map[string]string{}
	layers := 1
	for _, h := range spec.Hyperparameters {
		if h.Kind == family.Int || h.Kind == family.IntList || h.Name == "inner_scale" ||
			h.Name == "learning_rate" || r.IntN(2) == 0 {
			set[h.Name] = randomValue(r, h, data, layers)
		}
		if h.Name == "layers" {
			layers, _ = strconv.Atoi(set[h.Name])
		}
	}
	return set
}

// visitRandom builds a model, starts it from another model unless that is nil, takes some steps and calls
// visit for everything that it reports, shows, predicts and exports. It returns the model, or nil if the
// settings do not apply to the data.
func visitRandom(
	t *testing.T, spec Spec, set map[string]string, data Data, seed uint64, from Model,
	visit func(name string, result any, err error),
) Model {
	t.Helper()
	values := familytest.Values(t, spec, set)
	n, d := data.X.Dims()
	latents, err := data.Latents(values)
	visit("latents", latents, err)
	for _, rows := range []int{n, 5000} {
		size, err := spec.Size(values, rows, d, latents)
		visit("size", size, err)
	}
	m, err := spec.New(values, data, seed)
	visit("new", nil, err)
	if err != nil {
		return nil
	}
	if from != nil {
		transfer, err := train.WarmStart(m, from, seed%2 == 0)
		visit("warm start", transfer, err)
	}
	if timer, ok := m.(family.StepTimer); ok {
		var now time.Duration
		timer.TimeNextStep(func() time.Duration {
			now += now + 1
			return now
		})
	}
	for range 6 {
		report, err := m.Step(context.Background())
		visit("step", report, err)
	}
	if seed%4 < 2 {
		restored, err := spec.New(values, data, seed)
		visit("new", nil, err)
		familytest.Restore(t, restored, m)
		m = restored
	}
	visit("parameters", m.NumParameters(), nil)
	visit("state", m.State(), nil)
	if a, ok := m.(family.Annotator); ok {
		visit("notes", a.Notes(), nil)
	}
	if e, ok := m.(family.Evaluator); ok {
		value, known, err := e.EvaluateObjective(context.Background(), seed)
		visit("objective", []any{value, known}, err)
	}
	if s, ok := m.(family.JointSampler); ok {
		visit("jointly", nil, s.DrawsJointly())
	}
	if s, ok := m.(family.InducingModel); ok {
		visit("inducing", s.InducingInputs(), nil)
	}
	p, err := m.Predict(data.X, 3, seed)
	visit("predict", nil, err)
	if err == nil {
		n, outputs := p.Dims()
		size := n * outputs
		switch p := p.(type) {
		case predictive.Classification:
			probabilities := make([]float64, n*p.Classes())
			p.Probabilities(probabilities)
			visit("probabilities", probabilities, nil)
		case predictive.Regression:
			mean := make([]float64, size)
			variance := make([]float64, size)
			p.Moments(mean, variance)
			visit("moments", [][]float64{mean, variance}, nil)
		}
	}
	x := mat.DenseCopyOf(data.X.Slice(0, 3, 0, data.X.RawMatrix().Cols))
	x.Apply(func(i, _ int, v float64) float64 { return v + 0.3*float64(i) }, x)
	visitResults(t, m, data, x, visit)
	return m
}

// TestRecordedRandomModels compares sums over everything that models with random settings and data report,
// show, predict and export with recorded ones.
func TestRecordedRandomModels(t *testing.T) {
	var d golden.Digest
	d.Begin("results of random models")
	for _, spec := range Families() {
		r := rand.New(rand.NewPCG(11, uint64(crc32.ChecksumIEEE([]byte(spec.Name)))))
		var sums []float64
		var last Model
		for i := range randomModels {
			from := last
			if i%2 == 0 {
				from = nil
			}
			data := randomData(r, spec)
			set := randomSettings(r, spec, data)
			last = visitRandom(t, spec, set, data, r.Uint64(), from, func(_ string, result any, err error) {
				if err != nil {
					result = err.Error()
				}
				sums = append(sums, math.Sin(sumOf(result))) // A large result does not hide the others.
			})
		}
		d.Add(t, spec.Name, sums, nil)
	}
	d.Check(t, "random")
}

// numbersOf adds the numbers of a value, its truth values, and a checksum of each text.
func numbersOf(list []float64, v reflect.Value) []float64 {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			list = numbersOf(list, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			list = numbersOf(list, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		from := len(list)
		for i := range v.Len() {
			list = numbersOf(list, v.Index(i))
		}
		if v.Type() == reflect.TypeFor[view.Symmetric]() {
			for i, log := range list[from:] {
				list[from+i] = max(log, -15) // Smaller values are rounding errors.
			}
		}
	case reflect.String:
		list = append(list, float64(crc32.ChecksumIEEE([]byte(v.String()))%1000)/100)
	case reflect.Bool:
		list = append(list, map[bool]float64{false: 0, true: 1}[v.Bool()])
	case reflect.Float64, reflect.Float32:
		list = append(list, v.Float())
	default:
		if v.CanInt() {
			list = append(list, float64(v.Int()))
		} else if v.CanUint() {
			list = append(list, float64(v.Uint()))
		}
	}
	return list
}
