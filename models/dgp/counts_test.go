package dgp

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/inducing"
	"dgplab/models/stats"
)

// Every pattern has the same bound as the fully-coupled one with zero blocks, and the same gradient
// for every parameter that both have.
func TestPatternsEqualFullyCoupledWithZeros(t *testing.T) {
	widths := []int{2, 1, 2}
	for name, pattern := range patterns(widths) {
		r := rand.New(rand.NewPCG(3, 8))
		arch, part := randomModel(r, widths, uneven(widths), 2, pattern, "rbf")
		other := *arch
		other.Pattern = FullyCoupled(widths)
		whole := NewEvaluation(&other, part.bound.b, part.bound.r)
		copyLayers(whole, part)
		eachBlock(arch, func(i, j int) { copy(whole.QSqrt(i, j), part.QSqrt(i, j)) })
		copyData(whole, part)
		a, err := part.Run()
		if err != nil {
			t.Fatal(err)
		}
		b, err := whole.Run()
		if err != nil {
			t.Fatal(err)
		}
		checkWithin(t, name+" ELBO", a.ELBO, b.ELBO, 1e-8)
		checkWithin(t, name+" KL", a.KL, b.KL, 1e-8)
		part.Differentiate()
		whole.Differentiate()
		same := func(what string, got, want []float64) {
			for k, v := range want {
				checkWithin(t, name+" gradient of "+what, got[k], v, 1e-8)
			}
		}
		for l := range arch.Layers {
			got := part.LayerGradient(l)
			want := whole.LayerGradient(l)
			same("Z", got.Z, want.Z)
			same("lengthscales", got.Lengthscales, want.Lengthscales)
			same("mu", got.QMu, want.QMu)
		}
		eachBlock(arch, func(i, j int) {
			if i != j { // entries above the diagonal of a block (i, i) are not derivatives
				same("L_S", part.QSqrtGradient(i, j), whole.QSqrtGradient(i, j))
			}
		})
	}
}

// Natural gradients read L_S as one dense factor with zeros outside its blocks, or as one factor
// per GP, and write it back unchanged.
func TestGaussiansMatchBlocks(t *testing.T) {
	for _, variant := range []string{"fully-coupled natgrad uneven", "mean-field natgrad uneven"} {
		m := build(t, nameOf(variant), familytest.Wave(40, 1), variants()[variant]...)
		familytest.Steps(t, m, 4)
		p := m.problem
		dense := denseFactor(m.post)
		var means, factors int
		for _, n := range p.Gaussians() {
			means, factors = means+n, factors+n*n
		}
		mu := make([]float64, means)
		l := make([]float64, factors)
		p.ReadGaussians(mu, l, make([]float64, means), make([]float64, factors))
		at := 0
		var diagonal []float64
		for k, first := 0, 0; k < len(p.Gaussians()); k++ {
			n := p.Gaussians()[k]
			if want := mat.DenseCopyOf(dense.Slice(first, first+n, first,
				first+n)).RawMatrix().Data; !slices.Equal(l[at:at+n*n], want) {
				t.Errorf("%s: Gaussian %d has the factor %v, want %v", variant, k, l[at:at+n*n], want)
			}
			for i := range n {
				diagonal = append(diagonal, l[at+i*n+i])
				l[at+i*n+i] *= 2
			}
			at, first = at+n*n, first+n
		}
		p.WriteGaussians(mu, l, 0)
		if err := m.refresh(); err != nil {
			t.Fatal(err)
		}
		for i, d := range diagonal {
			if got := denseFactor(m.post).At(i, i); got != 2*d {
				t.Errorf("%s: entry %d of the diagonal is %v, want %v", variant, i, got, 2*d)
			}
		}
	}
}

// If a layer has as many inducing points as the first, its points start as the first layer's
// points, propagated through the mean functions. Any other layer runs its own k-means.
func TestInitialInducingInputs(t *testing.T) {
	data := familytest.Wave(40, 1)
	one := build(t, "star", data, small, map[string]string{"layers": "4", "width": "1"})
	list := build(t, "star", data, small, map[string]string{
		"layers": "4", "width": "1", "inducing": "8,5,8,50",
	})
	x := linearMap(data.X, 1).apply(data.X, 1) // the inputs of layers 2 to 4
	for l, count := range []int{8, 5, 8, 40} {
		got := list.post.layers[l].z.Value
		want := one.post.layers[l].z.Value
		if count != 8 {
			want = inducing.KMeans(x, count, stats.Stream(7, "k-means", uint64(l))).RawMatrix().Data
		}
		if !slices.Equal(got, want) {
			t.Errorf("layer %d starts with Z = %v, want %v", l+1, got, want)
		}
	}
	if notes := list.Notes(); len(notes) != 1 ||
		notes[0] != "inducing=50 exceeds the 40 training points; using 40" {
		t.Errorf("notes %q", notes)
	}
	for _, spec := range Families() {
		values, err := family.Resolve(spec.Hyperparameters, nil)
		if err != nil {
			t.Fatal(err)
		}
		values["inducing"] = "8,5,8,5" // the model has 3 layers, or one
		var bad *family.ValueError
		if _, err := spec.Size(values, 40, 2, 1); !errors.As(err, &bad) || bad.Name != "inducing" {
			t.Errorf("%s: accepted four counts: %v", spec.Name, err)
		}
		if _, err := spec.New(values, data, 7); !errors.As(err, &bad) || bad.Name != "inducing" {
			t.Errorf("%s: built a model with four counts: %v", spec.Name, err)
		}
	}
}
