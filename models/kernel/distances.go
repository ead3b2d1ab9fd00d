package kernel

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// distances is the operation recorded by RecordDistances.
type distances struct {
	z, x, lengthscales *autodiff.Node // x is nil for distances from z to itself
	out                *autodiff.Node
	points             []float64       // X, or the transpose of Z, [D][P]
	scales             []float64       // reciprocals of the lengthscales, [T][D]
	grad, dZ           []float64       // during backward
	parts              [pieces]partial // of each piece
	forward, backward  linalg.Loop
}

// partial holds the gradients of X and of the lengthscales accumulated by one piece.
type partial struct{ x, lengthscales []float64 }

// RecordDistances records the squared distances between inducing inputs z, [1][M][D], and points x,
// [1][D][P], from which kernels with common inputs can be computed. Without lengthscales (nil) the
// distances are
//
//	sum over d of (z[m][d] - x[d][p])², [1][M][P].
//
// With lengthscales [1][T][D] they are [T][M][P], and the coordinates are divided by the
// lengthscales of each of T kernels. Without x (nil) they are the distances between the inducing
// inputs themselves, [M][M]. In this case only the lower triangle of a gradient is read, and each
// of its entries stands for both equal entries.
func RecordDistances(t *autodiff.Tape, z, x, lengthscales *autodiff.Node) *autodiff.Node {
	d := &distances{z: z, x: x, lengthscales: lengthscales}
	inputs := []*autodiff.Node{z}
	kernels, points := 1, z.Rows
	if x == nil {
		d.points = make([]float64, z.Len())
	} else {
		inputs, points, d.points = append(inputs, x), x.Cols, x.Value
	}
	if lengthscales != nil {
		inputs, kernels = append(inputs, lengthscales), lengthscales.Rows
	}
	d.scales = make([]float64, kernels*z.Cols)
	for i := range d.scales {
		d.scales[i] = 1
	}
	d.out = t.Output(kernels, z.Rows, points, inputs...)
	d.forward.Body, d.backward.Body = d.evaluate, d.differentiate
	return t.Record(d.out, func() error {
		if x == nil {
			linalg.Transpose(d.points, z.Value, z.Rows, z.Cols)
		}
		if lengthscales != nil {
			reciprocals(d.scales, lengthscales.Value)
		}
		d.forward.Run(pieces)
		return nil
	}, d.collect)
}

// rows returns the range of inducing inputs of a piece.
func (d *distances) rows(piece int) (from, to int) {
	m := d.z.Rows
	return piece * m / pieces, (piece + 1) * m / pieces
}

func (d *distances) evaluate(piece int) {
	from, to := d.rows(piece)
	dims, points := d.z.Cols, d.out.Cols
	if from == to {
		return
	}
	for k := range d.out.Batch {
		vec.Distance.Rows(d.out.At(k)[from*points:to*points], points, d.points, points, points,
			d.z.Value[from*dims:to*dims], d.scales[k*dims:(k+1)*dims], 1)
	}
}

// differentiate accumulates the contributions of the inducing inputs of a piece. Each row of the
// gradient of Z belongs to one piece.
func (d *distances) differentiate(piece int) {
	from, to := d.rows(piece)
	part := &d.parts[piece]
	points := d.out.Cols
	for k := range d.out.Batch {
		for start := 0; start < points; start += Tile {
			for m := from; m < to; m++ {
				end := min(start+Tile, points)
				if d.x == nil {
					end = min(end, m+1)
				}
				if start < end {
					d.addRow(part, k, m, start, end)
				}
			}
		}
	}
}

// addRow adds the contribution of the distances between inducing input m and the points [start,
// end) for kernel k.
func (d *distances) addRow(part *partial, k, m, start, end int) {
	dims, points := d.z.Cols, d.out.Cols
	w := d.grad[(k*d.out.Rows+m)*points:][start:end]
	for i := range dims {
		scale := d.scales[k*dims+i]
		twice := 2 * scale * scale
		var dx []float64
		if part.x != nil {
			dx = part.x[i*points+start : i*points+end]
		}
		first, second := vec.WeightedDifferences(dx, w, d.points[i*points+start:i*points+end],
			d.z.Value[m*dims+i], -twice)
		if d.dZ != nil {
			d.dZ[m*dims+i] += twice * first
		}
		if part.lengthscales != nil {
			part.lengthscales[k*dims+i] -= twice * scale * second
		}
	}
}

// collect runs the pieces backward and adds their results in a fixed order.
func (d *distances) collect() {
	d.grad, d.dZ = d.out.Grad(), nil
	if d.z.Wanted() {
		d.dZ = d.z.Grad()
	}
	moving := d.x == nil && d.z.Wanted() || d.x != nil && d.x.Wanted()
	scaled := d.lengthscales != nil && d.lengthscales.Wanted()
	for p := range d.parts {
		if moving {
			d.parts[p].x = cleared(d.parts[p].x, len(d.points))
		}
		if scaled {
			d.parts[p].lengthscales = cleared(d.parts[p].lengthscales, len(d.scales))
		}
	}
	d.backward.Run(pieces)
	for p := range d.parts {
		if scaled {
			addTo(d.lengthscales.Grad(), d.parts[p].lengthscales)
		}
		switch {
		case moving && d.x != nil:
			addTo(d.x.Grad(), d.parts[p].x)
		case moving:
			addTransposed(d.dZ, d.parts[p].x, d.z.Rows, d.z.Cols)
		}
	}
}

// addTransposed adds the transpose of src [cols][rows] to dst [rows][cols].
func addTransposed(dst, src []float64, rows, cols int) {
	for r := range rows {
		for c := range cols {
			dst[r*cols+c] += src[c*rows+r]
		}
	}
}
