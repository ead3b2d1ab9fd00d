package ep

import (
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
	"dgplab/models/oracletest"
)

// matching lists the settings of stochastic EP whose factors are compared.
var matching = []familytest.Setting{
	familytest.NewSetting("sep", "layers", "1"),
	familytest.NewSetting("sep", "layers", "3", "width", "2"),
	familytest.NewSetting("sep", "layers", "2", "width", "2", "output_cov", "full"),
}

// pointFactors returns the sums, h and H, over the factors of the points in rows for each GP, and
// the model.
func pointFactors(t *testing.T, s familytest.Setting, rows []int) (sums []float64, m *Model) {
	t.Helper()
	m = newTestModel(t, s.With("points", strconv.Itoa(len(rows)), "start_spread", "0.3"),
		familytest.Wave(40, 3))
	points := float64(len(rows))
	var before [][]float64
	for _, site := range m.method.sites {
		before = append(before, slices.Concat(site.g.h.Value, site.g.hh.Value))
	}
	if _, err := m.method.sweep(0, rows); err != nil {
		t.Fatal(err)
	}
	for k, site := range m.method.sites {
		for i, v := range slices.Concat(site.first, site.step) {
			sums = append(sums, points*(v+before[k][i]))
		}
	}
	if n := m.problem.Rescues(); n > 0 {
		t.Fatalf("%v: %d rescues", s, n)
	}
	return sums, m
}

// The factor of a point follows from the gradients with respect to the cavity, C'^-1 - C^-1 and
// C'^-1 a' - C^-1 a, for any number of layers above.
func TestFactorsFromGradients(t *testing.T) {
	for _, s := range matching {
		for _, row := range []int{3, 17} {
			got, m := pointFactors(t, s, []int{row})
			var want []float64
			for _, site := range m.method.sites {
				want = append(want, factorOf(site)...)
			}
			oracletest.Close(t, s.String(), got, want, 1e-8)
		}
	}
}

// factorOf returns the factor of the last point, h and H.
func factorOf(site *site) []float64 {
	m := site.g.inducing
	c := mat.NewDense(m, m, site.cavity.c.Value)
	a := mat.NewVecDense(m, site.cavity.a.Value)
	g := mat.NewVecDense(m, site.cavity.a.Grad())
	d := mat.NewDense(m, m, site.cavity.c.Grad())
	var slope, change, moved, precision, left, h mat.Dense
	slope.Outer(1, g, g)
	slope.Sub(&slope, d)
	slope.Sub(&slope, d.T())
	change.Product(c, &slope, c)
	moved.Sub(c, &change)
	var mean, shift mat.VecDense
	shift.MulVec(c, g)
	mean.AddVec(a, &shift)
	if precision.Inverse(&moved) != nil || left.Inverse(c) != nil {
		panic("a covariance is singular")
	}
	var first, second mat.Dense
	first.Mul(&precision, &mean)
	second.Mul(&left, a)
	h.Sub(&first, &second)
	precision.Sub(&precision, &left)
	return slices.Concat(h.RawMatrix().Data, precision.RawMatrix().Data)
}

// The factors of several points add up, for any number of tiles.
func TestFactorsAddUp(t *testing.T) {
	rows := []int{3, 17, 5, 9, 21, 22, 23, 0, 1, 2, 39, 38, 37, 36, 30, 31, 32, 33, 34, 35}
	for _, s := range matching {
		together, _ := pointFactors(t, s, rows)
		sum := make([]float64, len(together))
		for _, row := range rows {
			one, _ := pointFactors(t, s, []int{row})
			for i, v := range one {
				sum[i] += v
			}
		}
		oracletest.Close(t, s.String(), together, sum, 1e-9)
	}
}

// The median distance is 1 if there are no distances or the median is tiny. Of many rows, only every
// second counts.
func TestMedianDistance(t *testing.T) {
	many := make([]float64, 2*medianRows)
	for i := range many {
		many[i] = float64(i % 2 * i * i)
		if i%4 == 2 {
			many[i] = 3
		}
	}
	for name, c := range map[string]struct {
		x    *mat.Dense
		want float64
	}{
		"three":    {mat.NewDense(3, 1, []float64{0, 1, 3}), 2},
		"plane":    {mat.NewDense(2, 2, []float64{1, 1, 4, 5}), 5},
		"one":      {mat.NewDense(1, 2, []float64{1, 1}), 1},
		"constant": {mat.NewDense(3, 1, []float64{7, 7, 7}), 1},
		"tiny":     {mat.NewDense(2, 1, []float64{0, minMedian / 2}), 1},
		"small":    {mat.NewDense(2, 1, []float64{0, minMedian}), minMedian},
		"many":     {mat.NewDense(len(many), 1, many), 3},
	} {
		if got := medianDistance(c.x); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// By default, the first layer starts at the median distance and others at a long lengthscale.
func TestDefaultLengthscales(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{0, 1, 3})
	s := starter{x: x, seed: 1, lengthscales: []float64{0, 0}, variances: []float64{2, 3}}
	given := starter{x: x, seed: 1, lengthscales: []float64{0.5, 0.7}, variances: []float64{2, 3}}
	for l, want := range []float64{2, longLengthscale} {
		for start, length := range map[*starter]float64{&s: want, &given: given.lengthscales[l]} {
			tape := autodiff.NewTape()
			g := &gp{inducing: 2}
			g.Z = tape.Constant(1, 2, 1)
			g.Lengthscales = tape.Constant(1, 1, 1)
			g.Variance = tape.Constant(1, 1, 1)
			start.initialise(l, 0, g)
			if got := g.Lengthscales.Value[0]; got != length || g.Variance.Value[0] != start.variances[l] {
				t.Errorf("layer %d: lengthscale %v, want %v; variance %v", l, got, length, g.Variance.Value)
			}
		}
	}
}
