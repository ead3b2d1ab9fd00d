package models_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/dgp"
	"dgplab/models/infer"
	"dgplab/models/oracletest"
)

// natgradCaseData is a deep GP with one Gaussian for each GP, or a joint one,
// and what natural-gradient steps make of it.
type natgradCaseData struct {
	modelCase
	M            [][]float64   `json:"m"`
	S            [][][]float64 `json:"S"`
	ELBO         float64       `json:"elbo_before"`
	GradM        [][]float64   `json:"grad_m"`
	GradS        [][][]float64 `json:"grad_S"`
	Steps        []natgradStep `json:"steps"`
	MOptimal     any           `json:"m_optimal"`
	SOptimal     any           `json:"S_optimal"`
	CollapsedELB *float64      `json:"collapsed_bound"`
}

type natgradStep struct {
	Gamma     float64       `json:"gamma"`
	MNew      [][]float64   `json:"m_new"`
	SNew      [][][]float64 `json:"S_new"`
	LNew      [][][]float64 `json:"L_new"`
	ELBOAfter float64       `json:"elbo_after"`
}

// natgradCase takes the steps of a case through the engine's own gradients,
// and checks the gradients, the new Gaussians and the bound afterwards.
func natgradCase(t *testing.T, raw []byte) {
	var c natgradCaseData
	oracletest.Decode(t, raw, &c)
	arch := c.architecture(t)
	arch.Unwhitened, arch.FullCov = true, false
	e := c.evaluation(t, arch)
	batch, n := len(c.M), len(c.M[0])
	for _, step := range c.Steps {
		t.Run(fmt.Sprintf("gamma=%g", step.Gamma), func(t *testing.T) {
			m := append([]float64(nil), flat(c.M)...)
			l := factorsOf(t, c.S)
			setPosterior(e, arch, m, dense(arch, batch, n, l))
			terms, err := e.Run()
			if err != nil {
				t.Fatal(err)
			}
			closeTo(t, "elbo_before", []float64{terms.ELBO}, []float64{c.ELBO}, valueTolerance)
			e.Differentiate()
			gradM, gradL := posteriorGradients(e, arch, batch, n)
			closeTo(t, "grad_m", gradM, flat(c.GradM), gradientTolerance)
			checkFactorGradient(t, l, gradL, c.GradS)

			stepper := infer.NewNaturalGradient(n, batch)
			if _, err := stepper.Maximise(m, l, gradM, gradL, step.Gamma); err != nil {
				t.Fatal(err)
			}
			closeTo(t, "m_new", m, flat(step.MNew), valueTolerance)
			closeTo(t, "L_new", l, flat(flat(step.LNew)), valueTolerance)
			closeTo(t, "S_new", covarianceOf(l, batch, n), flat(flat(step.SNew)), valueTolerance)
			if step.Gamma == 1 && c.CollapsedELB != nil {
				closeTo(t, "m_optimal", m, flatten(c.MOptimal), valueTolerance)
				closeTo(t, "S_optimal", covarianceOf(l, batch, n), flatten(c.SOptimal), valueTolerance)
				closeTo(t, "collapsed_bound", []float64{step.ELBOAfter}, []float64{*c.CollapsedELB}, valueTolerance)
			}
			setPosterior(e, arch, m, dense(arch, batch, n, l))
			if terms, err = e.Run(); err != nil {
				t.Fatal(err)
			}
			closeTo(t, "elbo_after", []float64{terms.ELBO}, []float64{step.ELBOAfter}, valueTolerance)
		})
	}
}

// factorsOf returns the lower Cholesky factors of a batch, [K][n][n].
func factorsOf(t *testing.T, s [][][]float64) []float64 {
	t.Helper()
	var out []float64
	for _, rows := range s {
		n := len(rows)
		var chol mat.Cholesky
		if !chol.Factorize(mat.NewSymDense(n, flat(rows))) {
			t.Fatal("a covariance of the case is not positive definite")
		}
		var lower mat.TriDense
		chol.LTo(&lower)
		out = append(out, mat.DenseCopyOf(&lower).RawMatrix().Data...)
	}
	return out
}

// covarianceOf returns L L^T of every factor.
func covarianceOf(l []float64, batch, n int) []float64 {
	var out []float64
	for k := range batch {
		factor := mat.NewDense(n, n, l[k*n*n:(k+1)*n*n])
		var s mat.Dense
		s.Mul(factor, factor.T())
		out = append(out, s.RawMatrix().Data...)
	}
	return out
}

// dense lays the factors of a batch out as rows of the joint factor, [TM][TM].
func dense(arch *dgp.Architecture, batch, n int, l []float64) [][]float64 {
	side := arch.Pattern.NumGPs() * arch.M
	out := make([][]float64, side)
	for i := range out {
		out[i] = make([]float64, side)
		k := i / n
		copy(out[i][k*n:], l[i*n:(i+1)*n])
	}
	return out
}

// posteriorGradients returns the gradients for means and factors of a batch.
func posteriorGradients(e *dgp.Evaluation, arch *dgp.Architecture, batch, n int) (m, l []float64) {
	for k := range arch.Layers {
		m = append(m, e.LayerGradient(k).QMu...)
	}
	joint := denseFactor(arch, e.QSqrtGradient)
	side := arch.Pattern.NumGPs() * arch.M
	for i := range side {
		k := i / n
		l = append(l, joint[i*side+k*n:i*side+(k+1)*n]...)
	}
	return m, l
}

// checkFactorGradient checks that dL is the lower triangle of 2 G L.
func checkFactorGradient(t *testing.T, l, gradL []float64, gradS [][][]float64) {
	t.Helper()
	for k, rows := range gradS {
		n := len(rows)
		var want mat.Dense
		want.Mul(denseOf(rows), mat.NewDense(n, n, l[k*n*n:(k+1)*n*n]))
		want.Scale(2, &want)
		for i := range n {
			for j := i + 1; j < n; j++ {
				want.Set(i, j, 0)
			}
		}
		closeTo(t, "gradient of L", gradL[k*n*n:(k+1)*n*n], want.RawMatrix().Data, gradientTolerance)
	}
}

// adamCase follows a trajectory on a quadratic.
func adamCase(t *testing.T, raw []byte) {
	var c struct {
		A            [][]float64 `json:"A"`
		B            []float64   `json:"b"`
		X0           []float64   `json:"x0"`
		LearningRate float64     `json:"learning_rate"`
		Beta1        float64     `json:"beta1"`
		Beta2        float64     `json:"beta2"`
		Epsilon      float64     `json:"epsilon"`
		DecayRate    float64     `json:"decay_rate"`
		DecaySteps   int         `json:"decay_steps"`
		Trajectory   []struct {
			Step         int       `json:"step"`
			LearningRate *float64  `json:"learning_rate"`
			X            []float64 `json:"x"`
			Value        float64   `json:"value"`
		} `json:"trajectory"`
	}
	oracletest.Decode(t, raw, &c)
	n := len(c.X0)
	a, b := denseOf(c.A), mat.NewVecDense(n, c.B)
	x := mat.NewVecDense(n, append([]float64(nil), c.X0...))
	adam := infer.NewAdam(n, infer.Staircase{Rate: c.LearningRate, Decay: c.DecayRate, Every: c.DecaySteps})
	adam.Beta1, adam.Beta2, adam.Epsilon = c.Beta1, c.Beta2, c.Epsilon
	gradient := mat.NewVecDense(n, nil)
	done := 0
	for _, point := range c.Trajectory {
		rate := adam.Rate()
		for ; done < point.Step; done++ {
			gradient.MulVec(a, x)
			gradient.SubVec(gradient, b)
			rate = adam.Rate()
			if err := adam.Minimise(x.RawVector().Data, gradient.RawVector().Data); err != nil {
				t.Fatal(err)
			}
		}
		if point.LearningRate != nil && point.Step > 0 {
			closeTo(t, "learning_rate", []float64{rate}, []float64{*point.LearningRate}, valueTolerance)
		}
		closeTo(t, fmt.Sprintf("x after %d steps", point.Step), x.RawVector().Data, point.X, valueTolerance)
		value := 0.5*mat.Inner(x, a, x) - mat.Dot(b, x)
		closeTo(t, "value", []float64{value}, []float64{point.Value}, valueTolerance)
	}
}
