package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// checkClose fails unless got equals want to 1e-14 relative to size, the sum of the absolute values
// of its terms.
func checkClose(t *testing.T, what string, got, want, size float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-14*size) {
		t.Fatalf("%s is %v, want %v", what, got, want)
	}
}

func TestProducts(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 5))
		for n := range 40 {
			a := normals(rng, n)
			b := normals(rng, n)
			c := normals(rng, n)
			plus := append([]float64{}, c...)
			minus := append([]float64{}, c...)
			times := append([]float64{}, c...)
			AddMul(plus, a, b)
			SubMul(minus, a, b)
			Mul(times, a, b)
			ratio := make([]float64, n)
			Div(ratio, a, b)
			for i := range n {
				size := math.Abs(c[i]) + math.Abs(a[i]*b[i])
				checkClose(t, "sum", plus[i], c[i]+a[i]*b[i], size)
				checkClose(t, "difference", minus[i], c[i]-a[i]*b[i], size)
				checkClose(t, "product", times[i], a[i]*b[i], size)
				if want := a[i] / b[i]; ratio[i] != want {
					t.Errorf("n=%d: ratio of %v and %v is %v, want %v", n, a[i], b[i], ratio[i], want)
				}
			}
		}
	})
}

func TestRows(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 7))
		for n := 1; n < 40; n++ {
			dims, m := 1+n%10, n%7
			xStride, dstStride := n+n%3, n+n%4
			if n == 39 {
				n, xStride, dstStride = 600, 600, 600 // more than one strip
			}
			x := normals(rng, dims*xStride)
			z := normals(rng, m*dims)
			scale := normals(rng, dims)
			if m > 0 {
				z[0], x[0] = 1e6, 1e6 // coordinates far from zero but close to each other
			}
			for _, f := range []Form{Distance, RBF, Matern32, Matern52} {
				got := make([]float64, m*dstStride)
				f.Rows(got, dstStride, x, xStride, n, z, scale, 1.7)
				if m == 1 {
					row := make([]float64, n)
					f.KernelRow(row, x, xStride, z, scale, 1.7)
					for p, v := range row {
						if v != got[p] {
							t.Fatalf("one row of form %d differs at %d", f, p)
						}
					}
				}
				for i, g := range got {
					row, p := i/dstStride, i%dstStride
					want, r2 := 0.0, 0.0
					if p < n {
						for d := range dims {
							t := (z[row*dims+d] - x[d*xStride+p]) * scale[d]
							r2 += t * t
						}
						want = 1.7 * f.of(r2)
						if f == Distance {
							want = r2
						}
					}
					checkClose(t, fmt.Sprintf("form %d of %d points, %d dimensions, at %d of %d",
						f, n, dims, p, row), g, want, math.Abs(want)*(1+r2))
				}
			}
		}
	})
}

// The slope must equal central differences.
func TestSlope(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(6, 6))
		for _, f := range []Form{RBF, Matern32, Matern52} {
			for n := range 20 {
				r2 := make([]float64, n)
				for i := range r2 {
					r2[i] = math.Exp(2 * rng.NormFloat64())
				}
				got := append([]float64{}, r2...)
				f.Slope(got, 1.7)
				for i, v := range r2 {
					h := 1e-5 * v
					want := -2 * 1.7 * (f.of(v+h) - f.of(v-h)) / (2 * h)
					if !(math.Abs(got[i]-want) <= 1e-8*1.7) {
						t.Fatalf("slope of form %d at %v is %v, want %v", f, v, got[i], want)
					}
				}
			}
			zero := []float64{0}
			f.Slope(zero, 1.7)
			checkClose(t, "slope at 0", zero[0], 1.7*f.slopeAt(0), 5)
		}
	})
}

func TestWeightedDifferences(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(8, 8))
		for n := range 50 {
			w := normals(rng, n)
			x := normals(rng, n)
			dx := normals(rng, n)
			const z, c = 0.3, -1.9
			var first, second, size float64
			want := append([]float64{}, dx...)
			for p := range n {
				d := z - x[p]
				first += w[p] * d
				second += w[p] * d * d
				size += math.Abs(w[p]*d) + math.Abs(w[p]*d*d)
				want[p] += c * w[p] * d
			}
			f1, s1 := WeightedDifferences(nil, w, x, z, c)
			f2, s2 := WeightedDifferences(dx, w, x, z, c)
			if f1 != f2 || s1 != s2 {
				t.Fatalf("sums of %d differ with and without dx", n)
			}
			checkClose(t, "first", f1, first, size)
			checkClose(t, "second", s1, second, size)
			for p := range n {
				checkClose(t, "dx", dx[p], want[p], 1+math.Abs(want[p])+math.Abs(x[p]*w[p]))
			}
		}
	})
}

func TestWeightedDifferences4EqualsFourCalls(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(10, 10))
		const stride, c = 3, 0.7
		for n := range 40 {
			w := normals(rng, 4*n)
			x := normals(rng, n)
			z := normals(rng, 3*stride+1)
			want := normals(rng, n)
			for _, dx := range [][]float64{append([]float64{}, want...), nil} {
				sums := make([]float64, 8)
				WeightedDifferences4(dx, w, x, z, stride, c, sums)
				for m := range 4 {
					into := want
					if dx == nil {
						into = nil
					}
					f, s := WeightedDifferences(into, w[m*n:(m+1)*n], x, z[m*stride], c)
					if sums[m] != f || sums[4+m] != s {
						t.Fatalf("n=%d: row %d has the sums %v and %v, want %v and %v",
							n, m, sums[m], sums[4+m], f, s)
					}
				}
				if dx != nil && !slices.Equal(dx, want) {
					t.Fatalf("n=%d: dx is %v, want %v", n, dx, want)
				}
			}
		}
	})
}

func TestAdamEqualsFormula(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(11, 11))
		const beta1, beta2 = 0.9, 0.99
		a := NewAdam(beta1, beta2, 2.5, 7, 1e-8, 0.01)
		rest1, rest2 := 1-a.beta1, 1-a.beta2
		for n := range 40 {
			x := normals(rng, n)
			first := normals(rng, n)
			second := normals(rng, n)
			gradient := normals(rng, n)
			want := make([][3]float64, n)
			for i, g := range gradient {
				second[i] *= second[i]
				m := float64(beta1*first[i]) + float64(rest1*g)
				v := float64(beta2*second[i]) + float64(float64(rest2*g)*g)
				step := 0.01 * m * 2.5 / (math.Sqrt(v*7) + 1e-8)
				want[i] = [3]float64{x[i] + step, m, v}
			}
			a.Update(x, first, second, gradient)
			for i := range n {
				got := [3]float64{x[i], first[i], second[i]}
				if got != want[i] {
					t.Fatalf("n=%d: element %d is %v, want %v", n, i, got, want[i])
				}
			}
		}
	})
}

func TestPanics(t *testing.T) {
	four := make([]float64, 4)
	five := make([]float64, 5)
	for name, call := range map[string]func(){
		"Exp":                 func() { Exp(four, five) },
		"Log":                 func() { Log(five, four) },
		"AddMul":              func() { AddMul(four, four, five) },
		"SubMul":              func() { SubMul(four, five, four) },
		"Div":                 func() { Div(four, four, five) },
		"Roots":               func() { Roots(four, five) },
		"Rows":                func() { RBF.Rows(five, 5, five, 5, 5, four[:2], four[:2], 1) },
		"KernelRow":           func() { RBF.KernelRow(five, five, 5, four[:1], four[:2], 1) },
		"Slope":               func() { Distance.Slope(four, 1) },
		"WeightedDifferences": func() { WeightedDifferences(five, four, four, 1, 1) },
		"WeightedDifferences4": func() {
			WeightedDifferences4(four[:1], four, four[:1], four[:3], 1, 1, make([]float64, 8))
		},
		"Adam": func() { new(Adam).Update(four, four, five, four) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

func BenchmarkFunctions(b *testing.B) {
	const n = 4096
	rng := rand.New(rand.NewPCG(9, 9))
	x := normals(rng, n)
	y := normals(rng, n)
	dst := make([]float64, n)
	positive := make([]float64, n)
	Exp(positive, x)
	scale := normals(rng, 9)
	points := normals(rng, 9*256)
	inducing := normals(rng, 9*n/256)
	rows := func(f Form) func() {
		return func() { f.Rows(dst, 256, points, 256, 256, inducing, scale, 1) }
	}
	loop := func(f func(float64) float64, src []float64) func() {
		return func() {
			for i, v := range src {
				dst[i] = f(v)
			}
		}
	}
	for _, r := range []struct {
		name string
		run  func()
	}{
		{"Exp", func() { Exp(dst, x) }},
		{"math.Exp", loop(math.Exp, x)},
		{"Log", func() { Log(dst, positive) }},
		{"math.Log", loop(math.Log, positive)},
		{"AddMul", func() { AddMul(dst, x, y) }},
		{"RBF9", rows(RBF)},
		{"Matern32of9", rows(Matern32)},
		{"Matern52of9", rows(Matern52)},
		{"WeightedDifferences", func() { WeightedDifferences(dst, x, y, 0.5, 1e-9) }},
	} {
		b.Run(r.name, func(b *testing.B) {
			for b.Loop() {
				r.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
		})
	}
}
