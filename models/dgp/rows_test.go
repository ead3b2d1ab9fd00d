package dgp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/likelihood"
)

// rowsModel returns an architecture with known noise and weights like another one, and an evaluation of b
// points with the parameters of seed.
func rowsModel(
	arch *Architecture, seed *Evaluation, noise, weights []float64, learned bool, b, r, shards int,
) *Evaluation {
	other := *arch
	other.Noise, other.Weights = noise, weights
	other.Likelihood = likelihood.Gaussian{Known: noise != nil && !learned}
	post := newPosterior(autodiff.NewTape(), &other)
	e := &Evaluation{arch: &other, bound: newBoundInShards(post.tape, post, b, r, shards)}
	copyParameters(e, seed)
	for i := range e.Noise() {
		e.Noise()[i] = 0.3
	}
	all := make([]int, b)
	for i := range all {
		all[i] = i
	}
	e.bound.rows.Gather(noise, weights, all)
	return e
}

// gradientOfAll returns the gradients of all parameters, those of the likelihood last.
func gradientOfAll(e *Evaluation) []float64 {
	all := slices.Clone(gradientsOf(e))
	for l := range e.arch.Layers {
		p := e.LayerGradient(l)
		all = slices.Concat(all, p.Z, p.Lengthscales, p.Variance, p.QMu)
	}
	return append(all, e.NoiseGradient()...)
}

// differentiated runs an evaluation and returns its bound and its gradient.
func differentiated(t *testing.T, e *Evaluation) (terms Terms, gradient []float64) {
	t.Helper()
	terms, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	e.Differentiate()
	return terms, gradientOfAll(e)
}

// A point of weight 2 or 3 counts like two or three equal points with the same draws, in the bound and its
// gradient, whether or not the points are in shards.
func TestWeightsEqualRepeatedRows(t *testing.T) {
	const inputs, r = 3, 2
	counts := []int{1, 2, 1, 3, 1, 1, 2, 1}
	b := len(counts)
	widths := []int{2, 2}
	for name, pattern := range patterns(widths) {
		for _, learned := range []bool{false, true} {
			draws := rand.New(rand.NewPCG(8, 1))
			arch, seed := randomModel(draws, widths, uneven(widths), inputs, pattern, "rbf")
			x, y, eps := normals(draws, b*inputs), normals(draws, b*widths[1]), normals(draws, widths[0]*r*b)
			var noise, weights, repeatedNoise, repeatedX, repeatedY []float64
			var origin []int
			for i, count := range counts {
				noise = append(noise, 0.1+0.05*float64(i))
				weights = append(weights, float64(count))
				for range count {
					origin = append(origin, i)
					repeatedNoise = append(repeatedNoise, noise[i])
					repeatedX = append(repeatedX, x[i*inputs:(i+1)*inputs]...)
					repeatedY = append(repeatedY, y[i*widths[1]:(i+1)*widths[1]]...)
				}
			}
			repeated := rowsModel(arch, seed, repeatedNoise, nil, learned, len(origin), r, 1)
			repeated.SetData(repeatedX, repeatedY, float64(len(origin)))
			for row := range widths[0] * r {
				for k, i := range origin {
					repeated.Eps(0)[row*len(origin)+k] = eps[row*b+i]
				}
			}
			want, wantGradient := differentiated(t, repeated)
			for _, shards := range []int{1, 2} {
				e := rowsModel(arch, seed, noise, weights, learned, b, r, shards)
				e.SetData(x, y, float64(b))
				copy(e.Eps(0), eps)
				terms, gradient := differentiated(t, e)
				about := fmt.Sprintf("%s, learned %v, %d shards", name, learned, shards)
				checkWithin(t, about+": bound", terms.ELBO, want.ELBO, 1e-11)
				for k, g := range gradient {
					checkWithin(t, fmt.Sprintf("%s: gradient %d", about, k), g, wantGradient[k], 1e-9)
				}
			}
		}
	}
}

// A known noise that is the same for all points equals a noise variance held at this value.
func TestConstantKnownNoiseEqualsHeldNoise(t *testing.T) {
	widths := []int{2, 1}
	for name, pattern := range patterns(widths) {
		arch, seed := randomModel(rand.New(rand.NewPCG(3, 1)), widths, even(widths), 3, pattern, "rbf")
		b := seed.bound.b
		want, wantGradient := differentiated(t, seed)
		for _, known := range []float64{0.3, 0.1} {
			learned := known < 0.3
			e := rowsModel(arch, seed, slices.Repeat([]float64{known}, b), nil, learned, b, seed.bound.r, 1)
			copyData(e, seed)
			if learned {
				e.Noise()[0] = 0.3 - known
			}
			terms, gradient := differentiated(t, e)
			checkWithin(t, name+": bound", terms.ELBO, want.ELBO, 1e-12)
			for k, g := range gradient {
				checkWithin(t, fmt.Sprintf("%s: gradient %d", name, k), g, wantGradient[k], 1e-9)
			}
			if got := len(wantGradient) - len(gradient); !learned && got != 1 {
				t.Errorf("%s: %d parameters less than with a learned noise, want 1", name, got)
			}
		}
	}
}

func TestGradientsWithRowsByCentralDifferences(t *testing.T) {
	widths := []int{2, 1}
	for name, pattern := range patterns(widths) {
		for _, learned := range []bool{false, true} {
			arch, seed := randomModel(rand.New(rand.NewPCG(2, 5)), widths, even(widths), 3, pattern, "rbf")
			noise, weights := []float64{0.2, 0.5, 0.1, 0.9}, []float64{1, 0.4, 2.5, 1.2}
			e := rowsModel(arch, seed, noise, weights, learned, seed.bound.b, seed.bound.r, 1)
			copyData(e, seed)
			if _, err := e.Run(); err != nil {
				t.Fatal(err)
			}
			e.Differentiate()
			checkAll(t, fmt.Sprintf("%s, learned %v", name, learned), e)
		}
	}
}

// The mean of the objective over minibatches of equal size is the objective on all points, and so is the sum
// over windows: N counts points, not weights.
func TestMinibatchesWithWeights(t *testing.T) {
	data := familytest.Wave(24, 1)
	for i := range 24 {
		data.Noise = append(data.Noise, 0.05+0.01*float64(i))
		data.Weights = append(data.Weights, 0.5+float64(i%4))
	}
	data.LearnedNoise = true
	svgp := func(batch string) (*Model, *problem) {
		m := build(t, "svgp", data, map[string]string{"inducing": "6", "batch": batch})
		return m, m.problem
	}
	whole, p := svgp("24")
	p.Draw(0)
	want, err := p.Evaluate(nil)
	if err != nil {
		t.Fatal(err)
	}
	parts, q := svgp("8")
	var mean float64
	for step := range 3 { // one epoch
		q.Draw(uint64(step))
		value, err := q.Evaluate(nil)
		if err != nil {
			t.Fatal(err)
		}
		mean += value / 3
	}
	checkWithin(t, "mean over minibatches", mean, want, 1e-11)
	for _, m := range []family.Evaluator{whole, parts} {
		value, known, err := m.EvaluateObjective(context.Background(), 1)
		if err != nil || !known {
			t.Fatal(known, err)
		}
		checkWithin(t, "objective on all points", value, want, 1e-11)
	}
}
