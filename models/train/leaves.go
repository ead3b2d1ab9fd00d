package train

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/likelihood"
	"dgplab/models/param"
)

// Leaves manages the parameters of a Problem whose objective is recorded on a tape. A parameter is
// a variable of the tape or part of a variable. Add and AddPart list parameters; Close ends the
// list.
type Leaves struct {
	Set    *param.Set // nil before Close
	list   []*param.Parameter
	parts  []leaf
	values [][]float64 // gradients of the parts
}

// leaf locates the values of a parameter within a variable.
type leaf struct {
	node     *autodiff.Node
	from, to int
}

// Add lists a whole variable as a parameter.
func (l *Leaves) Add(name string, n *autodiff.Node, transform param.Transform) {
	l.AddPart(name, n, 0, n.Len(), transform, n.Batch, n.Rows, n.Cols)
}

// AddPart lists the values [from, to) of a variable as a parameter of the given shape.
func (l *Leaves) AddPart(
	name string, n *autodiff.Node, from, to int, transform param.Transform, shape ...int,
) {
	l.list = append(l.list, &param.Parameter{
		Name:      name,
		Shape:     shape,
		Transform: transform,
		Value:     n.Value[from:to],
	})
	l.parts = append(l.parts, leaf{n, from, to})
}

// AddLikelihood lists the parameters of a likelihood, whose values are in n, [1][1][Q].
func (l *Leaves) AddLikelihood(of likelihood.Likelihood, n *autodiff.Node) {
	for i, p := range of.Parameters() {
		l.AddPart(p.FullName(), n, i, i+1, p.Transform, 1, 1, 1)
	}
}

// Close builds the parameter set; see param.NewSet.
func (l *Leaves) Close() (err error) {
	l.Set, err = param.NewSet(l.list...)
	l.values = make([][]float64, len(l.parts))
	return err
}

// Parameters implements infer.Problem.
func (l *Leaves) Parameters() *param.Set { return l.Set }

// EvaluateTape implements Evaluate of infer.Problem for an objective on a tape, [1][1][1]: it
// returns the objective and sets dFree to its gradient, unless dFree is nil or the objective is not
// finite.
func (l *Leaves) EvaluateTape(t *autodiff.Tape, objective *autodiff.Node, dFree []float64) (float64, error) {
	var err error
	if dFree == nil {
		err = t.Forward()
	} else {
		err = t.Differentiate(objective)
	}
	if err != nil {
		return math.NaN(), err
	}
	value := objective.Value[0]
	if dFree == nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return value, nil
	}
	for k, p := range l.parts {
		l.values[k] = p.node.Grad()[p.from:p.to]
	}
	l.Set.Pullback(dFree, l.values)
	return value, nil
}
