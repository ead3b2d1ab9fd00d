package models

import (
	"maps"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
)

// posteriorOf trains a model for some steps and returns it with its posterior at x.
func posteriorOf(
	t *testing.T, spec Spec, data Data, set map[string]string, steps int, x *mat.Dense,
) (Model, map[string]family.Tensor) {
	t.Helper()
	m, err := spec.New(familytest.Values(t, spec, familytest.Applicable(spec, set)), data, 7)
	if err != nil {
		t.Fatal(err)
	}
	familytest.Steps(t, m, steps)
	out, err := m.(family.Posterior).Posterior(x)
	if err != nil {
		t.Fatal(err)
	}
	arrays := map[string]family.Tensor{}
	for _, a := range out.Tensors {
		size := 1
		for _, d := range a.Shape {
			size *= d
		}
		if _, twice := arrays[a.Name]; twice || size != len(a.Data) || a.About == "" {
			t.Errorf("%s has shape %v, %d values and the description %q",
				a.Name, a.Shape, len(a.Data), a.About)
		}
		for _, v := range a.Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s holds %g", a.Name, v)
			}
		}
		arrays[a.Name] = a
	}
	return m, arrays
}

// small holds settings of small models.
var small = map[string]string{
	"layers": "2", "width": "2", "inducing": "5", "orthogonal": "3", "samples": "3", "batch": "10",
	"latents": "2", "components": "3", "hidden_width": "4", "burn_in": "2", "thinning": "1", "kept": "4",
	"chains": "2", "ar1_samples": "2",
}

// Every family exports finite arrays whose lengths match their shapes. The export does not affect
// training.
func TestEveryFamilyExportsItsPosterior(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0.2, 0.1, -0.7, 0.5, 1, -1})
	for _, spec := range Families() {
		t.Run(spec.Name, func(t *testing.T) {
			data := familytest.Wave(24, 1)
			m, arrays := posteriorOf(t, spec, data, small, 5, x)
			for name, shape := range shapes[spec.Name] {
				if got := arrays[name]; !slices.Equal(got.Shape, shape) {
					t.Errorf("%s has shape %v, want %v", name, got.Shape, shape)
				}
			}
			if len(shapes[spec.Name]) == 0 || len(arrays) < len(shapes[spec.Name]) {
				t.Errorf("the family exports %d arrays, want at least %d",
					len(arrays), len(shapes[spec.Name]))
			}
			for _, a := range arrays {
				for i := range a.Data {
					a.Data[i] = math.NaN() // the arrays must be copies
				}
			}
			other, _ := posteriorOf(t, spec, data, small, 5, x)
			a := familytest.Steps(t, m, 2)
			b := familytest.Steps(t, other, 2)
			if a.Objective != b.Objective || a.Rescues != b.Rescues || math.IsNaN(a.Objective) {
				t.Errorf("the next step reports %+v, and %+v after another export", a, b)
			}
			familytest.SameState(t, spec.Name, m, other)
		})
	}
}

// shapes lists the shapes of arrays of each family for one target, two inputs and the settings in
// small.
var shapes = func() map[string]map[string][]int {
	structured := map[string][]int{
		"layer.0.inducing_inputs": {5, 2}, "layer.0.mean_function": {2, 2}, "layer.0.inducing_mean": {2, 5},
		"layer.1.inducing_mean": {1, 5}, "inducing_covariance": {15, 15},
	}
	independent := map[string][]int{
		"layer.0.inducing_inputs": {5, 2}, "layer.0.inducing_mean": {2, 5},
		"layer.1.inducing_covariance": {1, 5, 5},
	}
	single := map[string][]int{
		"layer.0.inducing_inputs": {5, 2}, "layer.0.inducing_mean": {1, 5},
		"layer.0.inducing_covariance": {1, 5, 5},
	}
	propagated := map[string][]int{
		"layer.0.inducing_inputs": {2, 5, 2}, "layer.0.factor_linear": {2, 5},
		"layer.1.inducing_mean":    {1, 5},
		"layer.1.factor_precision": {1, 5, 5},
	}
	gaussian := map[string][]int{
		"layer.0.weight_mean": {4, 2}, "layer.0.weight_sd": {4, 2}, "layer.1.bias_sd": {1},
	}
	sampled := map[string][]int{
		"layer.0.weight_draws": {6, 4, 2}, "layer.1.bias_draws": {6, 1}, "prior_variance_draws": {6},
		"noise_draws": {6}, "draws_chain": {6},
	}
	amortized := map[string][]int{
		"layer.0.inferred_inputs": {3, 5, 2}, "layer.0.inferred_mean": {3, 1, 5},
		"layer.0.inferred_covariance": {3, 1, 5, 5}, "layer.0.net.W1": {4, 2},
	}
	return map[string]map[string][]int{
		"mean-field": structured, "star": structured, "fully-coupled": structured, "chain": structured,
		"mask": structured, "fc-sampled": structured,
		"sghmc": {"layer.0.inducing_inputs": {5, 2}, "layer.0.inducing_draws": {6, 2, 5},
			"layer.1.inducing_draws": {6, 1, 5}, "draws_chain": {6}},
		"svgp": {"layer.0.inducing_inputs": {5, 2}, "inducing_covariance": {5, 5}},
		"gp":   {"train_inputs": {24, 2}, "function_mean": {1, 24}, "function_covariance": {24, 24}},
		"sgpr": single, "fitc": single, "ppgpr": single,
		"solve-gp": {"layer.0.inducing_inputs": {8, 2}, "layer.0.inducing_covariance": {1, 8, 8}},
		"dspp": {"layer.0.inducing_mean": {2, 5}, "quadrature_weights": {3},
			"layer.0.quadrature_points": {3, 2}},
		"dsdgp": independent, "avdgp": {"layer.0.affine.W": {10, 2}, "layer.0.inferred_inputs": {3, 5, 2},
			"layer.0.inferred_mean": {3, 2, 5}, "layer.1.inferred_covariance": {3, 1, 5, 5}},
		"idsgp": amortized,
		"dgp-iw": {"layer.0.inducing_inputs": {5, 3}, "layer.0.inducing_mean": {2, 5},
			"encoder.W1": {20, 3}, "encoder.b3": {2, 1}},
		"gprn": {"train_inputs": {24, 2}, "latent_mean": {2, 24}, "weight_variance": {1, 2, 24},
			"weight_precision": {1, 2, 24}},
		"gprn-npv": {"latent_mean": {3, 2, 24}, "weight_mean": {3, 1, 2, 24}, "component_variance": {3}},
		"aep":      propagated, "sep": propagated,
		"bnn-vi": gaussian, "bnn-pbp": gaussian,
		"bnn-dropout": {"layer.0.weight": {4, 2}, "layer.1.bias": {1}, "keep": {1}},
		"bnn-sgld":    sampled, "bnn-hmc": sampled,
		"dgp-ess": {"train_inputs": {2, 24}, "nugget_draws": {6}, "draws_chain": {6},
			"layer.0.theta_draws": {6, 2}, "layer.1.theta_draws": {6, 1},
			"layer.0.function_draws": {6, 2, 24}},
		"linear": {"weights_mean": {1, 3}, "weights_covariance": {1, 3, 3}},
	}
}()

// The exported Gaussians over inducing outputs agree with predictions at the inducing inputs, and
// the exported Gaussians over f with predictions at the training inputs.
func TestExportedPosteriorsPredict(t *testing.T) {
	data := familytest.Wave(24, 2)
	single := map[string]string{"layers": "1", "inducing": "5", "orthogonal": "3", "batch": "24"}
	for name, tolerance := range map[string]float64{
		"svgp": 1e-4, "sgpr": 1e-4, "fitc": 1e-4, "solve-gp": 1e-4, "ppgpr": 1e-4, "aep": 1e-4, "sep": 1e-4,
		"gp": 1e-9,
	} {
		t.Run(name, func(t *testing.T) {
			spec, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			m, arrays := posteriorOf(t, spec, data, single, 8, data.X)
			z, mean := arrays["layer.0.inducing_inputs"], arrays["layer.0.inducing_mean"]
			cov := arrays["layer.0.inducing_covariance"]
			switch {
			case name == "gp":
				z, mean, cov = arrays["train_inputs"], arrays["function_mean"], arrays["function_covariance"]
			case name == "svgp":
				cov = arrays["inducing_covariance"]
			}
			n := mean.Shape[1]
			for k := range 2 { // in EP, each target has its own inducing inputs
				inputs := z.Data
				if len(z.Shape) == 3 {
					inputs = inputs[k*n*2 : (k+1)*n*2]
				}
				p, err := m.Predict(mat.NewDense(n, 2, slices.Clone(inputs)), 1, 1)
				if err != nil {
					t.Fatal(err)
				}
				gotMean := make([]float64, 2*n)
				gotVar := make([]float64, 2*n)
				latent := *p.(*predictive.Gaussians)
				latent.Noise = predictive.SharedNoise(0, latent.S, latent.P)
				latent.Moments(gotMean, gotVar)
				for i := range n {
					var variance float64
					switch len(cov.Data) {
					case n * n: // shared by the targets
						variance = cov.Data[i*n+i]
					case 2 * n * n:
						variance = cov.Data[k*n*n+i*n+i]
					default: // joint
						variance = cov.Data[(k*n+i)*(2*n+1)]
					}
					exported := mean.Data[k*n+i]
					if trend := arrays["trend"].Data; trend != nil {
						own := trend[k*3 : (k+1)*3]
						exported += own[0]*inputs[2*i] + own[1]*inputs[2*i+1] + own[2]
					}
					if math.Abs(gotMean[i*2+k]-exported) > tolerance ||
						math.Abs(gotVar[i*2+k]-variance) > tolerance || variance <= 0 {
						t.Errorf("target %d at point %d: exported %g with variance %g, predicted %g with %g",
							k, i, exported, variance, gotMean[i*2+k], gotVar[i*2+k])
					}
				}
			}
		})
	}
}

// The exported moments of a GP regression network equal its predictions at the training inputs.
func TestExportedNetworkPredicts(t *testing.T) {
	data := familytest.Wave(24, 2)
	for _, name := range []string{"gprn", "gprn-npv"} {
		spec, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		set := maps.Clone(small)
		set["jitter"] = "1e-9" // predictions treat the jitter as noise
		m, arrays := posteriorOf(t, spec, data, set, 40, data.X)
		p, err := m.Predict(data.X, 3, 1)
		if err != nil {
			t.Fatal(err)
		}
		mean := make([]float64, 48)
		p.(predictive.Regression).Moments(mean, make([]float64, 48))
		latent, weight := arrays["latent_mean"].Data, arrays["weight_mean"].Data
		components := len(latent) / 48
		for i := range 24 {
			for k := range 2 {
				var want float64
				for c := range components {
					for j := range 2 {
						want += latent[(c*2+j)*24+i] * weight[((c*2+k)*2+j)*24+i] / float64(components)
					}
				}
				if math.Abs(mean[i*2+k]-want) > 1e-4 {
					t.Errorf("%s, target %d at point %d: %g from the exported means, predicted %g",
						name, k, i, want, mean[i*2+k])
				}
			}
		}
	}
}

// Functions computed from exported networks equal the drawn functions. A linear model predicts with
// its exported weights, with more points than weights and with fewer.
func TestExportedWeightsPredict(t *testing.T) {
	data := familytest.Wave(24, 1)
	spec, err := Lookup("bnn-hmc")
	if err != nil {
		t.Fatal(err)
	}
	m, arrays := posteriorOf(t, spec, data, small, 6, data.X)
	draws, err := m.(family.FunctionSampler).DrawFunctions(data.X, 1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	w, b := arrays["layer.0.weight_draws"].Data, arrays["layer.0.bias_draws"].Data
	v, c := arrays["layer.1.weight_draws"].Data, arrays["layer.1.bias_draws"].Data
	if len(draws) != 8 || len(c) != 8 {
		t.Fatalf("%d draws, %d exported, want 8", len(draws), len(c))
	}
	for s, draw := range draws {
		for i := range 24 {
			out := c[s]
			for h := range 4 {
				at := s*4 + h
				unit := b[at] + w[2*at]*data.X.At(i, 0) + w[2*at+1]*data.X.At(i, 1)
				out += v[at] * math.Max(0, unit)
			}
			if math.Abs(out-draw[0][i]) > 1e-9 {
				t.Fatalf("draw %d at point %d: %g, want %g", s, i, out, draw[0][i])
			}
		}
	}
	spec, err = Lookup("linear")
	if err != nil {
		t.Fatal(err)
	}
	wide := Data{X: mat.NewDense(3, 5, []float64{1, 2, 0, -1, 0.5, 0, 1, 1, 0.3, -2, 2, 0, 1, 1, 1}),
		Y: mat.NewDense(3, 1, []float64{1, -0.5, 0.3})}
	for _, data := range []Data{data, wide} {
		m, arrays := posteriorOf(t, spec, data, nil, 3, data.X)
		n, d := data.X.Dims()
		x := mat.NewDense(n, d+1, nil)
		for i := range n {
			x.SetRow(i, append(slices.Clone(data.X.RawRowView(i)), 1))
		}
		x.Set(0, d-1, 7) // outside of the training inputs
		p, err := m.Predict(mat.DenseCopyOf(x.Slice(0, n, 0, d)), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		latent := *p.(*predictive.Gaussians)
		latent.Noise = predictive.SharedNoise(0, latent.S, latent.P)
		mean := make([]float64, n)
		vr := make([]float64, n)
		latent.Moments(mean, vr)
		weights := mat.NewVecDense(d+1, arrays["weights_mean"].Data)
		covariance := mat.NewDense(d+1, d+1, arrays["weights_covariance"].Data)
		for i := range n {
			row := x.RowView(i)
			got := mat.Dot(row, weights)
			variance := mat.Inner(row, covariance, row)
			if math.Abs(got-mean[i]) > 1e-9 || math.Abs(variance-vr[i]) > 1e-9 {
				t.Errorf("point %d of %d: %g with variance %g, predicted %g with %g",
					i, n, got, variance, mean[i], vr[i])
			}
		}
	}
}

// Whitening changes the parameters of the posterior, but not the predictions of an untrained model, apart
// from its small random means. With a diagonal covariance, it approximates the start. Layers with inducing
// points of every input (avdgp, idsgp) start at the same numbers instead.
func TestStartsWithoutWhitening(t *testing.T) {
	data := familytest.Wave(12, 1)
	for _, spec := range Families() {
		if !slices.Contains(family.Names(spec.Hyperparameters), "whiten") ||
			spec.Name == "avdgp" || spec.Name == "idsgp" {
			continue
		}
		most := 1e-3
		if spec.Name == "dspp" || spec.Name == "dsdgp" {
			most = 0.15 // of diagonal covariances
		}
		var mean, variance [2][]float64
		for k, whiten := range []string{"on", "off"} {
			set := familytest.Applicable(spec, small, map[string]string{"whiten": whiten, "variance": "3"})
			m, err := spec.New(familytest.Values(t, spec, set), data, 1)
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Predict(data.X, 3, 1)
			if err != nil {
				t.Fatal(err)
			}
			mean[k] = make([]float64, 12)
			variance[k] = make([]float64, 12)
			p.(predictive.Regression).Moments(mean[k], variance[k])
		}
		for i := range 12 {
			if d := math.Abs(mean[0][i] - mean[1][i]); d > 5e-3 {
				t.Errorf("%s: the means differ by %g", spec.Name, d)
			}
			if d := math.Abs(variance[0][i]/variance[1][i] - 1); d > most {
				t.Errorf("%s: the variances differ by %g", spec.Name, d)
			}
		}
	}
}
