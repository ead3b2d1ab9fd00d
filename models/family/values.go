package family

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"dgplab/datasets/wording"
	"dgplab/models/kernel"
)

// Values holds a valid value for every hyperparameter of a list. The accessors panic if a name was
// not declared.
type Values map[string]string

// ValueError describes an invalid value of a hyperparameter and the allowed values.
type ValueError struct {
	Name, Value, Want string
}

func (e *ValueError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("%s: %s", e.Name, e.Want)
	}
	return fmt.Sprintf("%s=%s: %s", e.Name, e.Value, e.Want)
}

// Resolve returns a value for every hyperparameter in list: the value in set, or the default for the
// number of layers if set has none. It returns a *ValueError if a value is invalid or set contains
// an unknown name.
func Resolve(list []Hyperparameter, set map[string]string) (Values, error) {
	values := make(Values, len(list))
	known := make(map[string]bool, len(list))
	for _, h := range list {
		known[h.Name] = true
		text := h.Default
		if given, ok := set[h.Name]; ok {
			text = strings.TrimSpace(given)
		}
		if err := h.Validate(text); err != nil {
			return nil, err
		}
		values[h.Name] = text
	}
	if _, deep := values["layers"]; deep {
		for _, h := range list {
			if _, given := set[h.Name]; !given {
				values[h.Name] = h.forLayers(values.Int("layers"))
			}
		}
	}
	var unknown []string
	for name := range set {
		if !known[name] {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		sort.Strings(unknown)
		return nil, &ValueError{
			Name:  unknown[0],
			Value: set[unknown[0]],
			Want: "unknown hyperparameter" + wording.DidYouMeanOr(unknown[0], Names(list),
				"known ones are "+strings.Join(Names(list), ", ")),
		}
	}
	return values, nil
}

// Applicable returns the names of the hyperparameters that have an effect given v. A hyperparameter
// with a Condition applies if the hyperparameter named in the condition applies and has one of the
// listed values.
func Applicable(list []Hyperparameter, v Values) map[string]bool {
	applying := make(map[string]bool, len(list))
	canonical := make(Values, len(list))
	for _, h := range list {
		canonical[h.Name] = h.Canonical(v[h.Name])
		applying[h.Name] = h.When == nil ||
			applying[h.When.Name] && slices.Contains(h.When.Is, canonical[h.When.Name])
	}
	return applying
}

// Names returns the names of list in order.
func Names(list []Hyperparameter) []string {
	names := make([]string, len(list))
	for i, h := range list {
		names[i] = h.Name
	}
	return names
}

// Validate returns a *ValueError unless text is an allowed value.
func (h Hyperparameter) Validate(text string) error {
	refuse := func() error { return &ValueError{Name: h.Name, Value: text, Want: "want " + h.Allowed()} }
	switch h.Kind {
	case Int:
		n, err := strconv.Atoi(text)
		if err != nil || !h.inBounds(float64(n)) {
			return refuse()
		}
	case Float:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !h.inBounds(x) {
			return refuse()
		}
	case Bool:
		if _, err := parseBool(text); err != nil {
			return refuse()
		}
	case Choice:
		if !slices.Contains(h.Choices, text) {
			return refuse()
		}
	case IntList, FloatList:
		list, err := parseFloats(text)
		if h.Kind == IntList {
			_, err = parseInts(text)
		}
		if err != nil || len(list) == 0 {
			return refuse()
		}
		for _, x := range list {
			if !h.inBounds(x) {
				return refuse()
			}
		}
	}
	if h.Check != nil {
		if err := h.Check(text); err != nil {
			return &ValueError{Name: h.Name, Value: text, Want: err.Error()}
		}
	}
	return nil
}

func (h Hyperparameter) inBounds(x float64) bool {
	if math.IsNaN(x) || math.IsInf(x, 0) || x > h.Max || x < h.Min {
		return false
	}
	return !(h.MinOpen && x == h.Min)
}

// Allowed describes the allowed values.
func (h Hyperparameter) Allowed() string {
	bounds := fmt.Sprintf("from %s to %s", short(h.Min), short(h.Max))
	if h.MinOpen {
		bounds = fmt.Sprintf("above %s, at most %s", short(h.Min), short(h.Max))
	}
	switch h.Kind {
	case Int:
		return "a whole number " + bounds
	case Float:
		return "a number " + bounds
	case Bool:
		return "on or off"
	case Choice:
		return "one of " + strings.Join(h.Choices, ", ")
	case Expression:
		return "one of " + strings.Join(h.Choices, ", ") + ", or an expression such as " + kernel.Example
	case IntList:
		return "whole numbers " + bounds + ", separated by commas"
	case FloatList:
		return "numbers " + bounds + ", separated by commas"
	}
	return "text"
}

// Canonical returns the canonical form of a value, so equal values compare equal as text. Text that
// cannot be parsed is returned unchanged.
func (h Hyperparameter) Canonical(text string) string {
	text = strings.TrimSpace(text)
	switch h.Kind {
	case Int:
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			return strconv.FormatFloat(x, 'f', -1, 64) // An exponent would not be a valid value.
		}
	case Float:
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			return short(x)
		}
	case Bool:
		if on, err := parseBool(text); err == nil {
			return map[bool]string{true: "on", false: "off"}[on]
		}
	case IntList:
		if list, err := parseInts(text); err == nil {
			return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
		}
	case FloatList:
		if list, err := parseFloats(text); err == nil {
			return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
		}
	}
	return text
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "on", "true", "yes", "1":
		return true, nil
	case "off", "false", "no", "0":
		return false, nil
	}
	return false, fmt.Errorf("want on or off")
}

func parseInts(text string) ([]int, error) {
	var list []int
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

func parseFloats(text string) ([]float64, error) {
	var list []float64
	for _, part := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// Int returns the value of an Int hyperparameter.
func (v Values) Int(name string) int {
	n, err := strconv.Atoi(v.Text(name))
	v.must(name, err)
	return n
}

// Float returns the value of a Float hyperparameter.
func (v Values) Float(name string) float64 {
	x, err := strconv.ParseFloat(v.Text(name), 64)
	v.must(name, err)
	return x
}

// Bool returns the value of a Bool hyperparameter.
func (v Values) Bool(name string) bool {
	b, err := parseBool(v.Text(name))
	v.must(name, err)
	return b
}

// Ints returns the value of an IntList hyperparameter.
func (v Values) Ints(name string) []int {
	list, err := parseInts(v.Text(name))
	v.must(name, err)
	return list
}

// Floats returns the value of a FloatList hyperparameter.
func (v Values) Floats(name string) []float64 {
	list, err := parseFloats(v.Text(name))
	v.must(name, err)
	return list
}

// Expand returns n values from a list with either one entry, which is repeated, or n entries.
// Otherwise it returns a *ValueError for the named hyperparameter. of is the noun, in the plural,
// that the message uses for the n values.
func Expand[T any](name string, list []T, n int, of string) ([]T, error) {
	if len(list) != 1 && len(list) != n {
		return nil, &ValueError{Name: name,
			Value: strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]"),
			Want:  fmt.Sprintf("want one number, or %d for the %s", n, of)}
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i%len(list)]
	}
	return out, nil
}

// Text returns the value of any hyperparameter as text.
func (v Values) Text(name string) string {
	text, ok := v[name]
	if !ok {
		panic("family: no hyperparameter " + name)
	}
	return text
}

func (v Values) must(name string, err error) {
	if err != nil {
		panic("family: " + name + " was not validated: " + err.Error())
	}
}
