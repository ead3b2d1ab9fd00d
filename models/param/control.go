package param

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Control is what a user asks of the parameters that a name selects (see Set.Select): to hold them, to bound
// them, or to give them a prior.
type Control struct {
	Name string
	// Held holds the parameters at their values.
	Held bool
	// Bound keeps the parameters within an interval, unless it is nil.
	Bound *Interval
	// Prior is the density of every value of the parameters, unless it is nil.
	Prior *Density
}

// Control changes the transforms and priors of the parameters. It returns a *ControlError if a name selects
// no parameter, two bounds or two priors concern the same parameter, or a value is outside of its bound or of
// the support of its prior. The set must not be used after an error.
func (s *Set) Control(list []Control) error {
	bounded := map[*Parameter]string{}
	given := map[*Parameter]string{}
	for _, c := range list {
		selected := s.Select(c.Name)
		if selected == nil {
			return &ControlError{c, &UnknownNameError{Name: c.Name, Known: s.Names()}}
		}
		for _, p := range selected {
			var err error
			switch {
			case c.Bound != nil:
				err = p.claim(bounded, c.Name, "bounds")
				if err == nil {
					err = p.bind(*c.Bound)
				}
			case c.Prior != nil:
				err = p.claim(given, c.Name, "priors")
				if err == nil {
					err = p.expect(c.Prior)
				}
			}
			if err != nil {
				return &ControlError{c, err}
			}
		}
	}
	// Holding comes last, so that a bound is checked for held parameters too.
	for _, c := range list {
		if !c.Held {
			continue
		}
		for _, p := range s.Select(c.Name) {
			p.hold()
		}
	}
	return s.Inverse()
}

// ControlError is the reason why a Control is refused.
type ControlError struct {
	Control Control
	Err     error
}

func (e *ControlError) Error() string { return e.Err.Error() }

func (e *ControlError) Unwrap() error { return e.Err }

// UnknownNameError reports a name that selects no parameter.
type UnknownNameError struct {
	Name  string
	Known []string // the names of Set.Names
}

func (e *UnknownNameError) Error() string {
	return fmt.Sprintf("no parameter is called %q; the model has %s", e.Name, strings.Join(e.Known, ", "))
}

// claim returns an error if another name has claimed the parameter.
func (p *Parameter) claim(by map[*Parameter]string, name, of string) error {
	if other, is := by[p]; is {
		return fmt.Errorf("%s and %s give two %s to %s", other, name, of, p.Name)
	}
	by[p] = name
	return nil
}

// hold replaces the transform by Held.
func (p *Parameter) hold() {
	if _, is := p.Transform.(Held); is {
		return
	}
	if p.Size() == len(p.Value) {
		p.Transform = Held{}
	} else {
		p.Transform = Held{Of: p.Transform}
	}
}

// bind replaces the transform by an interval. Its lower end is not below the one of the transform.
func (p *Parameter) bind(to Interval) error {
	asked := to
	switch t := p.Transform.(type) {
	case Positive:
		to.Lower = math.Max(to.Lower, t.Lower)
	case Exponential:
		to.Lower = math.Max(to.Lower, t.Lower)
	case Identity, Held:
	default:
		return fmt.Errorf("%s cannot be bounded, because its entries depend on each other", p.Name)
	}
	if !(to.Lower < to.Upper) {
		return fmt.Errorf("the bound %v of %s has no value above %g", asked, p.Name, to.Lower)
	}
	for _, v := range p.Value {
		if !(v >= to.Lower && v <= to.Upper) {
			return fmt.Errorf("%s starts at %g, outside of its bound %v; change the start or the bound",
				p.Name, v, asked)
		}
	}
	if _, is := p.Transform.(Held); !is {
		p.Transform = to
	}
	return nil
}

// expect sets the prior.
func (p *Parameter) expect(prior *Density) error {
	for _, v := range p.Value {
		if value, _ := prior.LogDensity(v); math.IsInf(value, -1) {
			return fmt.Errorf("%s starts at %g, where its prior %v has no density", p.Name, v, prior)
		}
	}
	p.Prior = prior
	return nil
}

// HasPriors reports whether a parameter has a prior.
func (s *Set) HasPriors() bool {
	return slices.ContainsFunc(s.params, func(p *Parameter) bool { return p.Prior != nil })
}

// LogPrior returns the sum of the log densities of all values that have a prior, and adds its gradient to
// dFree [Size] unless this is nil.
func (s *Set) LogPrior(dFree []float64) (sum float64) {
	defer func() { s.logPrior = sum }()
	for i, p := range s.params {
		if p.Prior == nil {
			continue
		}
		slopes := make([]float64, len(p.Value))
		for k, v := range p.Value {
			var value float64
			value, slopes[k] = p.Prior.LogDensity(v)
			sum += value
		}
		if dFree == nil {
			continue
		}
		pulled := make([]float64, p.Size())
		p.Pullback(pulled, slopes, s.free(i))
		start, _ := s.Range(i)
		for k, d := range pulled {
			dFree[start+k] += d
		}
	}
	return sum
}

// LastLogPrior returns the last result of LogPrior.
func (s *Set) LastLogPrior() float64 { return s.logPrior }

// Select returns the parameters with a name that users write: the name of a parameter, or words of it in
// their order, separated by dots. Words are as in the output: layers are counted from 1, "layer1";
// "lengthscale" stands for all lengthscales, "variance" for the variances of kernels, and "noise_variance"
// for the variance of the likelihood. It returns nil if there are none.
func (s *Set) Select(name string) (list []*Parameter) {
	if p := s.Lookup(name); p != nil {
		return []*Parameter{p}
	}
	for _, wanted := range []string{name, strings.ReplaceAll(name, "_", ".")} {
		for _, p := range s.params {
			if contains(words(p.Name), words(wanted)) {
				list = append(list, p)
			}
		}
		if list != nil {
			return list
		}
	}
	return nil
}

// Names lists names for Select, without layers and other numbers, in the order of the parameters.
func (s *Set) Names() (names []string) {
	for _, p := range s.params {
		plain := slices.DeleteFunc(words(p.Name), func(word string) bool {
			start := strings.TrimRight(word, "0123456789")
			numbered := start != word && (start == "" || start == "layer" || start == "gp")
			return numbered || word == "kernel"
		})
		name := strings.Join(plain, ".")
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// words returns the words of a parameter's name.
func words(name string) (list []string) {
	parts := strings.Split(name, ".")
	for i, part := range parts {
		last := len(list) - 1
		var number int
		_, err := fmt.Sscanf(part, "%d", &number)
		switch {
		case i > 0 && parts[i-1] == "layer" && err == nil:
			list[last] = fmt.Sprint("layer", number+1)
		case i > 0 && parts[i-1] == "gp" && err == nil:
			list[last] = fmt.Sprint("gp", number)
		case part == "variance" && last >= 0 && list[last] == "likelihood":
			list[last] = "noise_variance"
		case part == "variance" && last >= 0 && list[last] == "posterior":
			list[last] = "posterior_variance"
		case part == "lengthscales":
			list = append(list, "lengthscale")
		case part != "":
			list = append(list, part)
		}
	}
	return list
}

// contains reports whether the wanted words are among the given ones in the same order.
func contains(given, wanted []string) bool {
	if len(wanted) == 0 {
		return false
	}
	for _, word := range given {
		if word == wanted[0] {
			wanted = wanted[1:]
			if len(wanted) == 0 {
				return true
			}
		}
	}
	return false
}
