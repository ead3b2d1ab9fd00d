package vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBetween(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 7))
		for n := range 40 {
			dims, aStride, bStride := 1+n%5, n+n%3, n+n%4
			a := normals(rng, dims*aStride+n)
			b := normals(rng, dims*bStride+n)
			scale := normals(rng, dims)
			for _, f := range []Form{Distance, RBF, Matern32, Matern52} {
				got := make([]float64, n)
				f.Between(got, a, aStride, b, bStride, scale, 1.7)
				for p, g := range got {
					var r2 float64
					for d, c := range scale {
						t := (a[d*aStride+p] - b[d*bStride+p]) * c
						r2 += t * t
					}
					want := 1.7 * f.of(r2)
					if f == Distance {
						want = r2
					}
					checkClose(t, "value", g, want, math.Abs(want)*(1+r2))
				}
			}
		}
	})
}

func TestPull(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 8))
		for n := range 40 {
			w := normals(rng, n)
			a := normals(rng, n)
			b := normals(rng, n)
			da := normals(rng, n)
			db := normals(rng, n)
			wantA := append([]float64{}, da...)
			wantB := append([]float64{}, db...)
			const c = -1.9
			var want, size float64
			for p := range n {
				d := a[p] - b[p]
				wantA[p] -= c * w[p] * d
				wantB[p] += c * w[p] * d
				want += w[p] * d * d
				size += math.Abs(w[p] * d * d)
			}
			checkClose(t, "sum", Pull(w, a, b, da, db, c), want, size)
			for p := range n {
				checkClose(t, "da", da[p], wantA[p], 10+math.Abs(wantA[p]))
				checkClose(t, "db", db[p], wantB[p], 10+math.Abs(wantB[p]))
			}
		}
	})
}

func TestScaledSums(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 9))
		for n := range 40 {
			a := normals(rng, n)
			b := normals(rng, n)
			sum := append([]float64{}, b...)
			times := make([]float64, n)
			AddScaled(sum, a, 0.7)
			Scaled(times, a, 0.7)
			var want, size float64
			for i := range n {
				want += a[i] * b[i]
				size += math.Abs(a[i] * b[i])
				checkClose(t, "sum", sum[i], b[i]+0.7*a[i], math.Abs(a[i])+math.Abs(b[i]))
				checkClose(t, "product", times[i], 0.7*a[i], math.Abs(a[i]))
			}
			checkClose(t, "dot", Dot(a, b), want, size)
			products, again := make([]float64, n), make([]float64, n)
			checkClose(t, "sum of products", MulSum(products, a, b), want, size)
			Mul(again, a, b)
			if !slices.Equal(products, again) {
				t.Fatalf("products %v and %v", products, again)
			}
		}
	})
}

func TestScaleNonPositive(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 11))
		for n := range 40 {
			x := append(normals(rng, n), 0, math.Copysign(0, -1), math.Inf(-1), math.Inf(1), math.NaN())
			g := normals(rng, n+5)
			got := slices.Clone(g)
			sum := ScaleNonPositiveSum(got, x, 0.2)
			shifted := slices.Clone(x)
			AddAndScaleNonPositive(shifted, 0.3, 0.2)
			var want float64
			for i, v := range x {
				scaled, y := g[i], v+0.3
				if v <= 0 {
					scaled *= 0.2
				}
				if y <= 0 {
					y *= 0.2
				}
				want += scaled
				if got[i] != scaled || shifted[i] != y && v == v {
					t.Errorf("at %v: %v of %v, want %v, and shifted %v, want %v",
						v, got[i], g[i], scaled, shifted[i], y)
				}
			}
			checkClose(t, "sum", sum, want, float64(n+5))
			if n > 0 && !math.IsNaN(shifted[n+4]) {
				t.Errorf("NaN became %v", shifted[n+4])
			}
		}
	})
}

func TestSoftplusAndRoots(t *testing.T) {
	forAll(t, func(t *testing.T) {
		var x []float64
		rng := rand.New(rand.NewPCG(9, 10))
		for range 300 {
			x = append(x, 30*rng.NormFloat64(), rng.NormFloat64(), 700*rng.Float64()-700)
		}
		x = append(x, 0, math.Inf(1), math.Inf(-1), math.NaN(), -36.7, -37, 37, 710)
		got := make([]float64, len(x))
		roots := make([]float64, len(x))
		Softplus(got, x)
		InverseRoots(roots, x)
		plain := make([]float64, len(x))
		Roots(plain, x)
		for i, v := range x {
			want := math.Max(v, 0) + math.Log1p(math.Exp(-math.Abs(v)))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				if got[i] != want && !math.IsNaN(v) || math.IsNaN(v) != math.IsNaN(got[i]) {
					t.Errorf("softplus of %v is %v", v, got[i])
				}
			} else if math.Abs(got[i]-want) > 8e-16*want {
				t.Errorf("softplus of %v is %v, want %v", v, got[i], want)
			}
			if root := 1 / math.Sqrt(v); roots[i] != root && !math.IsNaN(root) {
				t.Errorf("inverse root of %v is %v, want %v", v, roots[i], root)
			}
			if root := math.Sqrt(v); plain[i] != root && !math.IsNaN(root) {
				t.Errorf("root of %v is %v, want %v", v, plain[i], root)
			}
		}
	})
}

func TestRowsOfProducts(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 11))
		for n := range 40 {
			k, aStride, bStride := n%6, n+n%3, n+n%4
			a := normals(rng, k*aStride+n)
			b := normals(rng, k*bStride+n)
			c := normals(rng, n)
			sum := make([]float64, n)
			plus := append([]float64{}, c...)
			outer := append([]float64{}, b...)
			SumProducts(sum, a, aStride, b, bStride, k)
			AddProducts(plus, a, aStride, b, bStride, k)
			AddOuter(outer, bStride, c, a, aStride, k)
			for p := range n {
				var want, size float64
				for r := range k {
					x := a[r*aStride+p] * b[r*bStride+p]
					want, size = want+x, size+math.Abs(x)
					checkClose(t, "outer", outer[r*bStride+p], b[r*bStride+p]+c[p]*a[r*aStride+p], 10)
				}
				checkClose(t, "sum", sum[p], want, size)
				checkClose(t, "added", plus[p], c[p]+want, size+math.Abs(c[p]))
			}
		}
	})
}

// CovarianceSlope must equal Covariance and Slope, to the bit.
func TestCovarianceSlope(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 12))
		for n := range 40 {
			for _, f := range []Form{RBF, Matern32, Matern52} {
				r2 := make([]float64, n)
				for p := range r2 {
					r2[p] = 3 * rng.Float64()
				}
				k := append([]float64{}, r2...)
				slope := append([]float64{}, r2...)
				f.Covariance(k, 1.7)
				f.Slope(slope, 1.7)
				both := make([]float64, n)
				f.CovarianceSlope(both, r2, 1.7)
				for p := range r2 {
					if both[p] != k[p] || r2[p] != slope[p] {
						t.Fatalf("form %d: %v and %v together, %v and %v alone",
							f, both[p], r2[p], k[p], slope[p])
					}
				}
			}
		}
	})
}

// Scaled and PullScaled must equal the steps that they join, to the bit.
func TestScaledForms(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(8, 9))
		const scale, variance, c = 0.3, 1.7, -0.6
		for _, f := range []Form{RBF, Matern32, Matern52} {
			for n := range 40 {
				distance := normals(rng, n)
				dk := normals(rng, n)
				dst := normals(rng, n)
				for p, v := range distance {
					distance[p] = v * v
				}
				k := make([]float64, n)
				Scaled(k, distance, scale)
				w := append([]float64{}, k...)
				f.Covariance(k, variance)
				got := make([]float64, n)
				f.Scaled(got, distance, scale, variance)
				f.Slope(w, variance)
				want := append([]float64{}, dst...)
				Mul(w, w, dk)
				AddScaled(want, w, c)
				sum := Dot(w, distance)
				if gotSum := f.PullScaled(dst, distance, dk, scale, variance, c); gotSum != sum {
					t.Errorf("form %d, %d distances: sum %v; want %v", f, n, gotSum, sum)
				}
				for p := range n {
					if got[p] != k[p] || dst[p] != want[p] {
						t.Fatalf("form %d: %v and %v; want %v and %v", f, got[p], dst[p], k[p], want[p])
					}
				}
			}
		}
	})
}

// LowerProducts and LowerTransProducts must equal SumProducts of each row, to the bit.
func TestTriangularProducts(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(10, 9))
		for n := range 20 {
			for m := range 7 {
				stride := n + n%3
				row := m * stride
				a := normals(rng, m*row+n)
				x := normals(rng, m*stride+n)
				for i := range m {
					for j := i + 1; j < m; j++ {
						for p := range n {
							a[i*row+j*stride+p] = math.NaN()
						}
					}
				}
				got := make([]float64, m*stride+n)
				trans := make([]float64, m*stride+n)
				LowerProducts(got, stride, a, row, stride, x, stride, n, m)
				LowerTransProducts(trans, stride, a, row, stride, x, stride, n, m)
				want := make([]float64, n)
				for i := range m {
					SumProducts(want, a[i*row:], stride, x, stride, i+1)
					if !slices.Equal(got[i*stride:][:n], want) {
						t.Errorf("row %d of %d: %v; want %v", i, m, got[i*stride:][:n], want)
					}
					SumProducts(want, a[i*(row+stride):], row, x[i*stride:], stride, m-i)
					if !slices.Equal(trans[i*stride:][:n], want) {
						t.Errorf("column %d of %d: %v; want %v", i, m, trans[i*stride:][:n], want)
					}
				}
			}
		}
	})
}
