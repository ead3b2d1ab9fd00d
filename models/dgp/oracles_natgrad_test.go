package dgp

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/infer"
	"dgplab/models/oracletest"
)

// natgradCaseData is an oracle case with a deep GP, with one Gaussian per GP or a joint one, and
// the result of natural-gradient steps.
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

// natgradCase takes the steps of a case with the gradients of the engine. It checks the gradients,
// the new Gaussians and the bound after each step.
func natgradCase(t *testing.T, raw []byte) {
	var c natgradCaseData
	oracletest.Decode(t, raw, &c)
	arch := c.architecture(t)
	arch.Unwhitened, arch.FullCov = true, false
	e := c.evaluation(t, arch)
	batch := len(c.M)
	n := len(c.M[0])
	for _, step := range c.Steps {
		t.Run(fmt.Sprintf("gamma=%g", step.Gamma), func(t *testing.T) {
			m := append([]float64(nil), flat(c.M)...)
			l := factorsOf(t, c.S)
			setPosterior(e, arch, m, dense(arch, batch, n, l))
			terms, err := e.Run()
			if err != nil {
				t.Fatal(err)
			}
			oracletest.Close(t, "elbo_before", []float64{terms.ELBO}, []float64{c.ELBO},
				oracletest.ValueTolerance)
			e.Differentiate()
			gradM, gradL := posteriorGradients(e, arch, batch, n)
			oracletest.Close(t, "grad_m", gradM, flat(c.GradM), oracletest.GradientTolerance)
			checkFactorGradient(t, l, gradL, c.GradS)

			stepper := infer.NewNaturalGradient(slices.Repeat([]int{n}, batch))
			if _, err := stepper.Maximise(m, l, gradM, gradL, step.Gamma); err != nil {
				t.Fatal(err)
			}
			oracletest.Close(t, "m_new", m, flat(step.MNew), oracletest.ValueTolerance)
			oracletest.Close(t, "L_new", l, flat(flat(step.LNew)), oracletest.ValueTolerance)
			oracletest.Close(t, "S_new", covarianceOf(l, batch, n), flat(flat(step.SNew)),
				oracletest.ValueTolerance)
			if step.Gamma == 1 && c.CollapsedELB != nil {
				oracletest.Close(t, "m_optimal", m, oracletest.Flatten(c.MOptimal), oracletest.ValueTolerance)
				oracletest.Close(t, "S_optimal", covarianceOf(l, batch, n), oracletest.Flatten(c.SOptimal),
					oracletest.ValueTolerance)
				oracletest.Close(t, "collapsed_bound", []float64{step.ELBOAfter}, []float64{*c.CollapsedELB},
					oracletest.ValueTolerance)
			}
			setPosterior(e, arch, m, dense(arch, batch, n, l))
			terms, err = e.Run()
			if err != nil {
				t.Fatal(err)
			}
			oracletest.Close(t, "elbo_after", []float64{terms.ELBO}, []float64{step.ELBOAfter},
				oracletest.ValueTolerance)
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

// covarianceOf returns L L^T for every factor.
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

// dense returns the factors of a batch as rows of the joint factor, [TM][TM].
func dense(arch *Architecture, batch, n int, l []float64) [][]float64 {
	side := arch.Pattern.NumGPs() * arch.Layers[0].M
	out := make([][]float64, side)
	for i := range out {
		out[i] = make([]float64, side)
		k := i / n
		copy(out[i][k*n:], l[i*n:(i+1)*n])
	}
	return out
}

// posteriorGradients returns the gradients with respect to the means and factors of a batch.
func posteriorGradients(e *Evaluation, arch *Architecture, batch, n int) (m, l []float64) {
	for k := range arch.Layers {
		m = append(m, e.LayerGradient(k).QMu...)
	}
	joint := denseRows(arch, e.QSqrtGradient)
	side := arch.Pattern.NumGPs() * arch.Layers[0].M
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
		oracletest.Close(t, "gradient of L", gradL[k*n*n:(k+1)*n*n], want.RawMatrix().Data,
			oracletest.GradientTolerance)
	}
}
