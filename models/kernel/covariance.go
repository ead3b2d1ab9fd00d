package kernel

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/param"
)

// Covariance is the kernel of T GPs over D inputs. Its parameters, one set for each GP, are nodes
// of a tape. Its Record methods may record on another tape that is replayed later.
type Covariance struct {
	Kernel
	// Outputs is T.
	Outputs int
	// nodes holds the parameters of each leaf, [1][T][size].
	nodes [][]*autodiff.Node
	// own holds the covariance of each GP if their kernels differ. It is nil if they share one. Of a term
	// of the kernel of one of these GPs, ofGP is its number, counted from 1.
	own  []*Covariance
	ofGP int
}

// NewCovariance returns the covariance of a bound kernel. Its parameters are variables on t without
// initial values. Without ard, all columns of a function share one lengthscale.
//
// NewCovariance panics if the kernel has expressions for another number of GPs.
func NewCovariance(t *autodiff.Tape, k Kernel, outputs int, ard bool) *Covariance {
	if !k.Fits(outputs) {
		panic("kernel: wrong number of expressions")
	}
	if k.each != nil {
		return newMixed(t, k, ard)
	}
	c := &Covariance{Kernel: k, Outputs: outputs, nodes: make([][]*autodiff.Node, len(k.leaves))}
	for i, l := range k.leaves {
		for _, p := range l.Parameters() {
			size := 1
			if p.Each && (ard || p.Name != lengthscales) {
				size = len(l.active)
			}
			c.nodes[i] = append(c.nodes[i], t.Variable(1, outputs, size))
		}
	}
	return c
}

// Frozen returns a covariance with the same parameters as constants.
func (c *Covariance) Frozen() *Covariance { return c.With((*autodiff.Node).Frozen) }

// With returns a covariance that has the nodes returned by replace as its parameters.
func (c *Covariance) With(replace func(*autodiff.Node) *autodiff.Node) *Covariance {
	out := *c
	out.nodes, out.own = nil, nil
	for _, own := range c.own {
		out.own = append(out.own, own.With(replace))
	}
	for _, list := range c.nodes {
		var nodes []*autodiff.Node
		for _, n := range list {
			nodes = append(nodes, replace(n))
		}
		out.nodes = append(out.nodes, nodes)
	}
	return &out
}

// Start sets the parameters to their starting values. The terms of a sum share the given total
// variance equally; the first factor of a product gets the variance of the product, and all other
// factors get 1. lengthscale returns the lengthscale of a column. Starting values in the expression
// take precedence.
func (c *Covariance) Start(total float64, lengthscale func(column int) float64) {
	for _, own := range c.own {
		own.Start(total, lengthscale)
	}
	if c.own != nil {
		return
	}
	c.root.spread(total, func(l *leaf, share float64) {
		for i, p := range l.Parameters() {
			n := c.nodes[l.index][i]
			for at := range n.Value {
				start := p.Start
				switch p.Name {
				case lengthscales:
					start = lengthscale(l.active[at%n.Cols])
				case variance:
					start = share / float64(n.Cols)
				}
				if given, is := l.starts[p.Name]; is {
					start = given
				}
				n.Value[at] = start
			}
		}
	})
}

// spread calls visit with each leaf and its share of the variance.
func (n *node) spread(total float64, visit func(l *leaf, share float64)) {
	if n.leaf != nil {
		visit(n.leaf, total)
	}
	for i, term := range n.terms {
		switch {
		case !n.product:
			term.spread(total/float64(len(n.terms)), visit)
		case i == 0:
			term.spread(total, visit)
		default:
			term.spread(1, visit)
		}
	}
}

// Named is a parameter of a covariance.
type Named struct {
	// Name is "lengthscales", or "rbf.lengthscales" if the kernel has several functions. It begins with
	// the number of the GP, "gp0.", if the kernels of the GPs differ.
	Name string
	Node *autodiff.Node // [1][T][size]
	// Transform is the transform passed to Parameters, or the identity for parameters that may be
	// negative, or param.Held for parameters that keep their starts.
	Transform param.Transform
}

// Parameters lists the parameters. positive is the transform of positive parameters.
func (c *Covariance) Parameters(positive param.Transform) (list []Named) {
	if c.own != nil {
		return c.parametersOfGPs(func(own *Covariance) []Named { return own.Parameters(positive) })
	}
	for i, l := range c.leaves {
		for k, p := range l.Parameters() {
			named := Named{Name: p.Name, Node: c.nodes[i][k], Transform: positive}
			if l.name != "" {
				named.Name = l.name + "." + p.Name
			}
			if p.Real {
				named.Transform = param.Identity{}
			}
			if l.held[p.Name] {
				named.Transform = param.Held{Given: true}
			}
			list = append(list, named)
		}
	}
	return list
}

// Terms returns the terms of sums as covariances with the same parameters, or nil if there is no sum.
// A GP is the sum of independent GPs with these covariances.
func (c *Covariance) Terms() (list []*Covariance) {
	if c.own != nil {
		return c.termsOfGPs()
	}
	if c.root.leaf != nil || c.root.product {
		return nil
	}
	for _, n := range c.root.terms {
		term := *c
		term.root, term.text = n, n.String()
		list = append(list, &term)
	}
	return list
}

// Quantities lists the parameters in display order: the variance of a kernel with assembly comes
// first.
func (c *Covariance) Quantities() []Named {
	if c.own != nil {
		return c.parametersOfGPs((*Covariance).Quantities)
	}
	list := c.Parameters(nil)
	if _, is := c.Stationary(); is {
		slices.Reverse(list)
	}
	return list
}

// Simple returns the parameters of a kernel with assembly, [1][T][1 or D] and [1][T][1].
func (c *Covariance) Simple() (s Stationary, lengthscales, variance *autodiff.Node, is bool) {
	s, is = c.Stationary()
	if !is {
		return 0, nil, nil, false
	}
	return s, c.nodes[0][0], c.nodes[0][1], true
}

// at returns the parameters of GP t of a kernel with assembly, with a lengthscale for each column.
func (c *Covariance) at(t int) (s Stationary, scales []float64, variance float64, is bool) {
	s, own, variances, is := c.Simple()
	if !is {
		return 0, nil, 0, false
	}
	scales = own.Row(t)
	if len(scales) < c.inputs {
		scales = slices.Repeat(scales, c.inputs)
	}
	return s, scales, variances.Value[t], true
}

// RecordKuf records k(Z, X), [T][M][P], for z [1][M][D] and x [1][D][P].
func (c *Covariance) RecordKuf(t *autodiff.Tape, z, x *autodiff.Node) *autodiff.Node {
	if c.own != nil {
		return c.recordOfGPs(t, func(own *Covariance) *autodiff.Node { return own.RecordKuf(t, z, x) })
	}
	if s, lengthscales, variance, is := c.Simple(); is && c.Outputs == 1 {
		return RecordKuf(t, s, z, x, repeated(t, lengthscales, c.inputs), variance)
	}
	return c.recordRows(t, z, x, 0)
}

// RecordKuu records k(Z, Z) + jitter I, [T][M][M], for z [1][M][D].
func (c *Covariance) RecordKuu(t *autodiff.Tape, z *autodiff.Node, jitter float64) *autodiff.Node {
	if c.own != nil {
		return c.recordOfGPs(t, func(own *Covariance) *autodiff.Node { return own.RecordKuu(t, z, jitter) })
	}
	if s, lengthscales, variance, is := c.Simple(); is && c.Outputs == 1 {
		return RecordKuu(t, s, z, repeated(t, lengthscales, c.inputs), variance, jitter)
	}
	return c.recordRows(t, z, nil, jitter)
}

// repeated returns the lengthscales of d inputs, [1][1][D]. A single lengthscale is repeated.
func repeated(t *autodiff.Tape, lengthscales *autodiff.Node, d int) *autodiff.Node {
	if lengthscales.Cols == d {
		return lengthscales
	}
	return t.Add(t.Constant(1, 1, d), lengthscales)
}

// RecordDiagonal records k(x, x) for x [1][D][P]: [1][T][P], or [1][T][1] if it is the same for all
// points.
func (c *Covariance) RecordDiagonal(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node {
	if c.own != nil {
		return c.recordDiagonals(t, x)
	}
	if _, _, variance, is := c.Simple(); is {
		return variance
	}
	return c.recordDiagonal(t, x)
}

// Kuf sets dst [M][P] to the covariances of GP t at Z, [M][D], and X, [D][P].
func (c *Covariance) Kuf(dst []float64, t int, Z, X []float64) {
	c, t = c.gp(t)
	points := len(X) / c.inputs
	inducing := len(Z) / c.inputs
	if s, scales, variance, is := c.at(t); is {
		s.Kuf(dst, Z, X, scales, variance, make([]float64, c.inputs), inducing, c.inputs, points)
		return
	}
	c.evaluator(t).rows(dst, Z, X, points, 0, inducing, false)
}

// Kff sets dst [P][P] to the covariances of GP t at X, [D][P].
func (c *Covariance) Kff(dst []float64, t int, X []float64) {
	c, t = c.gp(t)
	points := len(X) / c.inputs
	rows := make([]float64, len(X))
	linalg.Transpose(rows, X, c.inputs, points)
	if _, is := c.Stationary(); is {
		c.Kuf(dst, t, rows, X)
		return
	}
	c.evaluator(t).rows(dst, rows, X, points, 0, points, true)
}

// Diagonal sets dst [P] to k(x, x) of GP t at X, [D][P].
func (c *Covariance) Diagonal(dst []float64, t int, X []float64) {
	c, t = c.gp(t)
	if _, _, variance, is := c.Simple(); is {
		for i := range dst {
			dst[i] = variance.Value[t]
		}
		return
	}
	e := c.evaluator(t)
	e.diagonal(dst, X, len(dst))
}

// Scale returns the mean of k(x, x) of GP t at X, [D][P].
func (c *Covariance) Scale(t int, X []float64) float64 {
	c, t = c.gp(t)
	if _, _, variance, is := c.Simple(); is {
		return variance.Value[t]
	}
	diagonal := make([]float64, len(X)/c.inputs)
	c.Diagonal(diagonal, t, X)
	return stat.Mean(diagonal, nil)
}

// parameters lists all parameter nodes.
func (c *Covariance) parameters() (list []*autodiff.Node) {
	for _, nodes := range c.nodes {
		list = append(list, nodes...)
	}
	return list
}

// pieces is the number of parts into which inducing inputs or points are divided for parallel
// execution. It is fixed, so the order of summation does not depend on the number of processors.
const pieces = 4

// rowsOp is the operation of recordRows.
type rowsOp struct {
	*Covariance
	z, x, out         *autodiff.Node // x is nil for the covariances of z with itself
	points            []float64      // X, or the transpose of Z, [D][P]
	parts             [pieces]*evaluator
	grad, dZ          []float64 // during backward
	forward, backward linalg.Loop
}

// recordRows records k(Z, X), or k(Z, Z) + jitter I if x is nil, as one operation.
func (c *Covariance) recordRows(t *autodiff.Tape, z, x *autodiff.Node, jitter float64) *autodiff.Node {
	o := &rowsOp{Covariance: c, z: z, x: x}
	inputs := append([]*autodiff.Node{z}, c.parameters()...)
	points := z.Rows
	if x == nil {
		o.points = make([]float64, z.Len())
	} else {
		inputs, points, o.points = append(inputs, x), x.Cols, x.Value
	}
	for p := range o.parts {
		o.parts[p] = c.evaluator(0)
	}
	o.out = t.Output(c.Outputs, z.Rows, points, inputs...)
	o.forward.Body, o.backward.Body = o.evaluate, o.differentiate
	return t.Record(o.out, func() error {
		if x == nil {
			linalg.Transpose(o.points, z.Value, z.Rows, z.Cols)
		}
		o.forward.Run(pieces)
		if x == nil {
			for k := range o.out.Batch {
				for i := range points {
					o.out.At(k)[i*points+i] += jitter
				}
			}
		}
		return nil
	}, o.collect)
}

// piece returns the range of inducing inputs of piece k.
func (o *rowsOp) piece(k int) (from, to int) {
	return k * o.z.Rows / pieces, (k + 1) * o.z.Rows / pieces
}

func (o *rowsOp) evaluate(piece int) {
	from, to := o.piece(piece)
	for t := range o.Outputs {
		o.parts[piece].load(t)
		o.parts[piece].rows(o.out.At(t), o.z.Value, o.points, o.out.Cols, from, to, o.x == nil)
	}
}

func (o *rowsOp) differentiate(piece int) {
	from, to := o.piece(piece)
	e := o.parts[piece]
	size := o.out.Rows * o.out.Cols
	for t := range o.Outputs {
		e.load(t)
		e.rowsBackward(o.grad[t*size:(t+1)*size], o.z.Value, o.points, o.dZ, o.out.Cols, from, to, o.x == nil)
		e.store(t)
	}
}

// collect runs the pieces backward and adds their results in a fixed order.
func (o *rowsOp) collect() {
	o.grad, o.dZ = o.out.Grad(), nil
	if o.z.Wanted() {
		o.dZ = o.z.Grad()
	}
	moving := o.x == nil && o.z.Wanted() || o.x != nil && o.x.Wanted()
	for _, e := range o.parts {
		e.prepare(moving, len(o.points))
	}
	o.backward.Run(pieces)
	for _, e := range o.parts {
		e.collect()
		switch {
		case moving && o.x != nil:
			addTo(o.x.Grad(), e.dX)
		case moving:
			addTransposed(o.dZ, e.dX, o.z.Rows, o.z.Cols)
		}
	}
}

// recordDiagonal records k(x, x), [1][T][P], for x [1][D][P].
func (c *Covariance) recordDiagonal(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node {
	e := c.evaluator(0)
	out := t.Output(1, c.Outputs, x.Cols, append(c.parameters(), x)...)
	return t.Record(out, func() error {
		for k := range c.Outputs {
			e.load(k)
			e.diagonal(out.Row(k), x.Value, x.Cols)
		}
		return nil
	}, func() {
		grad := out.Grad()
		e.prepare(x.Wanted(), x.Len())
		for k := range c.Outputs {
			e.load(k)
			e.diagonalBackward(grad[k*x.Cols:(k+1)*x.Cols], x.Value, x.Cols)
			e.store(k)
		}
		e.collect()
		if x.Wanted() {
			addTo(x.Grad(), e.dX)
		}
	})
}

// Lengths returns the length over which GP t varies along each input, [D]: the shortest lengthscale
// of the functions of the input, 1 if these have no lengthscale, and +Inf if the kernel does not
// depend on the input.
func (c *Covariance) Lengths(t int) []float64 {
	c, t = c.gp(t)
	lengths := make([]float64, c.inputs)
	for d := range lengths {
		lengths[d] = math.Inf(1)
	}
	for i, l := range c.leaves {
		for d, column := range l.active {
			own := 1.0
			if l.Parameters()[0].Name == lengthscales {
				row := c.nodes[i][0].Row(t)
				own = row[min(d, len(row)-1)]
			}
			lengths[column] = math.Min(lengths[column], own)
		}
	}
	return lengths
}
