package ep

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/stats"
)

// drawnPoints are two points close together, a distant one, and a copy of the first.
var drawnPoints = mat.NewDense(4, 2, []float64{0.3, -0.5, 0.32, -0.49, -1, 1.5, 0.3, -0.5})

// With one layer, predictions are exact, and drawn functions have the same moments. Their
// covariances are the covariances of a GP: f(x) + f(x') has the variance that the posterior of u
// implies.
func TestDrawFunctionsOneLayer(t *testing.T) {
	m := newTestModel(t, familytest.NewSetting("aep", "layers", "1"), familytest.Wave(60, 2))
	familytest.Steps(t, m, 20)
	const count = 4000
	draws, err := m.DrawFunctions(drawnPoints, count, 2)
	if err != nil {
		t.Fatal(err)
	}
	for k, g := range m.problem.layers[0].gps {
		mean, covariance := g.byDefinition(t, drawnPoints)
		for a := range 4 {
			for b := range a + 1 {
				var sums []float64
				for _, d := range draws {
					sums = append(sums, d[k][a]+d[k][b])
				}
				want := mean[a] + mean[b]
				vr := covariance.At(a, a) + covariance.At(b, b) + 2*covariance.At(a, b)
				got, squares := stat.MeanVariance(sums, nil)
				if math.Abs(got-want) > 5*math.Sqrt(vr/count) ||
					math.Abs(squares/vr-1) > 5*math.Sqrt(2./count) {
					t.Errorf("GP %d at %d and %d: %v, variance %v, want %v, %v",
						k, a, b, got, squares, want, vr)
				}
			}
		}
	}
	again, err := m.DrawFunctions(drawnPoints, 2, 2)
	if err != nil || !slices.Equal(again[1][0], draws[1][0]) || slices.Equal(draws[0][0], draws[1][0]) {
		t.Errorf("%v, drawn again %v (%v)", draws[:2], again, err)
	}
}

// byDefinition returns the moments of f at points: k_u^T K^-1 m, and k(X, X) - k_u^T K^-1 k_u +
// k_u^T K^-1 V K^-1 k_u, with u ~ N(m, V).
func (g *gp) byDefinition(t *testing.T, x *mat.Dense) (mean []float64, covariance *mat.Dense) {
	t.Helper()
	n, d := x.Dims()
	z := mat.NewDense(g.inducing, d, g.Z.Value)
	cross := g.kernelOf(z, x)
	among := g.kernelOf(x, x)
	kuu := mat.NewDense(g.inducing, g.inducing, nil)
	root := mat.NewDense(g.inducing, g.inducing, g.root.Value)
	kuu.Mul(root, root.T())
	var solved, half, left, u, f mat.Dense
	if err := solved.Solve(kuu, cross); err != nil {
		t.Fatal(err)
	}
	half.Mul(mat.NewDense(g.inducing, g.inducing, g.covariance(g.posterior)), &solved)
	covariance = mat.NewDense(n, n, nil)
	covariance.Mul(solved.T(), &half)
	left.Mul(cross.T(), &solved)
	covariance.Sub(covariance, &left)
	covariance.Add(covariance, among)
	u.Mul(root, mat.NewVecDense(g.inducing, g.posterior.a.Value))
	f.Mul(solved.T(), &u)
	return mat.Col(nil, 0, &f), covariance
}

// kernelOf returns the covariances between two lists of points.
func (g *gp) kernelOf(a, b *mat.Dense) *mat.Dense {
	n, d := a.Dims()
	p, _ := b.Dims()
	out := mat.NewDense(n, p, nil)
	out.Apply(func(i, j int, _ float64) float64 {
		var squares float64
		for k := range d {
			r := (a.At(i, k) - b.At(j, k)) / g.Lengthscales.Value[k]
			squares += r * r
		}
		return g.Variance.Value[0] * math.Exp(-squares/2)
	}, out)
	return out
}

// With several layers, drawn functions have the same moments at each point as samples propagated
// through the layers without noise. Values are equal at equal points, and nearly equal at close
// points.
func TestDrawFunctionsSeveralLayers(t *testing.T) {
	for _, s := range []familytest.Setting{familytest.NewSetting("aep", "layers", "3", "width", "2"),
		familytest.NewSetting("sep", "points", "10", "batch", "10")} {
		m := newTestModel(t, s, familytest.Wave(60, 2))
		familytest.Steps(t, m, 40)
		const count = 3000
		draws, err := m.DrawFunctions(drawnPoints, count, 2)
		if err != nil {
			t.Fatal(err)
		}
		samples := m.throughLayers(t, drawnPoints, count)
		for k := range draws[0] {
			var f [4][]float64
			for _, d := range draws {
				for i, v := range d[k] {
					f[i] = append(f[i], v)
				}
				if math.Abs(d[k][0]-d[k][3]) > 0.05 {
					t.Fatalf("%v: %v and %v at one point", s, d[k][0], d[k][3])
				}
			}
			for i := range 3 {
				mean, vr := stat.MeanVariance(f[i], nil)
				want, wanted := stat.MeanVariance(samples[k][i*count:(i+1)*count], nil)
				kurtosis := stat.ExKurtosis(f[i], nil)
				// The tolerance is five standard errors of the difference of two means, and of two
				// variances.
				if math.Abs(mean-want) > 5*math.Sqrt(2*wanted/count) ||
					math.Abs(vr/wanted-1) > 5*math.Sqrt(2*(kurtosis+2)/count) {
					t.Errorf("%v: target %d at point %d: %v, variance %v, sampled %v, %v",
						s, k, i, mean, vr, want, wanted)
				}
			}
			if r := stat.Correlation(f[0], f[1], nil); r < 0.9 {
				t.Errorf("%v: correlation %v between close points", s, r)
			}
		}
	}
}

// throughLayers samples the layers at every point independently, without noise, from the moments at
// known inputs. It returns the samples of the last layer, [T][n*count].
func (m *Model) throughLayers(t *testing.T, x *mat.Dense, count int) (in [][]float64) {
	t.Helper()
	n, d := x.Dims()
	for k := range d {
		var all []float64
		for i := range n {
			all = append(all, slices.Repeat([]float64{x.At(i, k)}, count)...)
		}
		in = append(in, all)
	}
	stream := stats.Stream(11, "test", 0)
	for _, current := range m.problem.layers {
		var out [][]float64
		for _, g := range current.gps {
			tape := autodiff.NewTape()
			at := tape.Constant(1, len(in), n*count)
			for k, column := range in {
				copy(at.Row(k), column)
			}
			mean, vr := g.posterior.atPoints(tape, at)
			if err := tape.Forward(); err != nil {
				t.Fatal(err)
			}
			drawn := slices.Clone(mean.Value)
			for i, v := range vr.Value {
				drawn[i] += math.Sqrt(max(v, 0)) * stream.NormFloat64()
			}
			out = append(out, drawn)
		}
		in = out
	}
	return in
}
