package kernel

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// blocksOp is the operation of RecordBlocks.
type blocksOp struct {
	*Covariance
	x, out            *autodiff.Node
	samples, points   int // S, B
	parts             [pieces]blocksPart
	grad, dX          []float64 // during backward
	forward, backward linalg.Loop
}

// blocksPart is the workspace of a piece for the samples of one point.
type blocksPart struct {
	*evaluator
	rows, columns []float64 // [S][D], [D][S]
	dRows         []float64 // [S][D]
}

// RecordBlocks records the covariances between the S samples of each of B points: [T*B][S][S], with
// block t*B + b for GP t at point b. Sample s of point b is column s*B + b of x, [1][D][S*B].
func (c *Covariance) RecordBlocks(t *autodiff.Tape, x *autodiff.Node, samples int) *autodiff.Node {
	if c.own != nil {
		return c.recordOfGPs(t, func(own *Covariance) *autodiff.Node {
			return own.RecordBlocks(t, x, samples)
		})
	}
	o := &blocksOp{Covariance: c, x: x, samples: samples, points: x.Cols / samples}
	o.out = t.Output(c.Outputs*o.points, samples, samples, append(c.parameters(), x)...)
	for p := range o.parts {
		size := samples * x.Rows
		o.parts[p] = blocksPart{c.evaluator(0), make([]float64, size), make([]float64, size),
			make([]float64, size)}
	}
	o.forward.Body, o.backward.Body = o.evaluate, o.differentiate
	return t.Record(o.out, func() error {
		o.forward.Run(pieces)
		return nil
	}, o.collect)
}

// each calls visit for each GP and point of a piece, with the samples of the point loaded.
func (o *blocksOp) each(piece int, visit func(p *blocksPart, b, block int)) {
	p := &o.parts[piece]
	for t := range o.Outputs {
		p.load(t)
		for b := piece * o.points / pieces; b < (piece+1)*o.points/pieces; b++ {
			for d := range o.x.Rows {
				for s := range o.samples {
					v := o.x.Row(d)[s*o.points+b]
					p.columns[d*o.samples+s] = v
					p.rows[s*o.x.Rows+d] = v
				}
			}
			visit(p, b, t*o.points+b)
		}
		p.store(t)
	}
}

func (o *blocksOp) evaluate(piece int) {
	o.each(piece, func(p *blocksPart, _, block int) {
		p.evaluator.rows(o.out.At(block), p.rows, p.columns, o.samples, 0, o.samples, true)
	})
}

// differentiate accumulates the gradients of a piece. Each point belongs to one piece, so pieces
// write to disjoint columns of the gradient of x.
func (o *blocksOp) differentiate(piece int) {
	size := o.samples * o.samples
	o.each(piece, func(p *blocksPart, b, block int) {
		clear(p.dX)
		clear(p.dRows)
		p.rowsBackward(o.grad[block*size:(block+1)*size], p.rows, p.columns, p.dRows, o.samples, 0,
			o.samples, true)
		if o.dX == nil {
			return
		}
		for d := range o.x.Rows {
			for s := range o.samples {
				o.dX[d*o.x.Cols+s*o.points+b] += p.dX[d*o.samples+s] + p.dRows[s*o.x.Rows+d]
			}
		}
	})
}

// collect runs the pieces backward and adds their results in a fixed order.
func (o *blocksOp) collect() {
	o.grad, o.dX = o.out.Grad(), nil
	if o.x.Wanted() {
		o.dX = o.x.Grad()
	}
	for _, p := range o.parts {
		p.prepare(true, len(p.columns))
	}
	o.backward.Run(pieces)
	for _, p := range o.parts {
		p.collect()
	}
}
