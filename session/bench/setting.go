package bench

import (
	"slices"
	"strings"
)

// Setting names one cell of a sweep.
type Setting struct {
	Family string
	// Values are those on the axes that the family has, in the order of the axes.
	Values []Value
}

// Value is a hyperparameter, or Rows, and its value, written in the one way that
// equal values share.
type Value struct{ Name, Text string }

// On returns the value on an axis, "" where the cell has none.
func (s Setting) On(axis string) string {
	for _, v := range s.Values {
		if v.Name == axis {
			return v.Text
		}
	}
	return ""
}

// Without returns the setting with nothing on some axes.
func (s Setting) Without(axes ...string) Setting {
	s.Values = slices.DeleteFunc(slices.Clone(s.Values), func(v Value) bool {
		return slices.Contains(axes, v.Name)
	})
	return s
}

func (s Setting) String() string {
	parts := []string{s.Family}
	for _, v := range s.Values {
		parts = append(parts, v.String())
	}
	return strings.Join(parts, ", ")
}

// String writes a value as formulas do where its axis has a letter: "M=64", else
// "width 5".
func (v Value) String() string {
	if letter := Letter(v.Name); letter != v.Name {
		return letter + "=" + v.Text
	}
	return v.Name + " " + v.Text
}

// Letter returns what formulas call an axis, or else its name.
func Letter(axis string) string {
	switch axis {
	case "inducing":
		return "M"
	case "layers":
		return "L"
	case Rows:
		return "N"
	}
	return axis
}
