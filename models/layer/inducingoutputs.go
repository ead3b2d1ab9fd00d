package layer

import (
	"math"

	"dgplab/models/linalg"
)

// InducingOutputs is the unwhitened q over the inducing outputs of one output of a layer at one
// input column.
type InducingOutputs struct {
	Mean, SD []float64 // [M]
	// Factor is the lower factor of the covariance, packed row by row, or nil if the covariance is
	// diagonal.
	Factor []float64
}

// Covariance returns the covariance, [M][M].
func (q InducingOutputs) Covariance() []float64 {
	m := len(q.Mean)
	out := make([]float64, m*m)
	for i := range m {
		if q.Factor == nil {
			out[i*m+i] = q.SD[i] * q.SD[i]
			continue
		}
		for j := range i + 1 {
			var sum float64
			for k := range j + 1 {
				sum += q.Factor[packed(i, k)] * q.Factor[packed(j, k)]
			}
			out[i*m+j] = sum
			out[j*m+i] = sum
		}
	}
	return out
}

// InducingOutputs returns q of output t at a column of the inferred values. It returns an error if
// K_uu has no Cholesky factor.
func (l *Local) InducingOutputs(q *Inferred, t, column int) (InducingOutputs, error) {
	m := l.config.Inducing
	spreads := q.Spread.Rows / l.config.Outputs
	out := InducingOutputs{Mean: rows(q.Mean.At(0), q.Mean.Cols, t*m, m, column)}
	spread := rows(q.Spread.At(0), q.Spread.Cols, t*spreads, spreads, column)
	switch {
	case l.config.Whiten:
		p := newPriorFactor(l)
		if err := p.factorise(q, t, column); err != nil {
			return out, err
		}
		out.Mean = p.lift(out.Mean)
		p.addMean(out.Mean, t, 1)
		out.Factor = p.times(spread, l.config.Full)
	case l.config.Full:
		out.Factor = spread
	default:
		out.SD = spread
		return out, nil
	}
	out.SD = make([]float64, m)
	for i := range m {
		for j := range i + 1 {
			v := out.Factor[packed(i, j)]
			out.SD[i] += v * v
		}
		out.SD[i] = math.Sqrt(out.SD[i])
	}
	return out, nil
}

// rows returns count entries of the given column of a matrix, beginning with the given row.
func rows(data []float64, cols, from, count, column int) []float64 {
	out := make([]float64, count)
	for i := range out {
		out[i] = data[(from+i)*cols+column]
	}
	return out
}

// priorFactor is the Cholesky factor of K_uu of one output at one column.
type priorFactor struct {
	*Local
	z, k, root []float64 // [M][D], [M][M], [M][M]
	columns    []float64 // z transposed, [D][M]
}

func newPriorFactor(l *Local) *priorFactor {
	m, d := l.config.Inducing, l.config.Inputs
	return &priorFactor{
		Local: l, z: make([]float64, m*d), k: make([]float64, m*m), root: make([]float64, m*m),
		columns: make([]float64, m*d),
	}
}

// factorise computes the factor for output t at column g.
func (p *priorFactor) factorise(q *Inferred, t, g int) error {
	c := p.config
	for i := range p.z {
		p.z[i] = q.Z.Row(i)[g]
	}
	for i, v := range p.z {
		p.columns[i%c.Inputs*c.Inducing+i/c.Inputs] = v
	}
	p.covariance.Kff(p.k, t, p.columns)
	for i := range c.Inducing {
		p.k[i*c.Inducing+i] += c.Jitter
	}
	_, err := linalg.Cholesky(p.root, p.k, c.Inducing, p.kuuName())
	return err
}

// addMean adds c times the mean function of output t at the inducing points of the factorised
// column to dst, [M].
func (p *priorFactor) addMean(dst []float64, t int, c float64) {
	if p.meanW == nil {
		return
	}
	for i := range dst {
		for d, x := range p.z[i*p.config.Inputs : (i+1)*p.config.Inputs] {
			dst[i] += c * p.meanW.Row(d)[t] * x
		}
	}
}

// lift returns the product of the factor and v.
func (p *priorFactor) lift(v []float64) []float64 {
	m := p.config.Inducing
	out := make([]float64, m)
	for i := range out {
		for j := range i + 1 {
			out[i] += p.root[i*m+j] * v[j]
		}
	}
	return out
}

// times returns the product of the factor and another factor, packed, or a diagonal.
func (p *priorFactor) times(spread []float64, full bool) []float64 {
	m := p.config.Inducing
	out := make([]float64, triangle(m))
	for i := range m {
		for j := range i + 1 {
			at := &out[packed(i, j)]
			if !full {
				*at = p.root[i*m+j] * spread[j]
				continue
			}
			for k := j; k <= i; k++ {
				*at += p.root[i*m+k] * spread[packed(k, j)]
			}
		}
	}
	return out
}
