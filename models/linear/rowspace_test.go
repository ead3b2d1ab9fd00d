package linear

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// wide returns n points with d inputs. The last two points have equal inputs.
func wide(of task.Task, n, d, targets int) family.Data {
	rng := rand.New(rand.NewPCG(5, 9))
	data := example(of, n, targets)
	data.X = mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			data.X.Set(i, j, rng.NormFloat64())
		}
	}
	data.X.SetRow(n-1, data.X.RawRowView(n-2))
	return data
}

// If there are fewer points than weights, the reduced model agrees with the full model in the
// evidence and its gradient, the latent functions at any point, and the weights.
func TestRowSpaceIsTheSameModel(t *testing.T) {
	for _, of := range []task.Task{task.Regression, task.Binary, task.Multiclass} {
		for _, intercept := range []bool{false, true} {
			for _, d := range []int{9, 25} {
				t.Run(fmt.Sprintf("%v, intercept %v, %d inputs", of, intercept, d), func(t *testing.T) {
					targets := 1
					if of == task.Regression {
						targets = 2
					}
					data := wide(of, 9, d, targets)
					if of == task.Regression {
						data.Y.Set(4, 1, math.NaN())
					}
					sameModel(t, data, intercept)
				})
			}
		}
	}
}

func sameModel(t *testing.T, data family.Data, intercept bool) {
	_, d := data.X.Dims()
	values := map[string]string{
		"precision": "0.7", "intercept": map[bool]string{true: "on", false: "off"}[intercept],
	}
	v, err := family.Resolve(hyperparameters(), values)
	if err != nil {
		t.Fatal(err)
	}
	m, err := build(v, data)
	if err != nil {
		t.Fatal(err)
	}
	if reduced := d > 9 || intercept; (m.space != nil) != reduced {
		t.Fatalf("%d inputs: a row space %v", d, m.space != nil)
	}
	whole := newPoints(data.X, observed(data.Y, 0), intercept)
	want, err := newProblem(v, data, whole, intercept)
	if err != nil {
		t.Fatal(err)
	}
	gradient := make([]float64, want.Parameters().Size())
	objective, err := want.Evaluate(gradient)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, len(gradient))
	value, err := m.problem.Evaluate(got)
	if err != nil {
		t.Fatal(err)
	}
	oracletest.Close(t, "evidence", []float64{value}, []float64{objective}, 1e-10)
	oracletest.Close(t, "gradient", got, gradient, 1e-9)

	at := mat.NewDense(4, d, nil)
	rng := rand.New(rand.NewPCG(8, 8))
	for i := range 3 {
		for j := range d {
			at.Set(i, j, 2*rng.NormFloat64())
		}
	}
	at.SetRow(3, data.X.RawRowView(2))
	mean, vr, err := m.problem.latent(m.at(at))
	if err != nil {
		t.Fatal(err)
	}
	wantMean, wantVar, err := want.latent(whole.all(at))
	if err != nil {
		t.Fatal(err)
	}
	oracletest.Close(t, "means", mean, wantMean, 1e-9)
	oracletest.Close(t, "variances", vr, wantVar, 1e-9)
	weights, err := m.meanWeights()
	if err != nil {
		t.Fatal(err)
	}
	wantWeights, err := want.weights()
	if err != nil {
		t.Fatal(err)
	}
	oracletest.Close(t, "weights", weights, wantWeights, 1e-9)
}

// Functions drawn from the reduced model are planes with the covariances of the full model, also
// far from the training points.
func TestDrawnPlanesAcrossTheRowSpace(t *testing.T) {
	data := wide(task.Regression, 5, 12, 1)
	v, err := family.Resolve(hyperparameters(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := build(v, data)
	if err != nil {
		t.Fatal(err)
	}
	at := mat.NewDense(3, 12, nil)
	for j := range 12 {
		at.Set(0, j, math.Cos(float64(j)))
		at.Set(1, j, math.Sin(float64(2*j))-0.5)
		at.Set(2, j, (at.At(0, j)+at.At(1, j))/2)
	}
	const count = 6000
	draws, err := m.DrawFunctions(at, count, 3)
	if err != nil {
		t.Fatal(err)
	}
	mean, vr, err := m.problem.latent(m.at(at))
	if err != nil {
		t.Fatal(err)
	}
	var f [3][]float64
	for _, d := range draws {
		for i, value := range d[0] {
			f[i] = append(f[i], value)
		}
		if off := d[0][2] - (d[0][0]+d[0][1])/2; math.Abs(off) > 1e-9 {
			t.Fatalf("f((a + b)/2) is %v off (f(a) + f(b))/2", off)
		}
	}
	for i := range f {
		got, square := stat.PopMeanVariance(f[i], nil)
		sd := math.Sqrt(vr[i])
		if math.Abs(got-mean[i]) > 5*sd/math.Sqrt(count) || math.Abs(square/vr[i]-1) > 5*math.Sqrt(2./count) {
			t.Errorf("point %d: mean %v, variance %v; want %v, %v", i, got, square, mean[i], vr[i])
		}
	}
}

// With far more inputs than points, memory does not grow with the square of the number of inputs.
func TestManyInputsTakeLittleMemory(t *testing.T) {
	const n, d = 6, 40000
	v, err := family.Resolve(hyperparameters(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := size(v, n, d, 1)
	if err != nil || s.Memory > 8*200*d {
		t.Errorf("estimated %v bytes, %v", s.Memory, err)
	}
	m, err := build(v, wide(task.Regression, n, d, 1))
	if err != nil || m.x.d != n+1 {
		t.Errorf("%v: %d inputs", err, m.x.d)
	}
}

// Fit returns the weights of all inputs, even if there are more inputs than points.
func TestFitOfManyInputs(t *testing.T) {
	data := wide(task.Regression, 9, 25, 2)
	fitted, err := Fit(context.Background(), data)
	if err != nil {
		t.Fatal(err)
	}
	v, err := family.Resolve(hyperparameters(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := build(v, data)
	if err != nil {
		t.Fatal(err)
	}
	for {
		report, err := m.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if report.Converged {
			break
		}
	}
	out, err := m.Predict(data.X, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	mean := out.(*predictive.Gaussians).Mean
	for i := range 9 {
		for k := range 2 {
			w := fitted.Weights.RawRowView(k)
			got := w[25] + floats.Dot(w[:25], data.X.RawRowView(i))
			if math.Abs(got-mean[2*i+k]) > 1e-9 {
				t.Errorf("point %d, target %d: %v, want %v", i, k, got, mean[2*i+k])
			}
		}
	}
}
