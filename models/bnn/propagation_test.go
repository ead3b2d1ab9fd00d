package bnn

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/likelihood"
	"dgplab/models/oracletest"
)

// filterLayer is a layer in golden cases.
type filterLayer struct {
	Mean, Var [][]float64
}

// layerMoments holds the moments of the units of a layer in golden cases.
type layerMoments struct {
	PreMean   []float64 `json:"pre_mean"`
	PreVar    []float64 `json:"pre_var"`
	Mean, Var []float64
}

func TestFilterOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "bnn_pbp") {
		t.Run(file.Name, func(t *testing.T) {
			var g struct {
				Config struct{ Sizes []int }
				Data   struct {
					X []float64
					Y float64
				}
				Params struct {
					Layers []filterLayer
					Alpha  float64 `json:"noise_alpha"`
					Beta   float64 `json:"noise_beta"`
				}
				Expect struct {
					LogZ   float64 `json:"log_z"`
					Layers []layerMoments
					New    []filterLayer `json:"new_layers"`
					Alpha  float64       `json:"new_noise_alpha"`
					Beta   float64       `json:"new_noise_beta"`
				}
				Grad struct {
					Layers []filterLayer
					Alpha  float64 `json:"noise_alpha"`
					Beta   float64 `json:"noise_beta"`
				}
			}
			oracletest.Decode(t, file.Text, &g)
			data := family.Data{
				X: mat.NewDense(1, len(g.Data.X), g.Data.X),
				Y: mat.NewDense(1, 1, []float64{g.Data.Y}),
			}
			c := config{
				sizes:         g.Config.Sizes,
				batch:         1,
				spread:        1,
				priorVariance: 1,
				likelihood:    likelihood.Gaussian{},
			}
			p, err := newPropagation(c, []float64{g.Params.Alpha, g.Params.Beta}, nil, data, 1)
			if err != nil {
				t.Fatal(err)
			}
			for l, d := range p.layers {
				copy(d.mean, slices.Concat(g.Params.Layers[l].Mean...))
				copy(d.vr, slices.Concat(g.Params.Layers[l].Var...))
			}
			p.Draw(0)
			gradient := make([]float64, p.set.Size())
			value, err := p.Evaluate(gradient)
			if err != nil {
				t.Fatal(err)
			}
			oracletest.Close(t, "log Z", []float64{value}, []float64{g.Expect.LogZ},
				oracletest.ValueTolerance)
			var want []float64
			for l, d := range p.layers {
				of := g.Expect.Layers[l]
				oracletest.Close(t, "mean of outputs", d.outMean, of.PreMean, oracletest.ValueTolerance)
				oracletest.Close(t, "variance of outputs", d.outVar, of.PreVar, oracletest.ValueTolerance)
				if l < len(p.layers)-1 {
					n := d.outputs
					oracletest.Close(t, "mean of units", p.layers[l+1].inMean[:n], of.Mean,
						oracletest.ValueTolerance)
					oracletest.Close(t, "variance of units", p.layers[l+1].inVar[:n], of.Var,
						oracletest.ValueTolerance)
				}
				want = append(append(want, slices.Concat(g.Grad.Layers[l].Mean...)...),
					slices.Concat(g.Grad.Layers[l].Var...)...)
			}
			want = append(want, g.Grad.Alpha, g.Grad.Beta)
			oracletest.Close(t, "gradient", gradient, want, oracletest.GradientTolerance)

			if _, stayed := p.update(g.Data.X, g.Data.Y); stayed != 0 {
				t.Errorf("%d weights stayed", stayed)
			}
			for l, d := range p.layers {
				oracletest.Close(t, "new means", d.mean, slices.Concat(g.Expect.New[l].Mean...),
					oracletest.ValueTolerance)
				oracletest.Close(t, "new variances", d.vr, slices.Concat(g.Expect.New[l].Var...),
					oracletest.ValueTolerance)
			}
			oracletest.Close(t, "noise", p.gamma, []float64{g.Expect.Alpha, g.Expect.Beta},
				oracletest.ValueTolerance)
		})
	}
}

// newFilter builds a small model.
func newFilter(t *testing.T, data family.Data, set map[string]string) *Filter {
	t.Helper()
	return familytest.New(t, familytest.Find(Families(), "bnn-pbp"), data, set, 2).(*Filter)
}

func TestFilterGradients(t *testing.T) {
	for _, data := range []family.Data{familytest.Wave(5, 1), familytest.Signs(familytest.Wave(5, 1))} {
		t.Run(fmt.Sprint(data.Task), func(t *testing.T) {
			p := newFilter(t, data, map[string]string{
				"hidden_layers": "2", "hidden_width": "3", "start_spread": "1",
			}).p
			p.Draw(0)
			gradient, want := familytest.Gradients(t, p, familytest.Sixth, 1e-3)
			oracletest.Close(t, "gradient", gradient, want, 1e-8)
		})
	}
}

// A network without hidden layers is a linear model with independent priors over the weights. With
// known noise, the update for the first point agrees with Bayes' rule up to the correlations.
func TestFilterOfALinearModelIsBayes(t *testing.T) {
	data := familytest.Wave(1, 1)
	// The Gamma distribution is concentrated near a point.
	m := newFilter(t, data, map[string]string{
		"hidden_layers": "0", "noise_shape": "10000", "noise_rate": "10000", "weights": "fixed",
	})
	prior := slices.Clone(m.p.layers[0].mean)
	familytest.Steps(t, m, 1)
	x := append(slices.Clone(data.X.RawRowView(0)), 1)
	noise := 10000.0 / 9999
	var evidence, residual float64
	for i, v := range x {
		x[i] = v / math.Sqrt(3)
		evidence += x[i] * x[i]
		residual -= prior[i] * x[i]
	}
	evidence, residual = evidence+noise, residual+data.Y.At(0, 0)
	mean := make([]float64, 3)
	vr := make([]float64, 3)
	for i, v := range x {
		mean[i], vr[i] = prior[i]+v*residual/evidence, 1-v*v/evidence
	}
	oracletest.Close(t, "means", m.p.layers[0].mean, mean, 1e-12)
	oracletest.Close(t, "variances", m.p.layers[0].vr, vr, 1e-12)
}

func TestFilterLearns(t *testing.T) {
	set := map[string]string{"batch": "100"}
	data := familytest.Wave(400, 1)
	familytest.Learns(t, newFilter(t, data, set), data, 160, 20, 0.35)
	labels := familytest.Signs(familytest.Wave(400, 1))
	// Weights grow if labels are processed repeatedly.
	familytest.Learns(t, newFilter(t, labels, set), labels, 80, 20, 40)
}

// A resumed run equals an uninterrupted one, regardless of the number of processors, and steps do
// not allocate.
func TestFilterIsReproducible(t *testing.T) {
	data := familytest.Wave(70, 1)
	build := func() family.Model { return newFilter(t, data, map[string]string{"batch": "30"}) }
	familytest.Allocates(t, "filter", familytest.Resumes(t, "filter", build, data.X, 5, 2), 0)
}

// A failing step leaves the weights unchanged.
func TestFilterStepsThatFail(t *testing.T) {
	data := familytest.Wave(10, 1)
	data.Y.Set(9, 0, math.Inf(1))
	m := newFilter(t, data, map[string]string{"hidden_width": "5"})
	before := slices.Clone(m.p.layers[0].mean)
	if _, err := m.Step(context.Background()); err == nil {
		t.Error("an infinite target was accepted")
	}
	if !slices.Equal(before, m.p.layers[0].mean) || m.StepsDone() != 0 {
		t.Error("the weights moved")
	}
	m.p.terms[0] = 0
	bias := m.p.set.Params()[1]
	bias.Value[2] = math.Inf(-1)
	want := "the gradient of " + bias.Name + " is not finite"
	if err := m.WithStep(m.p.check()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// The moments of rectified Gaussians are accurate far above and below 0.
func TestRectifyFarFromZero(t *testing.T) {
	r := newRectified(3)
	r.set([]float64{40, 1e8, -50}, []float64{1, 1e-4, 1})
	if r.mean[0] != 40 || math.Abs(r.vr[0]-1) > 1e-12 {
		t.Errorf("far above: %+v", r)
	}
	if r.mean[1] != 1e8 || math.Abs(r.vr[1]-1e-4) > 1e-16 {
		t.Errorf("farther above: %+v", r)
	}
	if r.mean[2] < 0 || r.vr[2] < 0 || r.mean[2] > 1e-100 || r.vr[2] > 1e-100 {
		t.Errorf("far below: %+v", r)
	}
}

// An update moves the weights along the gradient of log Z, as defined at propagation.update.
func TestUpdateFollowsGradient(t *testing.T) {
	p := newFilter(t, familytest.Wave(5, 1), map[string]string{
		"hidden_layers": "2", "hidden_width": "11", "start_spread": "1",
	}).p
	x := p.data.X.RawRowView(3)
	y := p.data.Y.At(3, 0)
	p.forward(x)
	p.at(y, 0)
	p.backward((*dense).backward)
	var means, variances [][]float64
	for _, d := range p.layers {
		mean := slices.Clone(d.mean)
		variance := slices.Clone(d.vr)
		for i, v := range d.vr {
			g := d.dMean[i]
			mean[i] += v * g
			variance[i] -= v * v * (g*g - 2*d.dVar[i])
		}
		means = append(means, mean)
		variances = append(variances, variance)
	}
	if _, stayed := p.update(x, y); stayed != 0 {
		t.Errorf("%d weights stayed", stayed)
	}
	for l, d := range p.layers {
		oracletest.Close(t, "means", d.mean, means[l], 1e-13)
		oracletest.Close(t, "variances", d.vr, variances[l], 1e-13)
	}
}
