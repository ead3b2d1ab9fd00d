package dgp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models/likelihood"
)

func TestGradientsByCentralDifferences(t *testing.T) {
	widths := []int{2, 2, 2}
	for name, pattern := range patterns(widths) {
		for _, counts := range [][]int{even(widths), uneven(widths)} {
			for _, unwhitened := range []bool{false, true} {
				for _, sampled := range []bool{false, true} {
					if testing.Short() && (unwhitened || sampled) {
						continue
					}
					r := rand.New(rand.NewPCG(2, 3))
					arch, e := randomModel(r, widths, counts, 3, pattern, "rbf")
					other := *arch
					other.Unwhitened, other.SampleInducing = unwhitened, sampled
					e = copyOf(&other, e, r)
					if _, err := e.Run(); err != nil {
						t.Fatal(err)
					}
					e.Differentiate()
					checkAll(t, fmt.Sprintf("%s, M %v, unwhitened %v, sampled %v",
						name, counts, unwhitened, sampled), e)
				}
			}
		}
	}
}

// For classes, each GP of the last layer is the latent function of one class.
func TestClassGradientsByCentralDifferences(t *testing.T) {
	widths := []int{2, 3}
	for _, l := range []likelihood.Likelihood{likelihoodOf(t, "argmax"), likelihoodOf(t, "robustmax")} {
		r := rand.New(rand.NewPCG(2, 3))
		arch, e := randomModel(r, widths, even(widths), 3, FullyCoupled(widths), "rbf")
		other := *arch
		other.Likelihood = l
		out := NewEvaluation(&other, e.bound.b, e.bound.r)
		copyParameters(out, e)
		copy(out.Eps(0), e.Eps(0))
		copy(out.bound.x.Value, e.bound.x.Value)
		out.bound.numData = e.bound.numData
		copy(out.bound.y.Value, []float64{0, 2, 1, 2})
		if _, err := out.Run(); err != nil {
			t.Fatal(err)
		}
		out.Differentiate()
		checkAll(t, fmt.Sprintf("%T", l), out)
	}
}

// likelihoodOf returns the named likelihood of three classes.
func likelihoodOf(t *testing.T, name string) likelihood.Likelihood {
	t.Helper()
	d, err := likelihood.Find(name, task.Multiclass)
	if err != nil {
		t.Fatal(err)
	}
	return d.New(likelihood.Setup{Classes: 3, Epsilon: 1e-3})
}

// copyOf returns an evaluation of another architecture with the parameters and data of e.
func copyOf(arch *Architecture, e *Evaluation, r *rand.Rand) *Evaluation {
	out := NewEvaluation(arch, e.bound.b, e.bound.r)
	copyParameters(out, e)
	copyData(out, e)
	if arch.SampleInducing {
		copy(out.EpsInducing(), normals(r, len(out.EpsInducing())))
	}
	return out
}

// copyData copies data and draws to e.
func copyData(e, from *Evaluation) {
	for l := range e.arch.Layers[:len(e.arch.Layers)-1] {
		copy(e.Eps(l), from.Eps(l))
	}
	copy(e.bound.x.Value, from.bound.x.Value)
	copy(e.bound.y.Value, from.bound.y.Value)
	e.bound.numData = from.bound.numData
}

// checkAll compares every gradient entry of all parameters with central differences.
func checkAll(t *testing.T, name string, e *Evaluation) {
	t.Helper()
	type entry struct {
		what        string
		value, grad *float64
	}
	var entries []entry
	add := func(what string, values, grads []float64, free func(k int) bool) {
		for k := range values {
			if free == nil || free(k) {
				entries = append(entries, entry{fmt.Sprintf("%s[%d]", what, k), &values[k], &grads[k]})
			}
		}
	}
	for l := range e.arch.Layers {
		p := e.Layer(l)
		g := e.LayerGradient(l)
		add("Z", p.Z, g.Z, nil)
		add("lengthscales", p.Lengthscales, g.Lengthscales, nil)
		add("variance", p.Variance, g.Variance, nil)
		add("mu", p.QMu, g.QMu, nil)
	}
	for i, row := range e.arch.Pattern.rows {
		for _, j := range row {
			m := e.bound.post.points(j)
			add(fmt.Sprintf("L_S(%d,%d)", i, j), e.QSqrt(i, j), e.QSqrtGradient(i, j), func(k int) bool {
				return i != j || k%m <= k/m
			})
		}
	}
	add("likelihood", e.Noise(), e.NoiseGradient(), nil)
	var analytic []float64
	for _, en := range entries {
		analytic = append(analytic, *en.grad)
	}
	for k, en := range entries {
		const h = 1e-5
		at := func(shift float64) float64 {
			old := *en.value
			*en.value += shift
			terms, err := e.Run()
			*en.value = old
			if err != nil {
				t.Fatal(err)
			}
			return terms.ELBO
		}
		numeric := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
		if !(math.Abs(numeric-analytic[k]) <= 1e-6*math.Max(1, math.Abs(numeric))) {
			t.Errorf("%s: gradient of %s: %.10g, central difference %.10g",
				name, en.what, analytic[k], numeric)
		}
	}
}
