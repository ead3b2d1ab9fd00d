package train

import (
	"context"
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/param"
)

// whole is a Model with the methods of a family.Model that tests of warm starts do not call.
type whole struct {
	family.Model
	inner *Model
}

func (w whole) Inner() *Model { return w.inner.Inner() }

// A warm start copies parameters of the same name and shape, and the moments of the optimiser on
// request. The new model then continues like the original one.
func TestWarmStart(t *testing.T) {
	from := newModel(t, newParabola(t))
	for range 5 {
		if _, err := from.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	value := func(m *Model) float64 { return m.problem.(*parabola).x[0] }
	for _, optimiser := range []bool{false, true} {
		to := newModel(t, newParabola(t))
		moved, err := WarmStart(whole{inner: to}, whole{inner: from}, optimiser)
		if err != nil || !slices.Equal(moved.Copied, []string{"x"}) ||
			moved.Own != nil || moved.Unused != nil ||
			moved.Optimiser != optimiser {
			t.Fatalf("%+v, %v", moved, err)
		}
		if value(to) != value(from) || value(to) == 2 || to.StepsDone() != 0 {
			t.Errorf("x is %v after %d steps, want %v", value(to), to.StepsDone(), value(from))
		}
		same := slices.EqualFunc(to.method.State(), from.method.State(), func(a, b param.Array) bool {
			return slices.Equal(a.Data, b.Data)
		})
		if same != optimiser {
			t.Errorf("optimiser %v: the moments are the same: %v", optimiser, same)
		}
	}
	other := newParabola(t)
	other.set.Params()[0].Name = "y"
	to := newModel(t, other)
	if moved, err := WarmStart(whole{inner: to}, whole{inner: from}, true); err == nil || value(to) != 2 ||
		!slices.Equal(moved.Own, []string{"y"}) || !slices.Equal(moved.Unused, []string{"x"}) {
		t.Errorf("another parameter: %+v, %v, y is %v", moved, err, value(to))
	}
}

// several is a problem with given parameters and no objective.
type several struct {
	Problem
	set       *param.Set
	auxiliary []*param.Parameter
}

func (s several) Parameters() *param.Set                  { return s.set }
func (s several) State() []param.Array                    { return nil }
func (s several) AuxiliaryParameters() []*param.Parameter { return s.auxiliary }

// number returns a parameter with one value.
func number(name string, v float64, transform param.Transform) *param.Parameter {
	return &param.Parameter{Name: name, Shape: []int{1}, Transform: transform, Value: []float64{v}}
}

// newSeveral returns a model whose optimiser has the moments 1, 2, ... times scale.
func newSeveral(t *testing.T, scale float64, params, auxiliary []*param.Parameter) *Model {
	t.Helper()
	set, err := param.NewSet(params...)
	if err != nil {
		t.Fatal(err)
	}
	adam := infer.NewAdam(set.Size(), infer.Schedule{Rate: 1})
	for k := range adam.First {
		adam.First[k], adam.Second[k] = scale*float64(k+1), 10*scale*float64(k+1)
	}
	adam.Count[0] = scale
	m, err := New(objective, several{set: set, auxiliary: auxiliary}, adam)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A warm start finds parameters by name in another order, converts values between transforms, and
// moves values between trained and auxiliary parameters. It copies the moments of parameters that
// have the same transform, and the number of steps of the optimiser.
func TestWarmStartOfSeveralParameters(t *testing.T) {
	identity, positive := param.Identity{}, param.Positive{}
	source := func() *Model {
		return newSeveral(t, 100, []*param.Parameter{number("b", 2, identity), number("a", 1, identity),
			number("c", 3, positive), number("unused", 4, identity)},
			[]*param.Parameter{number("q", 5, identity), number("d", 6, identity)})
	}
	for _, optimiser := range []bool{false, true} {
		params := []*param.Parameter{number("a", -1, identity), number("b", -2, identity),
			number("c", -3, identity), number("d", -4, identity), number("e", -5, identity)}
		auxiliary := []*param.Parameter{number("q", -6, identity)}
		to := newSeveral(t, 1, params, auxiliary)
		moved, err := WarmStart(whole{inner: to}, whole{inner: source()}, optimiser)
		if err != nil || !slices.Equal(moved.Copied, []string{"a", "b", "c", "d", "q"}) ||
			!slices.Equal(moved.Own, []string{"e"}) || !slices.Equal(moved.Unused, []string{"unused"}) {
			t.Fatalf("%+v, %v", moved, err)
		}
		if got := to.problem.Parameters().Free; !slices.Equal(got, []float64{1, 2, 3, 6, -5}) ||
			auxiliary[0].Value[0] != 5 {
			t.Errorf("values %v and %v", got, auxiliary[0].Value)
		}
		want := [][]float64{{1, 2, 3, 4, 5}, {10, 20, 30, 40, 50}, {1}}
		if optimiser {
			want = [][]float64{{200, 100, 3, 4, 5}, {2000, 1000, 30, 40, 50}, {100}}
		}
		for k, a := range to.method.State() {
			if !slices.Equal(a.Data, want[k]) {
				t.Errorf("optimiser %v: %s is %v, want %v", optimiser, a.Name, a.Data, want[k])
			}
		}
	}
}

func TestWarmStartErrors(t *testing.T) {
	identity := param.Identity{}
	model := func(p *param.Parameter) *Model { return newSeveral(t, 1, []*param.Parameter{p}, nil) }
	wide := &param.Parameter{Name: "a", Shape: []int{2}, Transform: identity, Value: []float64{1, 2}}
	for want, models := range map[string][2]family.Model{
		"models of this family cannot be warm-started": {
			whole{inner: model(number("a", 1, identity))}, nil},
		"the models share no parameter of the same name and shape": {
			whole{inner: model(number("a", 1, identity))}, whole{inner: model(wide)}},
		"parameter a: value 0 is -1, want finite and above 0": {
			whole{inner: model(number("a", 1, param.Positive{}))},
			whole{inner: model(number("a", -1, identity))}},
	} {
		if _, err := WarmStart(models[0], models[1], true); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestTransferInWords(t *testing.T) {
	for want, tr := range map[string]Transfer{
		"2 of 2 parameters copied": {Copied: []string{"a", "b"}},
		"1 of 3 parameters copied with the optimiser's state; kept at initial values: b, c; unused: d": {
			Copied: []string{"a"}, Own: []string{"b", "c"}, Unused: []string{"d"}, Optimiser: true},
		"0 of 4 parameters copied; kept at initial values: a, b, c, d": {Own: []string{"a", "b", "c", "d"}},
		"0 of 6 parameters copied; kept at initial values: a, b, c, d and 2 more": {
			Own: []string{"a", "b", "c", "d", "e", "f"}},
	} {
		if got := tr.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
