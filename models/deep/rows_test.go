package deep

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/oracletest"
	"dgplab/models/train"
)

// rowsSettings are the tested settings of the families that accept known noise and weights.
var rowsSettings = []familytest.Setting{
	familytest.NewSetting("solve-gp", "inducing", "6", "orthogonal", "4"),
	familytest.NewSetting("ppgpr", "inducing", "6"),
	familytest.NewSetting("dspp", "inducing", "6,5", "samples", "4", "layers", "2", "width", "2"),
	familytest.NewSetting("dsdgp", "inducing", "6,5", "samples", "3", "layers", "2", "width", "2"),
	familytest.NewSetting("dgp-iw", "inducing", "6,5", "samples", "3", "layers", "2", "width", "2"),
}

// noiseSettings holds settings of each family that accepts a known noise.
var noiseSettings = append(slices.Clip(rowsSettings),
	familytest.NewSetting("avdgp", "inducing", "3", "layers", "2", "width", "2", "samples", "3"),
	familytest.NewSetting("idsgp", "inducing", "3"),
)

// newRowsModel returns a model whose minibatch has all points.
func newRowsModel(t *testing.T, s familytest.Setting, data family.Data) *Model {
	t.Helper()
	return batched(t, s, data, "1000")
}

// batched returns a model with a size of minibatches. Size counts a learned noise, so it is not compared.
func batched(t *testing.T, s familytest.Setting, data family.Data, batch string) *Model {
	t.Helper()
	spec := s.Spec(Families())
	m, err := spec.New(familytest.Values(t, spec, s.With("batch", batch).Set), data, 3)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*Model)
}

// setPoints makes all points of the data the minibatch, in order, with the draws of the points that they are
// copies of. Draws of point i are a function of i.
func (p *problem) setPoints(origin []int) {
	all := make([]int, len(origin))
	for i := range all {
		all[i] = i
	}
	train.Columns(p.x.Value, p.data.X, all)
	train.Columns(p.y.Value, p.data.Y, all)
	p.rows.Gather(p.data.Noise, p.data.Weights, all)
	for l, eps := range p.eps {
		for row := range eps.Rows {
			for s := range eps.Cols / len(origin) {
				for k, i := range origin {
					eps.Row(row)[s*len(origin)+k] = math.Sin(float64(1 + l + 7*row + 13*s + 29*i))
				}
			}
		}
	}
}

// evaluated returns the objective and its gradient.
func evaluated(t *testing.T, p *problem) (value float64, gradient []float64) {
	t.Helper()
	gradient = make([]float64, p.Set.Size())
	value, err := p.Evaluate(gradient)
	if err != nil {
		t.Fatal(err)
	}
	return value, gradient
}

// copyTo gives another problem the parameters of p.
func (p *problem) copyTo(other *problem) {
	copy(other.Set.Free, p.Set.Free)
	other.Set.Forward()
	if p.stack.trend != nil {
		copy(other.stack.trend.weights, p.stack.trend.weights)
	}
}

// consecutive returns 0 to n-1.
func consecutive(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// A point of weight 2 or 3 counts like two or three equal points with equal draws, in the objective and its
// gradient.
func TestWeightsEqualRepeatedRows(t *testing.T) {
	const n = 20
	for _, s := range rowsSettings {
		for _, learned := range []bool{false, true} {
			data := familytest.Wave(n, 1)
			data.LearnedNoise = learned
			repeated := family.Data{LearnedNoise: learned}
			var origin []int
			var x, y []float64
			for i := range n {
				data.Noise = append(data.Noise, 0.02+0.01*float64(i%5))
				data.Weights = append(data.Weights, float64(1+i%3))
				for range 1 + i%3 {
					origin = append(origin, i)
					x = append(x, data.X.RawRowView(i)...)
					y = append(y, data.Y.At(i, 0))
					repeated.Noise = append(repeated.Noise, data.Noise[i])
				}
			}
			repeated.X, repeated.Y = mat.NewDense(len(origin), 2, x), mat.NewDense(len(origin), 1, y)
			weighted, all := newRowsModel(t, s, data).problem, newRowsModel(t, s, repeated).problem
			weighted.copyTo(all)
			weighted.setPoints(consecutive(n))
			all.setPoints(origin)
			value, gradient := evaluated(t, weighted)
			want, wantGradient := evaluated(t, all)
			oracletest.Close(t, s.Family, []float64{value}, []float64{want}, 1e-11)
			oracletest.Close(t, s.Family+" gradient", gradient, wantGradient, 1e-9)
		}
	}
}

// A known noise that is the same for all points equals a noise variance held at this value.
func TestConstantKnownNoiseEqualsHeldNoise(t *testing.T) {
	const n = 16
	for _, s := range noiseSettings {
		data := familytest.Wave(n, 1)
		plain := newRowsModel(t, s, data).problem
		noise := plain.stack.observation.Value[0]
		data.Noise = slices.Repeat([]float64{noise}, n)
		known := newRowsModel(t, s, data).problem
		if plain.Set.Size() != known.Set.Size()+1 {
			t.Fatalf("%s: %d parameters with a known noise, %d without",
				s.Family, known.Set.Size(), plain.Set.Size())
		}
		plain.setPoints(consecutive(n))
		known.setPoints(consecutive(n))
		want, held := evaluated(t, plain)
		value, gradient := evaluated(t, known)
		oracletest.Close(t, s.Family, []float64{value}, []float64{want}, 1e-12)
		oracletest.Close(t, s.Family+" gradient", gradient, held[:len(held)-1], 1e-9)
	}
}

func TestGradientsWithRowsByCentralDifferences(t *testing.T) {
	const n = 12
	for _, s := range noiseSettings {
		data := familytest.Wave(n, 1)
		data.LearnedNoise = true
		weighted := s.Spec(Families()).Accepts.Weights
		for i := range n {
			data.Noise = append(data.Noise, 0.05+0.02*float64(i%3))
			if weighted {
				data.Weights = append(data.Weights, 0.5+float64(i%4))
			}
		}
		p := newRowsModel(t, s, data).problem
		p.setPoints(consecutive(n))
		gradient, differences := familytest.Gradients(t, p, familytest.Fourth, 1e-4)
		oracletest.Close(t, s.Family, gradient, differences, 1e-6)
	}
}

// The mean of the objective over the minibatches of an epoch is the objective on all points.
func TestMinibatchesWithWeights(t *testing.T) {
	const n = 24
	data := familytest.Wave(n, 1)
	for i := range n {
		data.Noise = append(data.Noise, 0.05+0.01*float64(i))
		data.Weights = append(data.Weights, 0.5+float64(i%4))
	}
	s := rowsSettings[0]
	whole := newRowsModel(t, s, data)
	whole.problem.setPoints(consecutive(n))
	want, _ := evaluated(t, whole.problem)
	parts := batched(t, s, data, "8")
	var mean float64
	for step := range 3 {
		parts.problem.Draw(uint64(step))
		value, _ := evaluated(t, parts.problem)
		mean += value / 3
	}
	value, known, err := parts.EvaluateObjective(context.Background(), 1)
	if err != nil || !known {
		t.Fatal(known, err)
	}
	oracletest.Close(t, "means over minibatches and windows",
		[]float64{mean, value}, []float64{want, want}, 1e-11)
}
