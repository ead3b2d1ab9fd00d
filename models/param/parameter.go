package param

import (
	"fmt"

	"dgplab/models/linalg"
)

// Parameter is a named array of trainable numbers.
type Parameter struct {
	// Name is dotted, for example "layer.0.kernel.lengthscales".
	Name string
	// Shape is the shape of Value, outermost dimension first.
	Shape []int
	// Transform keeps Value within its range.
	Transform Transform
	// Value holds the constrained values, row-major. It usually aliases a leaf of the tape and is
	// written by Forward.
	Value []float64
	// Prior is the density of every value, or nil. Set.LogPrior sums it up.
	Prior *Density
}

// Size returns the number of free entries.
func (p *Parameter) Size() int { return p.Transform.Size(len(p.Value)) }

// Forward sets Value from free, [Size].
func (p *Parameter) Forward(free []float64) { p.Transform.Forward(p.Value, free) }

// Inverse computes the free entries, free [Size], from Value. An error wraps a *RangeError and
// names the parameter.
func (p *Parameter) Inverse(free []float64) error {
	if err := p.Transform.Inverse(free, p.Value); err != nil {
		return fmt.Errorf("parameter %s: %w", p.Name, err)
	}
	return nil
}

// Pullback overwrites dFree [Size] with the gradient with respect to the free entries. dValue is
// the gradient with respect to Value and has its length.
func (p *Parameter) Pullback(dFree, dValue, free []float64) {
	p.Transform.Pullback(dFree, dValue, free)
}

// Set is a list of parameters with their free entries in one vector. Forward and Pullback process
// parameters in parallel; a Set is not safe for concurrent use.
type Set struct {
	// Free holds the unconstrained entries of all parameters in order. Optimisers change it and
	// checkpoints store it. Forward must be called after every change.
	Free    []float64
	params  []*Parameter
	offsets []int // one more than params; the last is len(Free)
	// logPrior is the last result of LogPrior.
	logPrior float64

	forward, pullback linalg.Loop // one part per parameter
	dFree             []float64   // arguments of the current Pullback
	dValues           [][]float64
}

// NewSet returns a set of the parameters, with Free filled from their values. It returns an error
// if two parameters share a name, a shape does not match its values, or a value is outside the
// range of its transform.
func NewSet(params ...*Parameter) (*Set, error) {
	s := &Set{params: params, offsets: []int{0}}
	seen := map[string]bool{}
	for _, p := range params {
		if seen[p.Name] {
			return nil, fmt.Errorf("duplicate parameter name %q", p.Name)
		}
		seen[p.Name] = true
		n := 1
		for _, d := range p.Shape {
			n *= d
		}
		if n != len(p.Value) {
			return nil, fmt.Errorf("parameter %s has shape %v and %d values", p.Name, p.Shape, len(p.Value))
		}
		s.offsets = append(s.offsets, s.offsets[len(s.offsets)-1]+p.Size())
	}
	s.Free = make([]float64, s.Size())
	s.forward.Body, s.pullback.Body = s.forwardOne, s.pullbackOne
	return s, s.Inverse()
}

// Size returns the number of free entries of all parameters.
func (s *Set) Size() int { return s.offsets[len(s.params)] }

// Params returns the parameters in order. The caller must not modify the slice.
func (s *Set) Params() []*Parameter { return s.params }

// Range returns the half-open range [start, end) of the free entries of parameter i.
func (s *Set) Range(i int) (start, end int) { return s.offsets[i], s.offsets[i+1] }

// Lookup returns the parameter with the given name, or nil.
func (s *Set) Lookup(name string) *Parameter {
	for _, p := range s.params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// NameAt returns the name of the parameter to which free entry k belongs.
func (s *Set) NameAt(k int) string {
	for i, p := range s.params {
		if k < s.offsets[i+1] {
			return p.Name
		}
	}
	return ""
}

// Forward sets the values of all parameters from Free.
func (s *Set) Forward() { s.forward.Run(len(s.params)) }

func (s *Set) forwardOne(i int) { s.params[i].Forward(s.free(i)) }

// free returns the free entries of parameter i.
func (s *Set) free(i int) []float64 { return s.Free[s.offsets[i]:s.offsets[i+1]] }

// Inverse sets Free from the values of all parameters. If it returns an error, Free is partly
// written.
func (s *Set) Inverse() error {
	for i, p := range s.params {
		if err := p.Inverse(s.free(i)); err != nil {
			return err
		}
	}
	return nil
}

// Pullback overwrites dFree [Size] with the gradient with respect to Free. dValues holds the
// gradient with respect to the Value of each parameter, in order; nil stands for zeros.
func (s *Set) Pullback(dFree []float64, dValues [][]float64) {
	s.dFree, s.dValues = dFree, dValues
	s.pullback.Run(len(s.params))
}

func (s *Set) pullbackOne(i int) {
	start, end := s.Range(i)
	if s.dValues[i] == nil {
		clear(s.dFree[start:end])
		return
	}
	s.params[i].Pullback(s.dFree[start:end], s.dValues[i], s.free(i))
}
