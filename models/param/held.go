package param

// Held keeps values as they are: its gradient is zero, so that no method moves them. Its free entries are the
// values themselves, or the ones of Of if it is not nil.
type Held struct {
	// Given is set if the user wrote the value down, so that a warm start must not replace it.
	Given bool
	// Of is the transform of values that have fewer free entries, such as Triangular.
	Of Transform
}

// Size implements Transform.
func (t Held) Size(n int) int {
	if t.Of != nil {
		return t.Of.Size(n)
	}
	return n
}

// Forward implements Transform.
func (t Held) Forward(value, free []float64) { t.of().Forward(value, free) }

// Inverse implements Transform.
func (t Held) Inverse(free, value []float64) error { return t.of().Inverse(free, value) }

// Pullback implements Transform.
func (Held) Pullback(dFree, _, _ []float64) { clear(dFree) }

func (t Held) of() Transform {
	if t.Of != nil {
		return t.Of
	}
	return Identity{}
}
