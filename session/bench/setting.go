package bench

import (
	"slices"
	"strings"
)

// Setting identifies one cell of a sweep.
type Setting struct {
	Family string
	// Values are the values on the axes that the family has, in the order of the axes.
	Values []Value
}

// Value is a hyperparameter, or Rows, with its value in canonical form.
type Value struct{ Name, Text string }

// On returns the value on an axis, or "" if the cell has none.
func (s Setting) On(axis string) string {
	for _, v := range s.Values {
		if v.Name == axis {
			return v.Text
		}
	}
	return ""
}

// Without returns a copy of the setting without the given axes.
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

// String returns text such as "M=64" for an axis with a letter, and such as "width 5" for others.
func (v Value) String() string {
	if letter := Letter(v.Name); letter != v.Name {
		return letter + "=" + v.Text
	}
	return v.Name + " " + v.Text
}

// Letter returns the letter of an axis in formulas, or its name if it has none.
func Letter(axis string) string {
	switch axis {
	case "inducing":
		return "M"
	case "layers":
		return "L"
	case Rows:
		return "N"
	case "batch":
		return "B"
	case "samples":
		return "S"
	}
	return axis
}
