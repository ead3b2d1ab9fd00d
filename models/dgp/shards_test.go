package dgp

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"dgplab/models/autodiff"
)

// A bound in shards equals the same bound in one piece, and so do its terms and all gradients. It does not
// depend on the number of processors. Shards that compute their gradients in advance do not know the gradient
// of their sum yet, which is 1/2 in one of the runs.
func TestShards(t *testing.T) {
	const b, r = 150, 3
	widths := []int{2, 2, 1}
	for name, pattern := range patterns(widths) {
		draws := rand.New(rand.NewPCG(4, 4))
		arch, seed := randomModel(draws, widths, uneven(widths), 3, pattern, "matern52")
		x, y := normals(draws, b*3), normals(draws, b)
		eps := [][]float64{normals(draws, 2*r*b), normals(draws, 2*r*b)}
		run := func(shards int, inAdvance bool) (terms, gradients []float64) {
			post := newPosterior(autodiff.NewTape(), arch)
			e := &Evaluation{arch: arch, bound: newBoundInShards(post.tape, post, b, r, shards)}
			copyParameters(e, seed)
			e.SetData(x, y, 1000)
			for l := range eps {
				copy(e.Eps(l), eps[l])
			}
			half := post.tape.Scale(e.bound.value, 0.5)
			for range 2 { // The second replay finds old gradients.
				got, err := e.Run()
				if err != nil {
					t.Fatal(err)
				}
				terms = append([]float64{got.ELBO, got.KL}, got.PerPoint...)
				if !inAdvance {
					e.Differentiate()
				} else if err := post.tape.Differentiate(half); err != nil {
					t.Fatal(err)
				}
			}
			gradients = append(gradientsOf(e), e.NoiseGradient()...)
			for l := range widths {
				p := e.LayerGradient(l)
				gradients = slices.Concat(gradients, p.Z, p.Lengthscales, p.Variance, p.QMu)
			}
			return terms, gradients
		}
		terms, gradients := run(1, false)
		for _, shards := range []int{2, 4} {
			gotTerms, gotGradients := run(shards, false)
			_, halves := run(shards, true)
			for k := range halves {
				halves[k] *= 2
			}
			if !slices.Equal(halves, gotGradients) {
				t.Errorf("%s: %d shards have other gradients in advance", name, shards)
			}
			for k, v := range gotTerms {
				checkWithin(t, name+" term", v, terms[k], 1e-11)
			}
			for k, v := range gotGradients {
				checkWithin(t, name+" gradient", v, gradients[k], 1e-9)
			}
			for _, processors := range []int{1, 3, 8} {
				old := runtime.GOMAXPROCS(processors)
				sameTerms, sameGradients := run(shards, false)
				runtime.GOMAXPROCS(old)
				if !slices.Equal(sameTerms, gotTerms) || !slices.Equal(sameGradients, gotGradients) {
					t.Errorf("%s: %d shards differ on %d processors", name, shards, processors)
				}
			}
		}
	}
}

// The time of a bound in shards belongs to its layers, and its rescues are counted on the tape of the
// posterior.
func TestShardsReport(t *testing.T) {
	const b = 2 * minShard
	widths := []int{2, 1}
	draws := rand.New(rand.NewPCG(5, 5))
	arch, seed := randomModel(draws, widths, uneven(widths), 3, FullyCoupled(widths), "rbf")
	arch.Jitter = 0
	e := NewEvaluation(arch, b, 1)
	if e.bound.f != nil {
		t.Fatal("the points are not divided")
	}
	copyParameters(e, seed)
	e.SetData(normals(draws, b*3), normals(draws, b), 1000)
	profile := autodiff.NewProfile(partMinibatch.section(len(widths)))
	tape := e.bound.tape
	start := time.Now()
	tape.Measure(profile, func() time.Duration { return time.Since(start) })
	if _, err := e.Run(); err != nil {
		t.Fatal(err)
	}
	e.Differentiate()
	tape.Measure(nil, nil)
	for l := range widths {
		if profile.Times[partMarginals.section(l)] <= 0 {
			t.Errorf("the kernel columns of layer %d take no time", l)
		}
	}
	var total time.Duration
	for _, d := range profile.Times {
		total += d
	}
	if all := time.Since(start); total > all {
		t.Errorf("the parts of a step take %v, and the step at most %v", total, all)
	}
	// Without jitter and at inducing inputs, GPs with equal inducing outputs are perfectly correlated.
	copy(e.QSqrt(1, 0), e.QSqrt(0, 0))
	second := e.QSqrt(1, 1)
	for k := range second {
		second[k] *= 1e-12
	}
	x, z := e.bound.x, e.Layer(0).Z
	for d := range x.Rows {
		for n := range x.Cols {
			x.Row(d)[n] = z[(n*x.Rows+d)%len(z)]
		}
	}
	if _, err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if tape.Rescues() == 0 {
		t.Error("no rescues are counted")
	}
}
