package infer

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/oracletest"
	"dgplab/models/param"
)

// factorGradient returns the gradient 2 g l with respect to the lower factor l, given the gradient
// g with respect to the covariance.
func factorGradient(l, g []float64, n int) []float64 {
	var out mat.Dense
	out.Mul(mat.NewDense(n, n, g[:n*n]), mat.NewDense(n, n, l[:n*n]))
	out.Scale(2, &out)
	for i := range n {
		for j := i + 1; j < n; j++ {
			out.Set(i, j, 1e3) // Must be ignored.
		}
	}
	return out.RawMatrix().Data
}

// products returns l l^T for each factor of the batch.
func products(l []float64, n, batch int) (out []float64) {
	for k := range batch {
		a := mat.NewDense(n, n, l[k*n*n:(k+1)*n*n])
		var s mat.Dense
		s.Mul(a, a.T())
		out = append(out, s.RawMatrix().Data...)
	}
	return out
}

// gaussian returns a random mean, lower factor and symmetric gradients.
func gaussian(rng *rand.Rand, n int, curvature float64) (m, l, gradM, gradS []float64) {
	m = make([]float64, n)
	gradM = make([]float64, n)
	l = make([]float64, n*n)
	gradS = make([]float64, n*n)
	for i := range n {
		m[i] = rng.NormFloat64()
		gradM[i] = rng.NormFloat64()
		for j := range i + 1 {
			l[i*n+j] = 0.3 * rng.NormFloat64() / math.Sqrt(float64(n))
			gradS[i*n+j] = curvature * rng.NormFloat64() / math.Sqrt(float64(n))
			gradS[j*n+i] = gradS[i*n+j]
		}
		l[i*n+i] = 0.5 + rng.Float64()
	}
	return m, l, gradM, gradS
}

// TestStepAgainstDefinition compares a step with its definition in natural parameters, computed by
// inverses.
func TestStepAgainstDefinition(t *testing.T) {
	const gamma = 0.1
	for _, n := range []int{1, 2, 3, 7, panel - 1, panel, panel + 1, 2*panel + 5} {
		m, l, gradM, gradS := gaussian(rand.New(rand.NewPCG(uint64(n), 0)), n, 0.2)
		S := mat.NewDense(n, n, products(l, n, 1))
		G := mat.NewDense(n, n, gradS)
		var precision, newPrecision, newS, gm mat.Dense
		if err := precision.Inverse(S); err != nil {
			t.Fatal(err)
		}
		var theta, eta, newM mat.VecDense
		theta.MulVec(&precision, mat.NewVecDense(n, m))
		gm.Mul(G, mat.NewDense(n, 1, m))
		eta.AddScaledVec(mat.NewVecDense(n, gradM), -2, gm.ColView(0))
		theta.AddScaledVec(&theta, gamma, &eta)
		newPrecision.Scale(-2*gamma, G)
		newPrecision.Add(&newPrecision, &precision)
		if err := newS.Inverse(&newPrecision); err != nil {
			t.Fatal(err)
		}
		newM.MulVec(&newS, &theta)

		stepper := NewNaturalGradient([]int{n})
		if _, err := stepper.Maximise(m, l, gradM, factorGradient(l, gradS, n), gamma); err != nil {
			t.Fatal(err)
		}
		oracletest.Close(t, "m", m, newM.RawVector().Data, oracletest.ValueTolerance)
		oracletest.Close(t, "S", products(l, n, 1), newS.RawMatrix().Data, oracletest.ValueTolerance)
		for i := range n {
			for j := i + 1; j < n; j++ {
				if l[i*n+j] != 0 {
					t.Fatalf("entry (%d, %d) of the factor is %v", i, j, l[i*n+j])
				}
			}
		}
	}
}

// With S = 1 and G = 3 the precision 1 - 6 gamma becomes positive at the third halving of gamma =
// 1.
func TestBackOff(t *testing.T) {
	m, l := []float64{2}, []float64{1}
	stepper := NewNaturalGradient([]int{1})
	report, err := stepper.Maximise(m, l, []float64{1}, []float64{2 * 3}, 1) // dL = 2 G L
	if err != nil {
		t.Fatal(err)
	}
	if report.Halvings != 3 || report.Gamma != 0.125 {
		t.Errorf("report %+v", report)
	}
	oracletest.Close(t, "S", []float64{l[0] * l[0]}, []float64{4}, oracletest.ValueTolerance)
	oracletest.Close(t, "m", m, []float64{2.5}, oracletest.ValueTolerance)
}

// An error for one Gaussian must leave all Gaussians unchanged.
func TestErrorsLeaveGaussiansUnchanged(t *testing.T) {
	for name, c := range map[string]struct {
		gradM, gradL []float64
		want         any
	}{
		"indefinite": {[]float64{1, 1}, []float64{-2, 2e9}, new(*PrecisionError)},
		"NaN in dm":  {[]float64{1, math.NaN()}, []float64{-2, -2}, new(*NonFiniteError)},
		"Inf in dL":  {[]float64{1, 1}, []float64{-2, math.Inf(1)}, new(*NonFiniteError)},
	} {
		m, l := []float64{2, 3}, []float64{1, 1}
		_, err := NewNaturalGradient([]int{1, 1}).Maximise(m, l, c.gradM, c.gradL, 0.5)
		if err == nil || !errors.As(err, c.want) {
			t.Errorf("%s: error %v", name, err)
		}
		oracletest.Close(t, name, append(m, l...), []float64{2, 3, 1, 1}, oracletest.ValueTolerance)
	}
}

func TestAdamRejectsNonFiniteGradient(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := NewAdam(2, Schedule{Rate: 0.1})
		x := []float64{1, 2}
		err := a.Maximise(x, []float64{1, bad})
		var e *NonFiniteError
		if !errors.As(err, &e) || e.Index != 1 {
			t.Errorf("%v: error %v", bad, err)
		}
		if x[0] != 1 || x[1] != 2 || a.Count[0] != 0 || a.First[0] != 0 || a.Second[0] != 0 {
			t.Errorf("%v: something moved: %v, %+v", bad, x, a)
		}
	}
}

// The first step has the length of the learning rate, whatever the size of the gradient and the number of
// entries.
func TestAdamDirections(t *testing.T) {
	for _, n := range []int{1, 2, pieceSize - 1, pieceSize, pieceSize + 1, 2*pieceSize - 1} {
		x := make([]float64, n)
		g := make([]float64, n)
		for i := range g {
			g[i] = []float64{1e-3, -1e4, 7}[i%3]
		}
		if err := NewAdam(n, Schedule{Rate: 0.1}).Maximise(x, g); err != nil {
			t.Fatal(err)
		}
		for i, v := range x {
			if math.Abs(v-math.Copysign(0.1, g[i])) > 1e-5 {
				t.Fatalf("%d entries: entry %d is %v", n, i, v)
			}
		}
	}
}

func TestSchedule(t *testing.T) {
	s := Schedule{Rate: 0.005, Decay: 0.98, Every: 1000}
	for step, want := range map[int]float64{1: 0.005, 1000: 0.005, 1001: 0.0049, 2001: 0.005 * 0.98 * 0.98} {
		if got := s.At(step); math.Abs(got-want) > 1e-17 {
			t.Errorf("step %d: rate %v, want %v", step, got, want)
		}
	}
	if got := (Schedule{Rate: 0.1, Decay: 0.5}).At(99); got != 0.1 {
		t.Errorf("no decay: %v", got)
	}
}

// Linear and cosine schedules fall from the rate to zero at the end of the run and stay there. A
// warm-up can be combined with any schedule. Without a length, the rate does not fall.
func TestScheduleOverARun(t *testing.T) {
	for _, c := range []struct {
		of   Schedule
		want map[int]float64
	}{
		{Schedule{Rate: 0.1, Shape: Line, Length: 4}, map[int]float64{1: 0.1, 2: 0.075, 3: 0.05, 4: 0.025,
			9: 0.025}},
		{Schedule{Rate: 0.1, Shape: Cosine, Length: 4},
			map[int]float64{1: 0.1, 3: 0.05, 4: 0.05 * (1 - math.Sqrt2/2)}},
		{Schedule{Rate: 0.1, Shape: Line, Length: 4, WarmUp: 2}, map[int]float64{1: 0.05, 2: 0.075, 3: 0.05}},
		{Schedule{Rate: 0.1, Shape: StableDecay, Length: 8, DecayShare: 0.5}, map[int]float64{
			1: 0.1, 4: 0.1, 5: 0.1 * (1 - math.Sqrt(1./5)), 8: 0.1 * (1 - math.Sqrt(4./5)),
			9: 0.1 * (1 - math.Sqrt(4./5)),
		}},
		{Schedule{Rate: 0.1, Shape: StableDecay, Length: 8, WarmUp: 2}, map[int]float64{1: 0.05, 8: 0.1}},
		{Schedule{Rate: 0.1, Shape: StableDecay, DecayShare: 0.5}, map[int]float64{
			1: 0.1, 1000: 0.1, 4000: 0.05, 1e6: 0.1 / math.Sqrt(1000),
		}},
		{Schedule{Rate: 0.1, Shape: StableDecay, Length: 8000, DecayShare: 0.5}, map[int]float64{
			999: 0.1, 4000: 0.05, 6001: 0.1 * math.Sqrt(1000./6001) * (1 - math.Sqrt(2001./4001)),
		}},
		{Schedule{Rate: 0.1, Shape: Cosine}, map[int]float64{1: 0.1, 1e6: 0.1}},
		{Schedule{Rate: 0.1, WarmUp: 4}, map[int]float64{1: 0.025, 3: 0.075, 4: 0.1, 5: 0.1}},
	} {
		for step, want := range c.want {
			if got := c.of.At(step); math.Abs(got-want) > 1e-15*want {
				t.Errorf("%+v at step %d: %v, want %v", c.of, step, got, want)
			}
		}
	}
}

// A run that begins its decay after any step has the steps of a run that was planned with that length.
func TestDecayFromAnyStep(t *testing.T) {
	for _, share := range []float64{0.1, 0.25, 0.5, 0.9} {
		s := Schedule{Rate: 1, Shape: StableDecay, Length: 1000, DecayShare: share}
		for step := range s.DecayStart() {
			short := s
			short.Length = s.LengthWithDecayAfter(step + 1)
			if got := short.DecayStart(); got != step+1 || short.Length > s.Length {
				t.Fatalf("share %v: a run of %d steps has its decay after step %d, want %d",
					share, short.Length, got, step+1)
			}
			if short.Length++; short.DecayStart() != step+2 {
				t.Fatalf("share %v: a run of %d steps also has its decay after step %d",
					share, short.Length, step+1)
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	const n = 50
	a := NewAdam(n, Schedule{Rate: 0.1, Decay: 0.9, Every: 10})
	x := make([]float64, n)
	g := make([]float64, n)
	if got := testing.AllocsPerRun(10, func() { _ = a.Maximise(x, g) }); got != 0 {
		t.Errorf("Adam: %v allocations a step", got)
	}
}

// Gaussians of different dimensions must move in one step as each moves alone.
func TestNaturalGradientOfDifferentDimensions(t *testing.T) {
	dims := []int{3, 70, 1, 5}
	r := rand.New(rand.NewPCG(4, 4))
	var m, l, gradM, gradL, wantM, wantL []float64
	for _, n := range dims {
		ownM, ownL, ownGradM, gradS := gaussian(r, n, 0.2)
		ownGradL := factorGradient(ownL, gradS, n)
		m = append(m, ownM...)
		l = append(l, ownL...)
		gradM = append(gradM, ownGradM...)
		gradL = append(gradL, ownGradL...)
		if _, err := NewNaturalGradient([]int{n}).Maximise(ownM, ownL, ownGradM, ownGradL, 0.01); err != nil {
			t.Fatal(err)
		}
		wantM = append(wantM, ownM...)
		wantL = append(wantL, ownL...)
	}
	stepper := NewNaturalGradient(dims)
	if _, err := stepper.Maximise(m, l, gradM, gradL, 0.01); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m, wantM) || !slices.Equal(l, wantL) {
		t.Error("together they move otherwise")
	}
	if got := testing.AllocsPerRun(20, func() {
		_, _ = stepper.Maximise(m, l, gradM, gradL, 1e-6)
	}); got != 0 {
		t.Errorf("%v allocations a step", got)
	}
}

func BenchmarkNaturalGradient(b *testing.B) {
	for _, n := range []int{128, 1408} {
		m, l, gradM, gradS := gaussian(rand.New(rand.NewPCG(9, 9)), n, 0)
		stepper := NewNaturalGradient([]int{n})
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := stepper.Maximise(m, l, gradM, gradS, 0.01); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// gaussians is a problem of one Gaussian of one dimension, without parameters.
type gaussians struct {
	Problem
	set   *param.Set
	gradL float64
	err   error
	moved bool
}

func (g *gaussians) Parameters() *param.Set                   { return g.set }
func (g *gaussians) Draw(uint64)                              {}
func (g *gaussians) Evaluate([]float64) (float64, error)      { return 1, g.err }
func (g *gaussians) Gaussians() []int                         { return []int{1} }
func (g *gaussians) WriteGaussians([]float64, []float64, int) { g.moved = true }
func (g *gaussians) ReadGaussians(m, l, gradM, gradL []float64) {
	m[0], l[0], gradM[0], gradL[0] = 0, 1, 0, g.gradL
}

// A step that fails moves nothing. An indefinite precision names the step size to lower.
func TestNaturalStepsThatFail(t *testing.T) {
	set, err := param.NewSet()
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for want, g := range map[string]*gaussians{
		"":       {},
		"broken": {err: broken},
		"step 7: precision of Gaussian 0 is not positive definite after a natural-gradient step, even at " +
			"step size 9.8e-04; lower natgrad_step": {gradL: 1e9},
	} {
		g.set = set
		_, err := NewNaturalAndAdam([]int{1}, 1, NewAdam(0, Schedule{Rate: 0.1})).Step(t.Context(), g, 7)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want || g.moved != (err == nil) {
			t.Errorf("%s, want %s; moved: %v", got, want, g.moved)
		}
	}
}
