package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models/family"
)

const (
	// mostJointRows bounds the rows of a joint draw, and with them its covariance of 128 MB.
	mostJointRows = family.LargestCovariance
	// mostDrawn bounds the numbers of all draws, 160 MB.
	mostDrawn = 20_000_000
)

// jointSampler returns the model if it draws functions jointly, or an error with the reason.
func (p *Probe) jointSampler() (family.FunctionSampler, error) {
	m, ok := p.Model.(family.FunctionSampler)
	if !ok {
		return nil, errors.New("the family does not draw functions")
	}
	if joint, ok := p.Model.(family.JointSampler); ok {
		if err := joint.DrawsJointly(); err != nil {
			return nil, fmt.Errorf("no joint draws: %w", err)
		}
	}
	return m, nil
}

// rowDraws holds functions drawn jointly at rows, in original units.
type rowDraws struct {
	names []string // of the functions
	// values is [draws][functions][rows].
	values [][][]float64
}

// append appends the values of a row: for each function, all draws.
func (d *rowDraws) append(dst []float64, row int) []float64 {
	if d == nil {
		return dst
	}
	for k := range d.names {
		for _, draw := range d.values {
			dst = append(dst, draw[k][row])
		}
	}
	return dst
}

// jointRows reads all rows, in batches of the given size, and draws functions jointly at them with the
// random numbers of the fit. It returns an error if there are too many rows.
func (p *Probe) jointRows(
	ctx context.Context, rows *datasets.Rows, size, count int,
) (list []*datasets.Batch, draws *rowDraws, err error) {
	m, err := p.jointSampler()
	if err != nil {
		return nil, nil, err
	}
	var x []float64
	n := 0
	for {
		batch, err := rows.Next(ctx, size)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		list = append(list, batch)
		x = append(x, batch.X.RawMatrix().Data...)
		n += len(batch.Rows)
		if n > mostJointRows {
			return nil, nil, fmt.Errorf("functions are drawn jointly at no more than %d rows; "+
				"split the table or leave out the draws", mostJointRows)
		}
		if count*n > mostDrawn {
			return nil, nil, fmt.Errorf("%d functions at more than %d rows are too many; draw no more than "+
				"%d numbers", count, n, mostDrawn)
		}
	}
	if n == 0 {
		return nil, nil, nil
	}
	values, err := Ask(p, func() ([][][]float64, error) {
		return m.DrawFunctions(mat.NewDense(n, len(x)/n, x), count, p.derive(fitDraws, 2))
	})
	if err != nil || len(values) == 0 {
		return nil, nil, err
	}
	draws = &rowDraws{names: p.functionNames(len(values[0])), values: values}
	if !p.Data.Task.Classes() {
		p.unscale(values)
	}
	return list, draws, nil
}

// unscale converts functions, [draws][functions][rows], to original units. If a target has several
// functions, it is the first that has these units.
func (p *Probe) unscale(draws [][][]float64) {
	units := unitsOf(p.Data.Scaling)
	for _, draw := range draws {
		each := p.functionsOfTarget(len(draw))
		for k := 0; k < len(draw); k += each {
			for i, v := range draw[k] {
				draw[k][i] = units.Target(k/each, v)
			}
		}
	}
}

// functionsOfTarget returns the number of functions of a target, given the number of all functions.
func (p *Probe) functionsOfTarget(functions int) int {
	_, targets := p.Data.Train.Y.Dims()
	return max(1, functions/targets)
}

// functionNames returns the names of the functions of a model: the targets, or the classes of latent
// functions. The single latent function of two classes has the name of the second class.
func (p *Probe) functionNames(functions int) (names []string) {
	classes := p.Data.Classes
	if p.Data.Task.Classes() && functions <= len(classes) {
		return slices.Clone(classes[len(classes)-functions:])
	}
	each := p.functionsOfTarget(functions)
	for k := range functions {
		name := nameOf(p.columns.targets, "target", k/each)
		if k%each > 0 {
			name = fmt.Sprintf("%s_function%d", name, k%each+1)
		}
		names = append(names, name)
	}
	return names
}
