package dgp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
	"dgplab/models/likelihood"
)

// The reference computes Theorem 1 as printed, one point at a time, with dense matrices and
// inverses, from unwhitened parameters. It shares only the kernel function with the engine.

// even and uneven return the number of inducing points per layer: the same for all layers, or
// different ones.
func even(widths []int) []int { return slices.Repeat([]int{3}, len(widths)) }

func uneven(widths []int) []int { return []int{3, 2, 4, 1}[:len(widths)] }

// randomModel returns a random architecture and its evaluation.
func randomModel(
	r *rand.Rand, widths, counts []int, inputs int, pattern *Pattern, kind string,
) (*Architecture, *Evaluation) {
	const b, samples = 4, 2
	arch := &Architecture{Likelihood: likelihood.Gaussian{}, Pattern: pattern, Jitter: 1e-6,
		FullCov: true, Unwhitened: true}
	in := inputs
	for l, width := range widths {
		k, err := kernel.Parse(kind)
		if err == nil {
			k, err = k.Bind(in, nil)
		}
		if err != nil {
			panic(err)
		}
		layer := Layer{Kernel: k, Inputs: in, GPs: width, M: counts[l]}
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
	for i := range e.Noise() {
		e.Noise()[i] = 0.3
	}
	for i := range pattern.rows {
		for _, j := range pattern.rows[i] {
			block, m := e.QSqrt(i, j), counts[pattern.layer[j]]
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

// reference holds the dense matrices of one model.
type reference struct {
	arch *Architecture
	e    *Evaluation
	mu   *mat.VecDense
	s    *mat.Dense
	kinv []*mat.Dense
	// at holds the first inducing output of each GP, and their total number at the end.
	at []int
}

func newReference(arch *Architecture, e *Evaluation) *reference {
	ref := &reference{arch: arch, e: e, at: []int{0}}
	for _, l := range arch.Pattern.layer {
		ref.at = append(ref.at, ref.at[len(ref.at)-1]+arch.Layers[l].M)
	}
	all := ref.at[arch.Pattern.NumGPs()]
	ref.mu = mat.NewVecDense(all, nil)
	factor := mat.NewDense(all, all, nil)
	for i := range arch.Pattern.rows {
		for _, j := range arch.Pattern.rows[i] {
			block := factor.Slice(ref.at[i], ref.at[i+1], ref.at[j], ref.at[j+1]).(*mat.Dense)
			rows, cols := block.Dims()
			block.Copy(mat.NewDense(rows, cols, e.QSqrt(i, j)))
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
		kuu := ref.covariances(l, e.Layer(l).Z, arch.Layers[l].M)
		for i := range arch.Layers[l].M {
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

// covariances returns k(points, Z) of layer l for n points, row-major.
func (ref *reference) covariances(l int, points []float64, n int) *mat.Dense {
	p, layer, m := ref.e.Layer(l), ref.arch.Layers[l], ref.arch.Layers[l].M
	columns := make([]float64, len(p.Z))
	transposeInto(columns, p.Z, layer.Inputs)
	out := mat.NewDense(n, m, nil)
	ref.e.bound.post.layers[l].kernel.Kuf(out.RawMatrix().Data, 0, points, columns)
	return out
}

// point returns mu~ and S~ of all GPs, and mu^ and Sigma^ of the last layer, for sample r and point
// b.
func (ref *reference) point(
	r, b int,
) (muTilde []float64, sTilde *mat.Dense, muHat []float64, sigmaHat *mat.Dense) {
	arch, at := ref.arch, ref.at
	t := arch.Pattern.NumGPs()
	rows := mat.NewDense(t, at[t], nil) // row i holds K~_nM of its layer in the block of GP i
	prior := make([]float64, t)
	input := mat.Col(nil, b, mat.NewDense(arch.Layers[0].Inputs,
		len(ref.e.bound.x.Row(0)), ref.e.bound.x.Value))
	var f []float64
	i := 0
	for l, layer := range arch.Layers {
		k := ref.covariances(l, input, 1)
		var kt mat.Dense
		kt.Mul(k, ref.kinv[l])
		left := ref.e.Layer(l).Variance[0] - mat.Dot(kt.RowView(0), k.RowView(0))
		mean := meanAt(layer, input, 1)
		for u := 0; u < layer.GPs; u++ {
			rows.Slice(i+u, i+u+1, at[i+u], at[i+u+1]).(*mat.Dense).Copy(&kt)
			prior[i+u] = left
			muTilde = append(muTilde, mean[u]+mat.Dot(kt.RowView(0), ref.mu.SliceVec(at[i+u], at[i+u+1])))
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

// sampled returns the mean and the variance of each GP of the last layer for sample r and point b,
// given the inducing outputs f_M = mu + L_S eps.
func (ref *reference) sampled(r, b int) (mean []float64, variance float64) {
	f := mat.VecDenseCopyOf(ref.mu)
	for i, row := range ref.arch.Pattern.rows {
		for _, j := range row {
			own := f.SliceVec(ref.at[i], ref.at[i+1]).(*mat.VecDense)
			cols := ref.at[j+1] - ref.at[j]
			start := ref.at[j]*ref.e.bound.r + r*cols
			eps := mat.NewVecDense(cols, ref.e.EpsInducing()[start:start+cols])
			var moved mat.VecDense
			moved.MulVec(mat.NewDense(own.Len(), cols, ref.e.QSqrt(i, j)), eps)
			own.AddVec(own, &moved)
		}
	}
	input := mat.Col(nil, b, mat.NewDense(ref.arch.Layers[0].Inputs,
		len(ref.e.bound.x.Row(0)), ref.e.bound.x.Value))
	i := 0
	for l, layer := range ref.arch.Layers {
		k := ref.covariances(l, input, 1)
		var kt mat.Dense
		kt.Mul(k, ref.kinv[l])
		variance = ref.e.Layer(l).Variance[0] - mat.Dot(kt.RowView(0), k.RowView(0))
		mean = meanAt(layer, input, 1)
		for u := range mean {
			mean[u] += mat.Dot(kt.RowView(0), f.SliceVec(ref.at[i], ref.at[i+1]))
			i++
		}
		if l < len(ref.arch.Layers)-1 {
			input = slices.Clone(mean)
			for u := range input {
				input[u] += math.Sqrt(variance) * ref.e.bound.eps[l].Row(u)[r*ref.e.bound.b+b]
			}
		}
	}
	return mean, variance
}

// condition applies eqs. 10 and 11 to the GPs from start to end, given f of the layers below.
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

// kl returns the KL divergence of two dense Gaussians.
func (ref *reference) kl() float64 {
	t := ref.arch.Pattern.NumGPs()
	var trace, quad, logdet float64
	for i := range t {
		from, to := ref.at[i], ref.at[i+1]
		kinv := ref.kinv[ref.arch.Pattern.layer[i]]
		var prod mat.Dense
		prod.Mul(kinv, ref.s.Slice(from, to, from, to))
		trace += mat.Trace(&prod)
		mu := ref.mu.SliceVec(from, to)
		quad += mat.Inner(mu, kinv, mu)
		logdet -= math.Log(mat.Det(kinv))
	}
	return 0.5 * (trace + quad - float64(ref.at[t]) + logdet - math.Log(mat.Det(ref.s)))
}

// patterns returns the patterns under test.
func patterns(widths []int) map[string]*Pattern {
	mixed := newPattern(widths, func(i, j int) bool { return (i*7+j*3)%4 == 0 })
	return map[string]*Pattern{
		"mean-field": MeanField(widths), "star": StripesAndArrow(widths),
		"fully-coupled": FullyCoupled(widths), "chain": Chain(widths), "mixed": mixed,
	}
}

func TestMarginalsMatchTheorem1(t *testing.T) {
	for _, widths := range [][]int{{1}, {2}, {2, 1}, {3, 2, 2}, {1, 2, 3, 1}} {
		for name, pattern := range patterns(widths) {
			checkMarginalsOf(t, name, pattern, widths, even(widths))
			checkMarginalsOf(t, name+" uneven", pattern, widths, uneven(widths))
		}
	}
}

func checkMarginalsOf(t *testing.T, name string, pattern *Pattern, widths, counts []int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(len(widths))))
	arch, e := randomModel(r, widths, counts, 2, pattern, "matern52")
	terms, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	ref := newReference(arch, e)
	want := -ref.kl()
	checkWithin(t, name+" KL", terms.KL, -want, 1e-8)
	last := len(widths) - 1
	g := e.Marginals(last)
	for s := 0; s < e.Samples(); s++ {
		for b := 0; b < e.bound.b; b++ {
			_, _, mu, sigma := ref.point(s, b)
			for u := range mu {
				checkWithin(t, name+" mu^", g.MuHat(u, s, b), mu[u], 1e-8)
				for v := range mu {
					checkWithin(t, name+" Sigma^", g.SigmaHat(u, v, s, b), sigma.At(u, v), 1e-8)
				}
				y := e.bound.y.Row(u)[b]
				d := y - mu[u]
				term := -0.5 * (math.Log(2*math.Pi*0.3) + (d*d+sigma.At(u, u))/0.3)
				want += term * 10 / float64(e.bound.b*e.Samples())
			}
		}
	}
	checkWithin(t, name+" ELBO", terms.ELBO, want, 1e-8)
}

func TestSampledMomentsMatchReference(t *testing.T) {
	widths := []int{2, 1, 2}
	for name, pattern := range patterns(widths) {
		for _, counts := range [][]int{even(widths), uneven(widths)} {
			r := rand.New(rand.NewPCG(6, 1))
			arch, e := randomModel(r, widths, counts, 2, pattern, "matern32")
			other := *arch
			other.SampleInducing = true
			e = copyOf(&other, e, r)
			if _, err := e.Run(); err != nil {
				t.Fatal(err)
			}
			ref := newReference(&other, e)
			g := e.Marginals(len(widths) - 1)
			for s := range e.Samples() {
				for b := range e.bound.b {
					mean, variance := ref.sampled(s, b)
					checkWithin(t, name+" variance", g.SampledVariance(s, b), variance, 1e-8)
					for u := range mean {
						checkWithin(t, name+" mean", g.SampledMean(u, s, b), mean[u], 1e-8)
					}
				}
			}
		}
	}
}
