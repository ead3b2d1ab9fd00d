package family

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/wording"
	"dgplab/models/param"
)

// Names of the hyperparameters that control the parameters of a model.
const (
	FixSetting   = "fix"
	BoundSetting = "bound"
	PriorSetting = "prior"
)

// ControlSettings lists FixSetting, BoundSetting and PriorSetting.
var ControlSettings = []string{FixSetting, BoundSetting, PriorSetting}

// NoControl is the value of a control setting without effect.
const NoControl = "none"

// controls returns the hyperparameters that hold parameters, bound them and give them priors.
func controls() []Hyperparameter {
	const names = "; names as in the output, such as noise_variance, lengthscale, kernel or layer1.variance"
	list := []Hyperparameter{
		{Name: FixSetting, Help: "parameters that keep their initial values, separated by commas" + names,
			Check: checkedBy(parseFix)},
		{Name: BoundSetting, Help: "intervals that parameters never leave, such as lengthscale=0.1..10, " +
			"separated by commas", Check: checkedBy(parseBounds)},
		{Name: PriorSetting, Help: "priors of parameters, such as lengthscale=lognormal(0,1), separated by " +
			"commas; their log density is added to the objective (MAP), where it is a term of its own, and " +
			"scores do not contain it. Densities: " +
			strings.Join(param.DensityForms(), ", "), Check: checkedBy(parsePriors)},
	}
	for i := range list {
		list[i].Kind = Text
		list[i].Section = InferenceSection
		list[i].Default = NoControl
		list[i].Before = NoControl
	}
	return list
}

// checkedBy returns the check of a hyperparameter that parse reads.
func checkedBy(parse func(text string) ([]param.Control, error)) func(text string) error {
	return func(text string) error {
		_, err := parse(text)
		return err
	}
}

// Controlled is implemented by models whose parameters can be held, bounded and given priors.
type Controlled interface {
	// Control applies the list to the parameters of a model before its first step; see param.Set.Control.
	// Restored must be called afterwards.
	Control(list []param.Control) error
}

// WithControls returns a family whose models accept the control settings. A family with a reason in
// Uncontrolled instead refuses them for this reason.
func WithControls(s Spec) Spec {
	if s.Uncontrolled != "" {
		absent := map[string]string{}
		maps.Copy(absent, s.Absent)
		for _, name := range ControlSettings {
			absent[name] = s.Uncontrolled
		}
		s.Absent = absent
		return s
	}
	s.Hyperparameters = slices.Concat(s.Hyperparameters, controls())
	presets := make([]Preset, len(s.Presets))
	for i, p := range s.Presets {
		presets[i] = p
		presets[i].Values = map[string]string{}
		for _, name := range ControlSettings {
			presets[i].Values[name] = NoControl
		}
		maps.Copy(presets[i].Values, p.Values)
	}
	s.Presets = presets
	build := s.New
	s.New = func(v Values, data Data, seed uint64) (Model, error) {
		m, err := build(v, data, seed)
		if err != nil {
			return nil, err
		}
		return m, control(m, v)
	}
	return s
}

// control applies the control settings to a new model.
func control(m Model, v Values) error {
	var all []param.Control
	for _, setting := range []struct {
		name  string
		parse func(string) ([]param.Control, error)
	}{{FixSetting, parseFix}, {BoundSetting, parseBounds}, {PriorSetting, parsePriors}} {
		list, err := setting.parse(v[setting.name])
		if err != nil {
			return &ValueError{Name: setting.name, Value: v[setting.name], Want: err.Error()}
		}
		all = append(all, list...)
	}
	if len(all) == 0 {
		return nil
	}
	err := m.(Controlled).Control(all)
	if err != nil {
		return refusedControl(err, v)
	}
	return m.Restored()
}

// refusedControl returns the error of a control as one of the setting that caused it.
func refusedControl(err error, v Values) error {
	var refused *param.ControlError
	if !errors.As(err, &refused) {
		return err
	}
	setting := FixSetting
	switch {
	case refused.Control.Bound != nil:
		setting = BoundSetting
	case refused.Control.Prior != nil:
		setting = PriorSetting
	}
	want := refused.Err.Error()
	var unknown *param.UnknownNameError
	if errors.As(err, &unknown) {
		want = fmt.Sprintf("no parameter is called %q", unknown.Name) + wording.DidYouMeanOr(unknown.Name,
			unknown.Known, "the model has "+strings.Join(unknown.Known, ", "))
	}
	return &controlError{&ValueError{Name: setting, Value: v[setting], Want: want}, err}
}

// controlError is a *ValueError of a control setting with its cause.
type controlError struct {
	*ValueError
	cause error
}

// Unwrap returns the value error and its cause.
func (e *controlError) Unwrap() []error { return []error{e.ValueError, e.cause} }

// checkedRows is the number of rows on which CheckControls builds a model.
const checkedRows = 300

// CheckControls returns the error of the control settings that New would return, so that it can be shown
// before a run begins. Only a model knows the names of its parameters, so it builds one on a few rows. The
// starts of parameters may depend on all rows: with more rows, it checks names only.
func (s Spec) CheckControls(v Values, data Data) error {
	set := func(name string) bool { return v[name] != "" && v[name] != NoControl }
	if !slices.ContainsFunc(ControlSettings, set) {
		return nil
	}
	n, d := data.X.Dims()
	_, targets := data.Y.Dims()
	rows := min(n, checkedRows)
	data.X = mat.DenseCopyOf(data.X.Slice(0, rows, 0, d))
	data.Y = mat.DenseCopyOf(data.Y.Slice(0, rows, 0, targets))
	_, err := s.New(v, data, 0)
	var refused *controlError
	var unknown *param.UnknownNameError
	if errors.As(err, &refused) && (rows == n || errors.As(err, &unknown)) {
		return err
	}
	return nil // Other errors belong to the run.
}

// HasPrior reports whether the values give a parameter a prior.
func HasPrior(v Values) bool { return v[PriorSetting] != "" && v[PriorSetting] != NoControl }

// With returns the family as it is with the given values: with a prior, its objective has another name and
// another term.
func (s Spec) With(v Values) Spec {
	if HasPrior(v) {
		s.Objective = s.Objective.MAP(v[PriorSetting])
	}
	return s
}

// parseFix reads the names of parameters to hold.
func parseFix(text string) (list []param.Control, err error) {
	for _, name := range controlItems(text) {
		if strings.ContainsAny(name, "=( ") {
			return nil, fmt.Errorf("want names of parameters, such as noise_variance, not %q", name)
		}
		list = append(list, param.Control{Name: name, Held: true})
	}
	return list, nil
}

// parseBounds reads intervals of parameters.
func parseBounds(text string) (list []param.Control, err error) {
	for _, item := range controlItems(text) {
		name, interval, _ := strings.Cut(item, "=")
		first, last, ok := strings.Cut(interval, "..")
		lower, err1 := strconv.ParseFloat(strings.TrimSpace(first), 64)
		upper, err2 := strconv.ParseFloat(strings.TrimSpace(last), 64)
		if !ok || err1 != nil || err2 != nil || !(lower < upper) || math.IsInf(upper-lower, 0) {
			return nil, fmt.Errorf("want a parameter and its interval, such as lengthscale=0.1..10, not %q",
				item)
		}
		list = append(list, param.Control{
			Name: strings.TrimSpace(name), Bound: &param.Interval{Lower: lower, Upper: upper},
		})
	}
	return list, nil
}

// parsePriors reads priors of parameters.
func parsePriors(text string) (list []param.Control, err error) {
	for _, item := range controlItems(text) {
		name, density, ok := strings.Cut(item, "=")
		if !ok {
			return nil, fmt.Errorf(
				"want a parameter and its prior, such as lengthscale=lognormal(0,1), not %q", item)
		}
		prior, err := param.ParseDensity(density)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", item, err)
		}
		list = append(list, param.Control{Name: strings.TrimSpace(name), Prior: &prior})
	}
	return list, nil
}

// controlItems splits the value of a control setting at the commas outside of parentheses.
func controlItems(text string) (items []string) {
	if text == NoControl {
		return nil
	}
	depth := 0
	for _, item := range strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ',' && depth == 0
	}) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}
