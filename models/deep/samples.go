package deep

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/layer"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// minVariance is the lower bound of variances before their square root is taken. The variances of a
// layer are differences of numbers as large as the kernel variance, so rounding can make very small
// ones negative.
const minVariance = 1e-12

// draw is a tape operation that samples a layer: mean + e sqrt(variance), where e is a standard
// normal draw, or a learned point shared by all inputs.
type draw struct {
	tape    *autodiff.Tape
	moments layer.Moments // [1][T][B] or [1][T][S*B]
	eps     *autodiff.Node
	points  *autodiff.Node
	b, s    int
	matrix  string

	out              *autodiff.Node
	sd, dSD          []float64 // standard deviations, shaped as the variances
	dOut, dMean      []float64 // gradients during backward
	rescues          []int     // per output
	forward, reverse linalg.Loop
}

// record records the samples, [1][T][S*B].
func (d *draw) record() *autodiff.Node {
	mean, variance := d.moments.Mean, d.moments.Var
	inputs := []*autodiff.Node{mean, variance}
	if d.points != nil {
		inputs = append(inputs, d.points)
	}
	d.out = d.tape.Output(1, mean.Rows, d.s*d.b, inputs...)
	d.sd = make([]float64, variance.Len())
	d.rescues = make([]int, mean.Rows)
	d.forward.Body, d.reverse.Body = d.evaluate, d.differentiate
	return d.tape.Record(d.out, func() error {
		d.forward.Run(mean.Rows)
		for _, n := range d.rescues {
			if n > 0 {
				d.tape.CountRescues(d.matrix, n)
			}
		}
		return nil
	}, d.backward)
}

// evaluate draws the samples of one output.
func (d *draw) evaluate(t int) {
	cols := d.moments.Var.Cols
	sd := d.sd[t*cols : (t+1)*cols]
	d.rescues[t] = 0
	for p, v := range d.moments.Var.Row(t) {
		if v < minVariance {
			v = minVariance
			d.rescues[t]++
		}
		sd[p] = math.Sqrt(v)
	}
	for s := range d.s {
		out := d.columns(d.out.Row(t), s)
		copy(out, d.columns(d.moments.Mean.Row(t), s))
		spread := d.columns(sd, s)
		if d.eps != nil {
			vec.AddMul(out, d.columns(d.eps.Row(t), s), spread)
			continue
		}
		vec.AddScaled(out, spread, d.points.Row(s)[t])
	}
}

// columns returns the columns of sample s in a row of S*B columns, or the whole row if it has B
// columns.
func (d *draw) columns(row []float64, s int) []float64 {
	if len(row) == d.b {
		return row
	}
	return row[s*d.b : (s+1)*d.b]
}

func (d *draw) backward() {
	if d.dSD == nil {
		d.dSD = make([]float64, len(d.sd))
	}
	d.dOut = d.out.Grad()
	d.dMean = d.moments.Mean.Grad()
	d.moments.Var.Grad() // clear it before outputs write to it in parallel
	if d.points != nil {
		d.points.Grad()
	}
	d.reverse.Run(d.out.Rows)
}

// differentiate propagates the gradients of one output.
func (d *draw) differentiate(t int) {
	cols, width := d.moments.Var.Cols, d.out.Cols
	sd, dSD := d.sd[t*cols:(t+1)*cols], d.dSD[t*cols:(t+1)*cols]
	g, dMean := d.dOut[t*width:(t+1)*width], d.dMean[t*cols:(t+1)*cols]
	clear(dSD)
	for s := range d.s {
		gs := d.columns(g, s)
		vec.AddScaled(d.columns(dMean, s), gs, 1)
		if d.eps != nil {
			vec.AddMul(d.columns(dSD, s), gs, d.columns(d.eps.Row(t), s))
			continue
		}
		at := s*d.out.Rows + t
		vec.AddScaled(d.columns(dSD, s), gs, d.points.Value[at])
		d.points.Grad()[at] += vec.Dot(gs, d.columns(sd, s))
	}
	dVar := d.moments.Var.Grad()[t*cols : (t+1)*cols]
	for p, v := range d.moments.Var.Row(t) {
		if v >= minVariance {
			dVar[p] += 0.5 * dSD[p] / sd[p]
		}
	}
}

// recordWeighted records the weighted means of a, [1][T][S*B], over samples, with weights
// [1][1][S]: [1][T][B].
func recordWeighted(t *autodiff.Tape, a, weights *autodiff.Node) *autodiff.Node {
	s := weights.Cols
	b := a.Cols / s
	out := t.Output(1, a.Rows, b, a, weights)
	each := func(visit func(k int, row, sample int)) {
		for r := range a.Rows {
			for k := range s {
				visit(k, r*b, r*a.Cols+k*b)
			}
		}
	}
	return t.Record(out, func() error {
		clear(out.Value)
		each(func(k, row, sample int) {
			vec.AddScaled(out.Value[row:row+b], a.Value[sample:sample+b], weights.Value[k])
		})
		return nil
	}, func() {
		g := out.Grad()
		da := a.Grad()
		each(func(k, row, sample int) {
			vec.AddScaled(da[sample:sample+b], g[row:row+b], weights.Value[k])
			if weights.Wanted() {
				weights.Grad()[k] += vec.Dot(g[row:row+b], a.Value[sample:sample+b])
			}
		})
	})
}

// recordLogSoftmax records the logarithms of the softmax of logits, [1][1][S].
func recordLogSoftmax(t *autodiff.Tape, logits *autodiff.Node) *autodiff.Node {
	out := t.Output(1, 1, logits.Cols, logits)
	return t.Record(out, func() error {
		top := math.Inf(-1)
		for _, v := range logits.Value {
			top = max(top, v)
		}
		var sum float64
		for _, v := range logits.Value {
			sum += math.Exp(v - top)
		}
		for s, v := range logits.Value {
			out.Value[s] = v - top - math.Log(sum)
		}
		return nil
	}, func() {
		var total float64
		for _, g := range out.Grad() {
			total += g
		}
		d := logits.Grad()
		for s, g := range out.Grad() {
			d[s] += g - total*math.Exp(out.Value[s])
		}
	})
}

// equalWeights returns the logarithms of s equal weights, [1][1][s].
func equalWeights(t *autodiff.Tape, s int) *autodiff.Node {
	n := t.Constant(1, 1, s)
	for k := range n.Value {
		n.Value[k] = -math.Log(float64(s))
	}
	return n
}
