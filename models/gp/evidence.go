package gp

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// placeC names the covariance of the targets in errors and rescue counts.
const placeC = "K + noise"

// evidence is a tape operation for log N(y; 0, C) with C = K + D, where D is the diagonal noise. All outputs
// share K. The value is the sum of two parts:
//
//	data fit    -1/2 y^T C^-1 y, summed over outputs
//	complexity  -1/2 log|2 pi C|, once for each output
//
// The gradient is in closed form, so no factorisation is differentiated: Rasmussen and Williams,
// "Gaussian Processes for Machine Learning", 2006, eqs. 5.8 and 5.9,
// https://gaussianprocess.org/gpml, which lists the constant as a separate term.
type evidence struct {
	tape            *autodiff.Tape
	k, noise        *autodiff.Node // [1][N][N], and D, [1][1][1] or [1][1][N]
	y               *autodiff.Node // [1][P][N]
	fit, complexity *autodiff.Node
	diagonal        []float64 // of K, [N]
	root            []float64 // the lower factor of C, overwritten by backward, [N][N]
	whitened        []float64 // root^-1 y, [N][P]
	alpha           []float64 // C^-1 y, [N][P]
}

// recordTargets records the covariance of f at the training points. It includes white noise, which
// is part of Kuu but not of Kuf.
func (g *graph) recordTargets() *autodiff.Node {
	if _, stationary := g.kernel.Stationary(); stationary {
		return g.kernel.RecordKuf(g.tape, g.z, g.x)
	}
	return g.kernel.RecordKuu(g.tape, g.z, 0)
}

// recordExact records the evidence of the exact GP.
func (g *graph) recordExact() {
	k := g.recordTargets()
	n, p := k.Rows, g.y.Rows
	noise, constant := g.weighted(g.recordVariances())
	e := &evidence{
		tape: g.tape, k: k, noise: noise, y: g.y,
		fit: g.tape.Output(1, 1, 1, k, noise), complexity: g.tape.Output(1, 1, 1, k, noise),
		diagonal: make([]float64, n), root: make([]float64, n*n),
		whitened: make([]float64, n*p), alpha: make([]float64, n*p),
	}
	g.tape.RecordAll([]*autodiff.Node{e.fit, e.complexity}, e.forward, e.backward)
	g.finish(e.fit, g.withConstant(e.complexity, constant))
	g.root, g.solution, g.diagonal = e.root, e.whitened, noise
}

func (e *evidence) forward() error {
	n, p := e.k.Rows, e.y.Rows
	for i := range n {
		e.diagonal[i] = e.k.Value[i*n+i]
		e.k.Value[i*n+i] += e.noise.Value[i%e.noise.Cols]
	}
	rescues, err := linalg.Cholesky(e.root, e.k.Value, n, placeC)
	for i, v := range e.diagonal { // the kernel's gradient expects its own diagonal
		e.k.Value[i*n+i] = v
	}
	e.tape.CountRescues(placeC, rescues)
	if err != nil {
		return err
	}
	linalg.Transpose(e.whitened, e.y.Value, p, n)
	linalg.SolveLower(e.root, e.whitened, n, p, p)
	e.fit.Value[0] = -0.5 * sumSquares(e.whitened)
	e.complexity.Value[0] = -float64(p) * (linalg.LogDiag(e.root, n) + 0.5*float64(n)*math.Log(2*math.Pi))
	return nil
}

// backward adds 1/2 (alpha alpha^T - P C^-1) to the gradient of K, and the diagonal of this matrix to
// the gradient of D. K is symmetric, so entries above the diagonal are added below it.
func (e *evidence) backward() {
	n, p := e.k.Rows, e.y.Rows
	copy(e.alpha, e.whitened)
	linalg.SolveLowerTrans(e.root, e.alpha, n, p, p)
	linalg.InvertLower(e.root, n)
	linalg.SquareLower(e.root, n)
	inverse := blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: e.root}
	blas64.Syrk(blas.NoTrans, 0.5*e.fit.Grad()[0], blas64.General{Rows: n, Cols: p, Stride: p, Data: e.alpha},
		-0.5*float64(p)*e.complexity.Grad()[0], inverse)
	dK := e.k.Grad()
	var dNoise []float64
	if e.noise.Wanted() {
		dNoise = e.noise.Grad()
	}
	for i := range n {
		row := e.root[i*n : i*n+i+1]
		for j, v := range row[:i] {
			dK[i*n+j] += 2 * v
		}
		dK[i*n+i] += row[i]
		if dNoise != nil {
			dNoise[i%len(dNoise)] += row[i]
		}
	}
}

func sumSquares(v []float64) (sum float64) {
	for _, x := range v {
		sum += x * x
	}
	return sum
}
