package gp

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/familytest"
	"dgplab/models/oracletest"
)

// withRows gives the points of a problem known noise variances and weights.
func (c problem) withRows(known, learned, weights bool) problem {
	if known {
		c.start.known, c.start.learned = make([]float64, c.n), learned
		for i := range c.start.known {
			c.start.known[i] = 0.05 + 0.03*float64(i%5)
		}
	}
	if weights {
		c.start.weights = make([]float64, c.n)
		for i := range c.start.weights {
			c.start.weights[i] = []float64{1, 2, 0.3, 3}[i%4]
		}
	}
	return c
}

// eachRows calls visit for each family with known noise, with weights, and with both.
func eachRows(visit func(family, name string, known, learned, weights bool)) {
	for family := range recordings {
		for _, c := range []struct {
			name                    string
			known, learned, weights bool
		}{{"known noise", true, false, false}, {"known and learned noise", true, true, false},
			{"weights", false, false, true}, {"known noise and weights", true, false, true},
			{"known and learned noise and weights", true, true, true}} {
			visit(family, c.name, c.known, c.learned, c.weights)
		}
	}
}

func TestGradientsWithRowsByCentralDifferences(t *testing.T) {
	eachRows(func(family, name string, known, learned, weights bool) {
		g := randomProblem("matern52", 12, 2, 1, 5).withRows(known, learned, weights).graph(t, family)
		gradient, differences := familytest.Gradients(t, g, familytest.Fourth, 1e-4)
		oracletest.Close(t, family+", "+name, gradient, differences, 1e-8)
	})
}

// A point of weight 2 or 3 counts like two or three equal points, in the objective, its gradient and the
// predictions.
func TestWeightsEqualRepeatedRows(t *testing.T) {
	eachRows(func(family, name string, known, learned, _ bool) {
		c := randomProblem("rbf", 10, 2, 2, 4).withRows(known, learned, false)
		c.start.weights = []float64{1, 2, 1, 1, 3, 1, 2, 1, 1, 1}
		repeated := c
		repeated.n, repeated.x, repeated.y = 0, nil, nil
		repeated.start.weights, repeated.start.known = nil, nil
		for i, w := range c.start.weights {
			for range int(w) {
				repeated.n++
				repeated.x = append(repeated.x, c.x[i*c.d:(i+1)*c.d]...)
				repeated.y = append(repeated.y, c.y[i*c.p:(i+1)*c.p]...)
				if known {
					repeated.start.known = append(repeated.start.known, c.start.known[i])
				}
			}
		}
		weighted, all := c.graph(t, family), repeated.graph(t, family)
		value, gradient := evaluate(t, weighted)
		want, wantGradient := evaluate(t, all)
		oracletest.Close(t, family+" with "+name, []float64{value}, []float64{want}, 1e-11)
		oracletest.Close(t, family+" gradient with "+name, gradient, wantGradient, 1e-9)
		x := []float64{0.3, -0.2, 1.5, 0.1}
		mean, variance := predictions(t, weighted, x)
		wantMean, wantVariance := predictions(t, all, x)
		oracletest.Close(t, family+" mean with "+name, mean, wantMean, 1e-10)
		oracletest.Close(t, family+" variance with "+name, variance, wantVariance, 1e-10)
	})
}

// A known noise that is the same for all points equals a noise variance held at this value, and weights of 1
// change nothing.
func TestConstantKnownNoiseEqualsHeldNoise(t *testing.T) {
	for family := range recordings {
		c := randomProblem("rbf", 12, 2, 1, 5)
		c.start.noise = 0.15
		want, gradient := evaluate(t, c.graph(t, family))
		ones := c
		ones.start.weights = slices.Repeat([]float64{1}, c.n)
		value, d := evaluate(t, ones.graph(t, family))
		oracletest.Close(t, family+" with weights of 1", []float64{value}, []float64{want}, 1e-12)
		oracletest.Close(t, family+" gradient with weights of 1", d, gradient, 1e-10)
		known := c
		known.start.known = slices.Repeat([]float64{0.15}, c.n)
		value, d = evaluate(t, known.graph(t, family))
		held := gradient[:len(gradient)-1] // the last parameter is the noise
		oracletest.Close(t, family, []float64{value}, []float64{want}, 1e-12)
		oracletest.Close(t, family+" gradient", d, held, 1e-10)
		known.start.known = slices.Repeat([]float64{0.1}, c.n)
		known.start.learned, known.start.noise = true, 0.05
		value, d = evaluate(t, known.graph(t, family))
		oracletest.Close(t, family+" with a learned part", []float64{value}, []float64{want}, 1e-12)
		oracletest.Close(t, family+" gradient with a learned part", d[:len(d)-1], held, 1e-10)
	}
}

// The exact GP with a noise per point equals a plain computation with dense matrices.
func TestKnownNoiseEqualsDenseComputation(t *testing.T) {
	c := randomProblem("rbf", 9, 2, 1, 3).withRows(true, true, false)
	g := c.graph(t, "gp")
	value, _ := evaluate(t, g)
	k := func(a, b []float64) float64 {
		var squares float64
		for d, l := range c.start.lengthscales {
			squares += (a[d] - b[d]) * (a[d] - b[d]) / (l * l)
		}
		return c.start.variance * math.Exp(-0.5*squares)
	}
	point := func(i int) []float64 { return c.x[i*c.d : (i+1)*c.d] }
	covariance := mat.NewSymDense(c.n, nil)
	for i := range c.n {
		for j := range i + 1 {
			covariance.SetSym(i, j, k(point(i), point(j)))
		}
		covariance.SetSym(i, i, covariance.At(i, i)+c.start.known[i]+c.start.noise)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(covariance); err != nil {
		t.Fatal(err)
	}
	y := mat.NewVecDense(c.n, c.y)
	var alpha mat.VecDense
	alpha.MulVec(&inverse, y)
	want := -0.5*mat.Dot(y, &alpha) - 0.5*math.Log(mat.Det(covariance)) -
		0.5*float64(c.n)*math.Log(2*math.Pi)
	oracletest.Close(t, "log marginal likelihood", []float64{value}, []float64{want}, 1e-11)
	x := []float64{0.4, -0.7}
	cross := mat.NewVecDense(c.n, nil)
	for i := range c.n {
		cross.SetVec(i, k(point(i), x))
	}
	var solved mat.VecDense
	solved.MulVec(&inverse, cross)
	mean, variance := predictions(t, g, x)
	oracletest.Close(t, "mean", mean, []float64{mat.Dot(cross, &alpha)}, 1e-10)
	oracletest.Close(t, "variance", variance, []float64{c.start.variance - mat.Dot(cross, &solved)}, 1e-10)
}

// Leave-one-out predictions with known noise and weights equal those of refits to the other points. The
// variance contains the known noise of the point that is left out.
func TestLeaveOneOutWithRowsEqualsRefits(t *testing.T) {
	eachRows(func(family, name string, known, learned, weights bool) {
		c := randomProblem("matern32", 10, 2, 1, 4).withRows(known, learned, weights)
		g := c.graph(t, family)
		if err := g.tape.Forward(); err != nil {
			t.Fatal(err)
		}
		rows := []int{7, 0, 3, 9}
		out := g.leftOut(rows)
		for i, row := range rows {
			others := c
			others.n--
			others.x = slices.Delete(slices.Clone(c.x), row*c.d, (row+1)*c.d)
			others.y = slices.Delete(slices.Clone(c.y), row, row+1)
			if known {
				others.start.known = slices.Delete(slices.Clone(c.start.known), row, row+1)
			}
			if weights {
				others.start.weights = slices.Delete(slices.Clone(c.start.weights), row, row+1)
			}
			mean, variance := predictions(t, others.graph(t, family), c.x[row*c.d:(row+1)*c.d])
			if known {
				variance[0] += c.start.known[row]
			}
			oracletest.Close(t, family+" mean with "+name, out.Mean[i:i+1], mean, 1e-8)
			oracletest.Close(t, family+" variance with "+name, out.Var[i:i+1], variance, 1e-8)
		}
	})
}
