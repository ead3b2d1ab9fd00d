package dgp

import (
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
	"dgplab/models/linalg"
)

// bound is the evidence lower bound on a minibatch:
//
//	ELBO = (N/B) (1/R) sum_{n,r} E log p(y_n | f_n) - KL(q(f_M) || p(f_M))
//
// Lindinger et al., 2020, eqs. 5 and 8. With given inducing outputs v it is the log joint density
// of the targets and v, estimated from R draws of the hidden layers:
//
//	(N/B) (1/R) sum_{n,r} log p(y_n | f_n^{L-1}, v) + log N(v; 0, I)
//
// Weights multiply the terms of their points: with weight 2, a point counts like two equal points. N is the
// number of points regardless of their weights, so the mean over minibatches is the sum over all points.
type bound struct {
	*graph
	y *autodiff.Node // targets, [1][P][B]; P=1 for classes
	// rows holds the known noise variances and the weights of the points.
	rows likelihood.Rows
	// numData is N. It can be set before any replay.
	numData float64
	// terms holds the expected log-likelihood of each sample and point, summed over outputs, times the
	// weight of the point, [R][B], without the factor N/B.
	terms []float64
	// value = logLik - penalty, where penalty is the KL or -log N(v; 0, I).
	logLik, penalty, value *autodiff.Node
}

// newBound records the bound of b points with r samples on t. t is the tape of post, or another
// tape that is replayed after it.
func newBound(t *autodiff.Tape, post *posterior, b, r int) *bound {
	return newBoundInShards(t, post, b, r, shardsOf(post.arch, b))
}

// newBoundInShards is newBound with a given number of shards.
func newBoundInShards(t *autodiff.Tape, post *posterior, b, r, shards int) *bound {
	g := &bound{numData: float64(b)}
	targets := post.arch.targets()
	if shards > 1 {
		g.graph = startGraph(t, post, b, post.arch.draws(r))
	} else {
		g.graph = newGraph(t, post, b, r)
	}
	g.y = t.Constant(1, targets, b)
	g.rows = likelihood.NewRows(t, b, post.arch.Noise, post.arch.Weights)
	if shards > 1 {
		g.recordShards(shards)
	} else {
		g.recordLogLik()
	}
	t.Section(partKL.section(allLayers))
	if post.arch.GivenInducing {
		g.penalty = post.recordNegLogPrior(t)
	} else {
		g.penalty = post.recordKL()
	}
	value := t.Output(1, 1, 1, g.logLik, g.penalty)
	g.value = t.Record(value, func() error {
		value.Value[0] = g.logLik.Value[0] - g.penalty.Value[0]
		return nil
	}, func() {
		d := value.Grad()[0]
		g.logLik.Grad()[0] += d
		g.penalty.Grad()[0] -= d
	})
	return g
}

// recordLogLik records the scaled sum of the expected log-likelihoods.
func (g *bound) recordLogLik() {
	g.tape.Section(partLikelihood.section(allLayers))
	mean, variance, params := g.outMean, g.outVar, g.post.observation
	points := mean.Cols
	lik := g.post.arch.Likelihood
	expectation := lik.VariationalExpectations
	if g.post.arch.GivenInducing {
		expectation = lik.LogExpectation
	}
	g.terms = make([]float64, points)
	dMean := make([]float64, mean.Len())
	dVar := make([]float64, mean.Len())
	all := make([]float64, g.y.Rows*points)
	targets := make([]float64, g.y.Rows*points)
	inputs := []*autodiff.Node{mean, variance}
	values := likelihood.Values(params)
	if params != nil {
		inputs = append(inputs, params)
	}
	dParams := make([]float64, len(values))
	// ofTiles holds the derivatives of each tile in the place of its first row, [rows][Q].
	ofTiles := make([]float64, len(all)*len(values))
	ofTile := func(start int) []float64 { return ofTiles[start*len(values) : (start+1)*len(values)] }
	out := g.tape.Output(1, 1, 1, inputs...)
	scale := func() float64 { return g.numData / float64(points) }
	evaluate := func() {
		expectation(all, dMean, dVar, dParams, targets, mean.Value, variance.Value, values)
	}
	if k := lik.Latents(); g.rows.Any() {
		known := g.rows.NewEvaluator(expectation, len(all))
		evaluate = func() {
			known.Evaluate(all, dMean, dVar, dParams, targets, mean.Value, variance.Value, values)
		}
	} else if k > 1 {
		evaluate = func() {}
		for p := range g.y.Rows {
			first, last := p*points, (p+1)*points
			transposed := likelihood.NewTransposed(lik, points)
			others, tiles := evaluate, g.inTiles(points, func(start, end int) {
				transposed.Evaluate(expectation, all[first:last], dMean[k*first:k*last],
					dVar[k*first:k*last], ofTile(first+start), targets[first:last],
					mean.Value[k*first:k*last], variance.Value[k*first:k*last], values, start, end)
			})
			evaluate = func() {
				others()
				tiles()
			}
		}
	} else if !likelihood.Serial(lik) {
		evaluate = g.inTiles(len(all), func(start, end int) {
			expectation(all[start:end], dMean[start:end], dVar[start:end], ofTile(start),
				targets[start:end], mean.Value[start:end], variance.Value[start:end], values)
		})
	}
	g.logLik = g.tape.Record(out, func() error {
		for t := 0; t < g.y.Rows; t++ {
			repeat(targets[t*points:(t+1)*points], g.y.Row(t))
		}
		evaluate()
		if !likelihood.Serial(lik) && len(values) > 0 {
			clear(dParams)
			for at, d := range ofTiles {
				dParams[at%len(values)] += d
			}
		}
		copy(g.terms, all[:points])
		for t := 1; t < g.y.Rows; t++ {
			addTo(g.terms, all[t*points:(t+1)*points])
		}
		var sum float64
		for _, v := range g.terms {
			sum += v
		}
		out.Value[0] = scale() * sum
		return nil
	}, func() {
		d := out.Grad()[0] * scale()
		gm := mean.Grad()
		for k := range gm {
			gm[k] += d * dMean[k]
		}
		if variance.Wanted() {
			gv := variance.Grad()
			for k := range gv {
				gv[k] += d * dVar[k]
			}
		}
		if params != nil && params.Wanted() {
			gp := params.Grad()
			for k := range gp {
				gp[k] += d * dParams[k]
			}
		}
	})
}

// inTiles returns a function that calls visit for tiles of independent columns, in parallel.
func (g *graph) inTiles(columns int, visit func(start, end int)) func() {
	tiles := linalg.NewPackedTiling(columns, columns, g.chains())
	loop := &linalg.Loop{Body: func(chain int) { tiles.Each(chain, visit) }}
	return func() { loop.Run(tiles.Chains) }
}

func sumSquares(v []float64) float64 {
	x := blas64.Vector{N: len(v), Inc: 1, Data: v}
	return blas64.Dot(x, x)
}

// addScaled adds alpha src to dst.
func addScaled(dst, src []float64, alpha float64) {
	blas64.Axpy(alpha, blas64.Vector{N: len(src), Inc: 1, Data: src}, blas64.Vector{
		N:    len(src),
		Inc:  1,
		Data: dst,
	})
}
