package likelihood

import (
	"math"
	"runtime"

	"dgplab/datasets/task"
	"dgplab/models/linalg/vec"
	"dgplab/models/predictive"
)

var argmax = Declaration{
	Name: "argmax", Formula: "P(f_y + u_y is the largest), u ~ N(0, 1)", Use: "more than two classes",
	Tasks: []task.Task{task.Multiclass},
	New:   func(s Setup) Likelihood { return Argmax{latents(s.Classes)} },
}

// Argmax selects the class with the largest f_k + u_k, where the u are independent standard normal:
// the multinomial probit likelihood (Girolami, Rogers, "Variational Bayesian Multinomial Probit
// Regression with Gaussian Process Priors", 2006, eq. 5),
//
//	p(y | f) = E_u prod_{k != y} Phi(u + f_y - f_k)
//
// For two classes it is the probit likelihood of (f_1 - f_0)/sqrt(2). Without u, the logarithm
// would be minus infinity for some f, and so would every bound.
type Argmax struct{ latents }

// LogExpectation implements Likelihood: log Z, with every variance increased by 1; see contest.
func (l Argmax) LogExpectation(terms, dMean, dVar, dParams, y, mean, vr, _ []float64) {
	l.winning(1, terms, dMean, dVar, dParams, y, mean, vr, func(log float64, _, _ []float64) float64 {
		return log
	})
}

// LogProbabilities implements Classes.
func (l Argmax) LogProbabilities(dst, mean, vr []float64) { l.logWinning(1, dst, mean, vr) }

const (
	// argmaxPoints is the number of Gauss-Hermite points of E log Phi.
	argmaxPoints = 20
	// argmaxRounds is the largest number of updates of q(u | f); each reduces the distance from the
	// optimum about tenfold. Updates stop when they change by less than settled.
	argmaxRounds, settled = 20, 1e-8
	// argmaxPairs is the number of pairs (row and other class) processed at a time.
	argmaxPairs = 128
)

// halfHermite holds the positive points of the rule; each also stands for its mirror image.
var halfHermite = newHalfRule(argmaxPoints)

// VariationalExpectations implements Likelihood with a lower bound on E log p, because E log p of
// more than two classes is no one-dimensional integral. Let q(u | f), for the noise of class y, be
// Gaussian with variance s and mean m plus the sum of r_k (f_k - mean_k) over all classes. By
// Jensen's inequality,
//
//	E log p >= sum_{k != y} E log Phi(d_k) - KL,   d_k = u + f_y - f_k,
//	E d_k = m + mean_y - mean_k,
//	Var d_k = (1+r_y)^2 vr_y + sum_{j != y} r_j^2 vr_j + (1 - 2 r_k) vr_k + s,
//	KL = 1/2 (m^2 + sum_k r_k^2 vr_k + s - 1 - log s)
//
// The parameters m, r and s maximise the bound: with -h_k the mean of the second derivative of log
// Phi at d_k and H the sum of the h_k, s = 1/(1+H), r_k = h_k s, r_y = -H s, and m is the sum of
// the first derivatives. Because q is optimal, the derivatives of the bound are its derivatives at
// fixed q. The bound is tight because the noise, given the class and f, is nearly Gaussian with a
// mean nearly linear in f: for three classes, the gap is below 0.01 for small variances, and below
// 0.04 for variances as large as the noise. (The bound of Girolami and Rogers has a q(u + f_y) that
// does not depend on f; its gap is half the sum of all variances.)
func (l Argmax) VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, _ []float64) {
	b := newArgmaxBlock(int(l.latents) - 1)
	defer argmaxBlocks.Put(b)
	clear(dParams)
	for start := 0; start < len(terms); start += b.rows {
		end := min(start+b.rows, len(terms))
		k := int(l.latents)
		b.load(y[start:end], mean[start*k:end*k], vr[start*k:end*k])
		b.optimise()
		b.store(terms[start:end], dMean[start*k:end*k], dVar[start*k:end*k])
	}
}

// argmaxBlocks holds blocks for reuse.
var argmaxBlocks = vec.NewFreeList[argmaxBlock](4 * runtime.NumCPU())

// argmaxBlock is a block of rows, with one pair per row and other class.
type argmaxBlock struct {
	others, rows int // pairs per row, and largest number of rows
	y            []float64
	// Values per row: the mean m and variance s of q(u), the variance of the class, the sum of
	// r_k^2 vr_k over the other classes, and the sums over pairs of E log Phi and its first and
	// second derivatives.
	m, s, own, spread, values, firsts, seconds []float64
	// Values per pair, row by row: the difference of means, the variance and r of the other class,
	// and the inputs and outputs of vec.ProbitSums; second receives the second derivatives.
	gap, other, r, second, scale, first, value []float64
}

// newArgmaxBlock returns a block for the given number of other classes. The caller returns it to
// argmaxBlocks.
func newArgmaxBlock(others int) *argmaxBlock {
	b := argmaxBlocks.Get()
	b.others, b.rows = others, max(1, argmaxPairs/others)
	for _, part := range []*[]float64{&b.m, &b.s, &b.own, &b.spread, &b.values, &b.firsts, &b.seconds} {
		*part = resize(*part, b.rows)
	}
	for _, part := range []*[]float64{&b.gap, &b.other, &b.r, &b.second, &b.scale, &b.first, &b.value} {
		*part = resize(*part, b.rows*others)
	}
	return b
}

// load sets the rows of the block and initialises q(u) with its prior.
func (b *argmaxBlock) load(y, mean, vr []float64) {
	b.y = y
	clear(b.r)
	for i, target := range y {
		b.m[i], b.s[i] = 0, 1
		class, at := b.class(target), i*(b.others+1)
		b.own[i] = math.Max(vr[at+class], 0)
		for j := range b.others {
			k := at + otherOf(class, j)
			b.gap[i*b.others+j] = mean[at+class] - mean[k]
			b.other[i*b.others+j] = math.Max(vr[k], 0)
		}
	}
}

// class returns the class of a target, or 0 if the target is missing.
func (b *argmaxBlock) class(target float64) int {
	if math.IsNaN(target) {
		return 0
	}
	return int(target)
}

// optimise finds the optimal q(u) of each row.
func (b *argmaxBlock) optimise() {
	for round, moving := 0, true; moving && round < argmaxRounds; round++ {
		moving = false
		b.sums()
		for i := range b.y {
			moving = b.update(i) || moving
		}
	}
	b.sums()
}

// update updates q(u) of row i and returns false if it has converged. Converged rows are not
// updated, so their results do not depend on other rows.
func (b *argmaxBlock) update(i int) bool {
	s := 1 / (1 - b.seconds[i])
	step := (b.firsts[i] - b.m[i]) * s // Newton step
	if math.Abs(step)+math.Abs(s-b.s[i]) < settled {
		return false
	}
	b.m[i] += step
	b.s[i] = s
	for p := i * b.others; p < (i+1)*b.others; p++ {
		b.r[p] = -b.second[p] * s
	}
	return true
}

// sums evaluates E log Phi for all pairs under the current q(u), and its sums over each row.
func (b *argmaxBlock) sums() {
	pairs := len(b.y) * b.others
	for i, s := range b.s[:len(b.y)] {
		first, last := i*b.others, (i+1)*b.others
		b.spread[i] = 0
		for p := first; p < last; p++ {
			b.spread[i] += b.r[p] * b.r[p] * b.other[p]
		}
		shared := s*s*b.own[i] + b.spread[i] + s // 1 + r_y equals s.
		for p := first; p < last; p++ {
			b.second[p] = b.gap[p] + b.m[i]
			b.scale[p] = math.Sqrt(2 * (shared + (1-2*b.r[p])*b.other[p]))
		}
	}
	vec.ProbitSums(b.value[:pairs], b.first[:pairs], b.second[:pairs], b.second[:pairs], b.scale[:pairs],
		halfHermite.nodes, halfHermite.weights)
	for i := range b.y {
		var value, first, second float64
		for p := i * b.others; p < (i+1)*b.others; p++ {
			// The derivative of a Gaussian expectation with respect to the variance is half its
			// second derivative with respect to the mean.
			b.second[p] *= 2 / b.scale[p]
			value += b.value[p]
			first += b.first[p]
			second += b.second[p]
		}
		b.values[i], b.firsts[i], b.seconds[i] = value, first, second
	}
}

// store writes the bound of each row and its derivatives.
func (b *argmaxBlock) store(terms, dMean, dVar []float64) {
	for i, target := range b.y {
		at := i * (b.others + 1)
		if math.IsNaN(target) {
			terms[i] = 0
			clear(dMean[at : at+b.others+1])
			clear(dVar[at : at+b.others+1])
			continue
		}
		m, s := b.m[i], b.s[i]
		own := s - 1 // r_y
		terms[i] = b.values[i] - 0.5*(m*m+b.spread[i]+own*own*b.own[i]+s-1-math.Log(s))
		class := at + int(target)
		for j := range b.others {
			k, p := at+otherOf(int(target), j), i*b.others+j
			r := b.r[p]
			dMean[k] = -b.first[p]
			dVar[k] = 0.5 * (r*r*(b.seconds[i]-1) + (1-2*r)*b.second[p])
		}
		dMean[class] = b.firsts[i]
		dVar[class] = 0.5 * (s*s*b.seconds[i] - own*own)
	}
}

// Observe implements Likelihood.
func (l Argmax) Observe(latent *predictive.Gaussians, _ []float64) predictive.Predictive {
	return predictive.NewClasses(latent, l)
}
