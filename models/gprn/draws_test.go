package gprn

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/models/family"
)

// gaussians holds the joint distribution of all functions at new points for one component, computed
// from the definition. The functions are independent.
type gaussians struct {
	mean       [][]float64
	covariance []*mat.Dense
}

// addFunction adds the distribution at x of a function with distribution N(mean, sigma) at the
// training points: k_*^T K^-1 mean and k(X, X) - k_*^T K^-1 k_* + k_*^T K^-1 sigma K^-1 k_*.
func (g *gaussians) addFunction(t *testing.T, p *prior, x *mat.Dense, mean []float64, sigma mat.Matrix) {
	t.Helper()
	n, _ := x.Dims()
	cross := mat.NewDense(p.data.n, n, nil)
	p.cross(cross.RawMatrix().Data, rows(x))
	var solved, of, half, k mat.Dense
	if err := solved.Solve(mat.NewDense(p.data.n, p.data.n, p.k), cross); err != nil {
		t.Fatal(err)
	}
	of.Mul(solved.T(), mat.NewVecDense(len(mean), mean))
	half.Mul(sigma, &solved)
	k.Mul(solved.T(), &half)
	half.Reset()
	half.Mul(cross.T(), &solved)
	k.Sub(&k, &half)
	k.Add(&k, mat.NewDense(n, n, p.among(rows(x))))
	g.mean = append(g.mean, mat.Col(nil, 0, &of))
	g.covariance = append(g.covariance, &k)
}

// moments returns E y_i(a) and E y_i(a) y_i(b) for an output at two points.
func (g *gaussians) moments(q, i, a, b int) (first, second float64) {
	var atB float64
	for j := range q {
		f, w := g.mean[j], g.mean[q+i*q+j]
		cf := g.covariance[j].At(a, b)
		cw := g.covariance[q+i*q+j].At(a, b)
		first += w[a] * f[a]
		atB += w[b] * f[b]
		second += w[a]*w[b]*cf + cw*(f[a]*f[b]+cf)
	}
	return first, second + first*atB
}

// Drawn functions have the means of q and its second moments between any two points, and equal
// values at equal points.
func TestDrawFunctions(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{0.2, -0.4, 0.3, -0.3, 2, 1, 0.2, -0.4})
	for name, build := range map[string]func() (family.FunctionSampler, int, int, []*gaussians){
		"mean field": func() (family.FunctionSampler, int, int, []*gaussians) {
			s := setting{kind: "rbf", n: 12, d: 2, p: 2, q: 2, noise: 0.1, scale: 1, seed: 4, missing: 0.1}
			m := s.network(t)
			g := &gaussians{}
			for _, f := range append(slices.Clone(m.f), m.w...) {
				k := slices.IndexFunc(m.groups, func(g *group) bool { return slices.Contains(g.members, f) })
				g.addFunction(t, m.groups[k].prior, x, f.mean, m.sigma(m.groups[k]))
			}
			return &Model{network: m}, m.q, m.p, []*gaussians{g}
		},
		"mixture": func() (family.FunctionSampler, int, int, []*gaussians) {
			s := setting{kind: "rbf", n: 12, d: 2, p: 2, q: 2, noise: 0.1, scale: 1, seed: 4}
			m := s.nonparametric(t, 3)
			if err := m.refreshQuietly(); err != nil {
				t.Fatal(err)
			}
			var list []*gaussians
			for k := range m.k {
				g := &gaussians{}
				sigma := mat.NewDiagDense(m.n, slices.Repeat([]float64{m.variances[k]}, m.n))
				for f := range m.q * (m.p + 1) {
					kind := m.latent
					if f >= m.q {
						kind = m.weight
					}
					g.addFunction(t, kind.prior, x, m.meanOf(f, k), sigma)
				}
				list = append(list, g)
			}
			return &NPV{npv: m}, m.q, m.p, list
		},
	} {
		m, q, outputs, components := build()
		const count = 6000
		draws, err := m.DrawFunctions(x, count, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i := range outputs {
			for a := range 4 {
				for b := range a + 1 {
					var mean, product float64
					for _, c := range components {
						first, second := c.moments(q, i, a, b)
						mean = mean + first/float64(len(components))
						product = product + second/float64(len(components))
					}
					var values, products []float64
					for _, d := range draws {
						values = append(values, d[i][a])
						products = append(products, d[i][a]*d[i][b])
						if math.Abs(d[i][0]-d[i][3]) > 0.05 {
							t.Fatalf("%s: %v and %v at one point", name, d[i][0], d[i][3])
						}
					}
					checkMean(t, name, values, mean)
					checkMean(t, name, products, product)
				}
			}
		}
		again, err := m.DrawFunctions(x, 2, 5)
		if err != nil || !slices.Equal(again[1][0], draws[1][0]) || slices.Equal(draws[0][0], draws[1][0]) {
			t.Errorf("%s: %v, drawn again %v (%v)", name, draws[:2], again, err)
		}
	}
}

// checkMean checks that the mean of draws is within five standard errors of want.
func checkMean(t *testing.T, name string, draws []float64, want float64) {
	t.Helper()
	mean, sd := stat.MeanStdDev(draws, nil)
	if math.Abs(mean-want) > 5*sd/math.Sqrt(float64(len(draws)))+1e-4 {
		t.Errorf("%s: %v with standard error %v, want %v",
			name, mean, sd/math.Sqrt(float64(len(draws))), want)
	}
}
