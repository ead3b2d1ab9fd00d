package dgp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
)

// The reference computes Theorem 1 as it is printed, one point at a time, with
// dense matrices and inverses, from unwhitened parameters. It shares nothing
// with the engine but the kernel function.

// randomModel returns an evaluation of a random model and the architecture.
func randomModel(r *rand.Rand, widths []int, inputs int, pattern *Pattern, kind kernel.Kind) (*Architecture, *Evaluation) {
	const m, b, samples = 3, 4, 2
	arch := &Architecture{M: m, Pattern: pattern, Jitter: 1e-6, FullCov: true, Unwhitened: true}
	in := inputs
	for l, width := range widths {
		layer := Layer{Kernel: kernel.Kernel{Kind: kind}, Inputs: in, GPs: width}
		if l < len(widths)-1 {
			layer.Mean.W = normals(r, in*width)
			if in == width {
				layer.Mean = Mean{Identity: true}
			}
		}
		arch.Layers = append(arch.Layers, layer)
		in = width
	}
	e := NewEvaluation(arch, b, samples)
	for l := range widths {
		p := e.Layer(l)
		copy(p.Z, normals(r, len(p.Z)))
		copy(p.QMu, normals(r, len(p.QMu)))
		for d := range p.Lengthscales {
			p.Lengthscales[d] = 0.8 + r.Float64()
		}
		p.Variance[0] = 0.5 + r.Float64()
		if l < len(widths)-1 {
			copy(e.Eps(l), normals(r, len(e.Eps(l))))
		}
	}
	e.Noise()[0] = 0.3
	for i := range pattern.rows {
		for _, j := range pattern.rows[i] {
			block := e.QSqrt(i, j)
			for k := range block {
				if i != j || k%m <= k/m {
					block[k] = 0.3 * r.NormFloat64()
				}
				if i == j && k%m == k/m {
					block[k] = 0.5 + r.Float64()
				}
			}
		}
	}
	last := widths[len(widths)-1]
	e.SetData(normals(r, b*inputs), normals(r, b*last), 10)
	return arch, e
}

func normals(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

// reference holds the dense quantities of one model.
type reference struct {
	arch *Architecture
	e    *Evaluation
	mu   *mat.VecDense
	s    *mat.Dense
	kinv []*mat.Dense
}

func newReference(arch *Architecture, e *Evaluation) *reference {
	m, t := arch.M, arch.Pattern.NumGPs()
	ref := &reference{arch: arch, e: e, mu: mat.NewVecDense(t*m, nil)}
	factor := mat.NewDense(t*m, t*m, nil)
	for i := range arch.Pattern.rows {
		for _, j := range arch.Pattern.rows[i] {
			factor.Slice(i*m, (i+1)*m, j*m, (j+1)*m).(*mat.Dense).Copy(mat.NewDense(m, m, e.QSqrt(i, j)))
		}
	}
	ref.s = new(mat.Dense)
	ref.s.Mul(factor, factor.T())
	k := 0
	for l := range arch.Layers {
		for _, v := range e.Layer(l).QMu {
			ref.mu.SetVec(k, v)
			k++
		}
		kuu := ref.covariances(l, e.Layer(l).Z, m)
		for i := 0; i < m; i++ {
			kuu.Set(i, i, kuu.At(i, i)+arch.Jitter)
		}
		var inverse mat.Dense
		if err := inverse.Inverse(kuu); err != nil {
			panic(err)
		}
		ref.kinv = append(ref.kinv, &inverse)
	}
	return ref
}

// covariances returns k(points, Z) of layer l for n points by rows.
func (ref *reference) covariances(l int, points []float64, n int) *mat.Dense {
	p, layer, m := ref.e.Layer(l), ref.arch.Layers[l], ref.arch.M
	columns := make([]float64, len(p.Z))
	transposeInto(columns, p.Z, layer.Inputs)
	out := mat.NewDense(n, m, nil)
	layer.Kernel.Kuf(out.RawMatrix().Data, points, columns, p.Lengthscales, p.Variance[0], make([]float64, layer.Inputs), n, layer.Inputs, m)
	return out
}

// point returns mu~, S~ (for all GPs), mu^ and Sigma^ of the last layer and the
// samples f of sample r and point b, layer by layer.
func (ref *reference) point(r, b int) (muTilde []float64, sTilde *mat.Dense, muHat []float64, sigmaHat *mat.Dense) {
	arch, m := ref.arch, ref.arch.M
	t := arch.Pattern.NumGPs()
	rows := mat.NewDense(t, t*m, nil) // row i holds K~_nM of its layer in its own block
	prior := make([]float64, t)
	input := mat.Col(nil, b, mat.NewDense(arch.Layers[0].Inputs, len(ref.e.bound.x.Row(0)), ref.e.bound.x.Value))
	var f []float64
	i := 0
	for l, layer := range arch.Layers {
		k := ref.covariances(l, input, 1)
		var kt mat.Dense
		kt.Mul(k, ref.kinv[l])
		left := ref.e.Layer(l).Variance[0] - mat.Dot(kt.RowView(0), k.RowView(0))
		mean := meanAt(layer, input, 1)
		for u := 0; u < layer.GPs; u++ {
			rows.Slice(i+u, i+u+1, (i+u)*m, (i+u+1)*m).(*mat.Dense).Copy(&kt)
			prior[i+u] = left
			muTilde = append(muTilde, mean[u]+mat.Dot(kt.RowView(0), ref.mu.SliceVec((i+u)*m, (i+u+1)*m)))
		}
		sTilde = new(mat.Dense)
		sTilde.Product(rows, ref.s, rows.T())
		for u := range muTilde {
			sTilde.Set(u, u, sTilde.At(u, u)+prior[u])
		}
		muHat, sigmaHat = condition(muTilde, sTilde, f, i, i+layer.GPs)
		if l < len(arch.Layers)-1 {
			input = ref.draw(l, muHat, sigmaHat, r, b)
			f = append(f, input...)
		}
		i += layer.GPs
	}
	return muTilde, sTilde, muHat, sigmaHat
}

// condition is eqs. 10 and 11 for the GPs from start to end given f beneath them.
func condition(mu []float64, s *mat.Dense, f []float64, start, end int) ([]float64, *mat.Dense) {
	muHat := append([]float64(nil), mu[start:end]...)
	sigma := mat.DenseCopyOf(s.Slice(start, end, start, end))
	if start == 0 {
		return muHat, sigma
	}
	cross := s.Slice(start, end, 0, start)
	var solved mat.Dense
	if err := solved.Solve(s.Slice(0, start, 0, start), cross.T()); err != nil {
		panic(err)
	}
	diff := mat.NewVecDense(start, nil)
	for k := range f {
		diff.SetVec(k, f[k]-mu[k])
	}
	var shift mat.VecDense
	shift.MulVec(solved.T(), diff)
	for k := range muHat {
		muHat[k] += shift.AtVec(k)
	}
	var less mat.Dense
	less.Mul(cross, &solved)
	sigma.Sub(sigma, &less)
	return muHat, sigma
}

func (ref *reference) draw(l int, mu []float64, sigma *mat.Dense, r, b int) []float64 {
	n := len(mu)
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(n, mat.DenseCopyOf(sigma).RawMatrix().Data)) {
		panic("reference: not positive definite")
	}
	var root mat.TriDense
	chol.LTo(&root)
	f := append([]float64(nil), mu...)
	for t := range f {
		for u := 0; u <= t; u++ {
			f[t] += root.At(t, u) * ref.e.bound.eps[l].Row(u)[r*ref.e.bound.b+b]
		}
	}
	return f
}

// kl is the divergence of two dense Gaussians.
func (ref *reference) kl() float64 {
	m, t := ref.arch.M, ref.arch.Pattern.NumGPs()
	var trace, quad, logdet float64
	for i := 0; i < t; i++ {
		kinv := ref.kinv[ref.arch.Pattern.layer[i]]
		var prod mat.Dense
		prod.Mul(kinv, ref.s.Slice(i*m, (i+1)*m, i*m, (i+1)*m))
		trace += mat.Trace(&prod)
		mu := ref.mu.SliceVec(i*m, (i+1)*m)
		quad += mat.Inner(mu, kinv, mu)
		logdet -= math.Log(mat.Det(kinv))
	}
	return 0.5 * (trace + quad - float64(t*m) + logdet - math.Log(mat.Det(ref.s)))
}

// patterns are those that the tests go through.
func patterns(widths []int) map[string]*Pattern {
	mixed := newPattern(widths, func(i, j int) bool { return (i*7+j*3)%4 == 0 })
	return map[string]*Pattern{
		"mean-field": MeanField(widths), "star": StripesAndArrow(widths),
		"fully-coupled": FullyCoupled(widths), "chain": Chain(widths), "mixed": mixed,
	}
}

func TestMarginalsAreThoseOfTheorem1(t *testing.T) {
	for _, widths := range [][]int{{1}, {2}, {2, 1}, {3, 2, 2}, {1, 2, 3, 1}} {
		for name, pattern := range patterns(widths) {
			r := rand.New(rand.NewPCG(1, uint64(len(widths))))
			arch, e := randomModel(r, widths, 2, pattern, kernel.Matern52)
			terms, err := e.Run()
			if err != nil {
				t.Fatal(err)
			}
			ref := newReference(arch, e)
			want := -ref.kl()
			near(t, name+" KL", terms.KL, -want)
			last := len(widths) - 1
			g := e.Marginals(last)
			for s := 0; s < e.Samples(); s++ {
				for b := 0; b < e.bound.b; b++ {
					_, _, mu, sigma := ref.point(s, b)
					for u := range mu {
						near(t, name+" mu^", g.MuHat(u, s, b), mu[u])
						for v := range mu {
							near(t, name+" Sigma^", g.SigmaHat(u, v, s, b), sigma.At(u, v))
						}
						y := e.bound.y.Row(u)[b]
						d := y - mu[u]
						term := -0.5 * (math.Log(2*math.Pi*0.3) + (d*d+sigma.At(u, u))/0.3)
						want += term * 10 / float64(e.bound.b*e.Samples())
					}
				}
			}
			near(t, name+" ELBO", terms.ELBO, want)
		}
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-8*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

func TestGradientsByCentralDifferences(t *testing.T) {
	widths := []int{2, 2, 2}
	for name, pattern := range patterns(widths) {
		for _, unwhitened := range []bool{false, true} {
			for _, sampled := range []bool{false, true} {
				r := rand.New(rand.NewPCG(2, 3))
				arch, e := randomModel(r, widths, 3, pattern, kernel.RBF)
				other := *arch
				other.Unwhitened, other.SampleInducing = unwhitened, sampled
				e = copyOf(&other, e, r)
				if _, err := e.Run(); err != nil {
					t.Fatal(err)
				}
				e.Differentiate()
				checkAll(t, name, e)
			}
		}
	}
}

// copyOf returns an evaluation of another architecture with the numbers of e.
func copyOf(arch *Architecture, e *Evaluation, r *rand.Rand) *Evaluation {
	out := NewEvaluation(arch, e.bound.b, e.bound.r)
	copyParameters(out, e)
	for l := range arch.Layers[:len(arch.Layers)-1] {
		copy(out.Eps(l), e.Eps(l))
	}
	copy(out.bound.x.Value, e.bound.x.Value)
	copy(out.bound.y.Value, e.bound.y.Value)
	out.bound.numData = e.bound.numData
	if arch.SampleInducing {
		copy(out.EpsInducing(), normals(r, len(out.EpsInducing())))
	}
	return out
}

// checkAll compares a few entries of the gradient of every parameter.
func checkAll(t *testing.T, name string, e *Evaluation) {
	t.Helper()
	type entry struct {
		what        string
		value, grad *float64
	}
	var entries []entry
	for l := range e.arch.Layers {
		p, g := e.Layer(l), e.LayerGradient(l)
		entries = append(entries,
			entry{"Z", &p.Z[1], &g.Z[1]}, entry{"lengthscale", &p.Lengthscales[0], &g.Lengthscales[0]},
			entry{"variance", &p.Variance[0], &g.Variance[0]}, entry{"mu", &p.QMu[2], &g.QMu[2]})
	}
	for i, row := range e.arch.Pattern.rows {
		for _, j := range row {
			q, g := e.QSqrt(i, j), e.QSqrtGradient(i, j)
			entries = append(entries, entry{"L_S", &q[6], &g[6]}, entry{"L_S", &q[4], &g[4]})
		}
	}
	noise := e.NoiseGradient()
	entries = append(entries, entry{"noise", &e.Noise()[0], &noise})
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
			t.Errorf("%s: gradient of %s: %.10g, central difference %.10g", name, en.what, analytic[k], numeric)
		}
	}
}
