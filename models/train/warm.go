package train

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"dgplab/models/family"
	"dgplab/models/param"
)

// AuxiliaryProblem is implemented by problems that train values outside Parameters, such as a
// posterior updated by natural gradients. AuxiliaryParameters returns these values with their
// parameter names.
type AuxiliaryProblem interface{ AuxiliaryParameters() []*param.Parameter }

// Transfer describes a warm start.
type Transfer struct {
	// Copied names the copied parameters. Own names the parameters of the new model that do not
	// exist in the other model or have a different shape there, or that the user holds at a given number;
	// they keep their initial values.
	// Unused names parameters of the other model that were not copied.
	Copied, Own, Unused []string
	// Optimiser reports whether the state of the optimiser was copied.
	Optimiser bool
}

// Inner returns m. Models that embed a Model inherit this method, which WarmStart uses to find the
// embedded Model.
func (m *Model) Inner() *Model { return m }

// WarmStart initialises a model before its first step from another model. It copies every parameter
// of the same name and shape, and the moments of the optimiser if optimiser is true. Blocks of L_S
// that exist only in a larger family start at zero, so the move to a larger family does not change
// the posterior.
func WarmStart(to, from family.Model, optimiser bool) (Transfer, error) {
	dst, ok1 := to.(interface{ Inner() *Model })
	src, ok2 := from.(interface{ Inner() *Model })
	if !ok1 || !ok2 {
		return Transfer{}, errors.New("models of this family cannot be warm-started")
	}
	w := warmStart{dst.Inner(), src.Inner(), Transfer{Optimiser: optimiser}}
	err := w.run()
	return w.Transfer, err
}

// warmStart holds the state of a WarmStart.
type warmStart struct {
	dst, src *Model
	Transfer
}

// trained returns the parameters of a model and the index of the first free entry of each, which is
// -1 for auxiliary parameters.
func (m *Model) trained() (list []*param.Parameter, at []int) {
	set := m.problem.Parameters()
	for i, p := range set.Params() {
		start, _ := set.Range(i)
		list = append(list, p)
		at = append(at, start)
	}
	if b, ok := m.problem.(AuxiliaryProblem); ok {
		for _, p := range b.AuxiliaryParameters() {
			list = append(list, p)
			at = append(at, -1)
		}
	}
	return list, at
}

func (w *warmStart) run() error {
	targets, to := w.dst.trained()
	sources, from := w.src.trained()
	index := map[string]int{}
	for i, p := range sources {
		index[p.Name] = i
	}
	for i, p := range targets {
		k, ok := index[p.Name]
		held, _ := p.Transform.(param.Held)
		if !ok || held.Given || !slices.Equal(p.Shape, sources[k].Shape) {
			w.Own = append(w.Own, p.Name)
			continue
		}
		delete(index, p.Name)
		w.Copied = append(w.Copied, p.Name)
		if err := w.copy(p, sources[k], to[i], from[k]); err != nil {
			return err
		}
	}
	for _, p := range sources {
		if _, left := index[p.Name]; left {
			w.Unused = append(w.Unused, p.Name)
		}
	}
	if len(w.Copied) == 0 {
		return errors.New("the models share no parameter of the same name and shape")
	}
	w.copySteps()
	return w.dst.Restored()
}

// copy copies source to p. to and from are the indices of their first free entries in the two
// models.
func (w *warmStart) copy(p, source *param.Parameter, to, from int) error {
	copy(p.Value, source.Value)
	if to < 0 {
		return nil
	}
	free := w.dst.problem.Parameters().Free[to : to+p.Size()]
	if from < 0 || !reflect.DeepEqual(p.Transform, source.Transform) {
		return p.Inverse(free)
	}
	copy(free, w.src.problem.Parameters().Free[from:from+p.Size()])
	if !w.Optimiser {
		return nil
	}
	others := w.src.method.State()
	for _, a := range w.dst.method.State() {
		k := slices.IndexFunc(others, func(b param.Array) bool { return b.Name == a.Name })
		if k >= 0 && len(a.Data) == w.dst.problem.Parameters().Size() &&
			len(others[k].Data) == w.src.problem.Parameters().Size() {
			copy(a.Data[to:to+p.Size()], others[k].Data[from:from+p.Size()])
		}
	}
	return nil
}

// copySteps copies scalar state of the optimiser, such as its step count.
func (w *warmStart) copySteps() {
	if !w.Optimiser {
		return
	}
	others := w.src.method.State()
	for _, a := range w.dst.method.State() {
		k := slices.IndexFunc(others, func(b param.Array) bool { return b.Name == a.Name })
		if k >= 0 && len(a.Data) == 1 && len(others[k].Data) == 1 {
			a.Data[0] = others[k].Data[0]
		}
	}
}

// String summarises the transfer in one line.
func (t Transfer) String() string {
	text := fmt.Sprintf("%d of %d parameters copied", len(t.Copied), len(t.Copied)+len(t.Own))
	if t.Optimiser {
		text += " with the optimiser's state"
	}
	if len(t.Own) > 0 {
		text += "; kept at initial values: " + some(t.Own)
	}
	if len(t.Unused) > 0 {
		text += "; unused: " + some(t.Unused)
	}
	return text
}

// some lists the first few names.
func some(names []string) string {
	const most = 4
	text := ""
	for i, name := range names[:min(most, len(names))] {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	if left := len(names) - most; left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}
