package bench

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session/sweep"
)

// small returns options for models that train quickly, modified by change.
func small(change func(*Options)) Options {
	o := Options{
		Families: []string{"star"},
		Axes: []sweep.Axis{{Name: "inducing", Values: []string{"4"}}, {Name: "layers",
			Values: []string{"2"}}, {Name: "width", Values: []string{"2"}}},
		Set:    map[string]string{"batch": "8", "samples": "2"},
		Inputs: 3, Outputs: 1, Seconds: 1,
	}
	if change != nil {
		change(&o)
	}
	return o
}

// on sets the values of an axis and adds the axis if it is missing.
func (o *Options) on(name string, values ...string) {
	for i := range o.Axes {
		if o.Axes[i].Name == name {
			o.Axes[i].Values = values
			return
		}
	}
	o.Axes = append(o.Axes, sweep.Axis{Name: name, Values: values})
}

func settingsOf(p *Benchmark) []string {
	var list []string
	for _, j := range p.jobs {
		list = append(list, j.Setting.String())
	}
	return list
}

func TestNew(t *testing.T) {
	p, err := New(small(func(o *Options) {
		o.Families = []string{"svgp", "star", "svgp"}
		o.on("inducing", "4", "8", "08")
		o.on("layers", "1", "3")
		o.on("width", "2", "5", "2")
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"svgp, M=4", "svgp, M=8",
		"star, M=4, L=1", "star, M=8, L=1",
		"star, M=4, L=3, width 2", "star, M=8, L=3, width 2",
		"star, M=4, L=3, width 5", "star, M=8, L=3, width 5",
	}
	got := settingsOf(p)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || p.Len() != len(want) {
		t.Errorf("cells %q; want %q", got, want)
	}
	if p.N != 2048 || p.Set["batch"] != "8" || p.Set["samples"] != "2" {
		t.Errorf("N is %d, set %v", p.N, p.Set)
	}
}

// A value may list one number per layer. The largest number determines the number of rows.
func TestListsOfLayers(t *testing.T) {
	p := mustBenchmark(t, small(func(o *Options) { o.on("inducing", "4", "4, 3000") }))
	if got, want := settingsOf(p),
		[]string{"star, M=4, L=2, width 2", "star, M=4,3000, L=2, width 2"}; !slices.Equal(got, want) ||
		p.N != 3000 {
		t.Errorf("cells %q of %d rows, want %q", got, p.N, want)
	}
	if _, err := New(small(func(o *Options) { o.on("inducing", "4,8,4") })); err == nil ||
		!strings.Contains(err.Error(), "inducing=4,8,4: want one number, or 2") {
		t.Errorf("three widths for two layers: %v", err)
	}
}

// The first axis varies fastest.
func TestOrderOfCells(t *testing.T) {
	p := mustBenchmark(t, small(func(o *Options) {
		o.on("inducing", "4", "8")
		o.on("width", "2", "3")
		o.on("kernel", "rbf", "matern52")
	}))
	want := []string{"M=4, L=2, width 2, kernel rbf", "M=8, L=2, width 2, kernel rbf",
		"M=4, L=2, width 3, kernel rbf"}
	for i, text := range want {
		if got := settingsOf(p)[i]; got != "star, "+text {
			t.Errorf("cell %d is %q; want %q", i, got, text)
		}
	}
	if p.Len() != 8 {
		t.Errorf("%d cells", p.Len())
	}
}

// Each family is varied only along its own axes. One of the two families has no layers and no samples; both
// have rows and a kernel.
func TestAxesOfSomeFamilies(t *testing.T) {
	p := mustBenchmark(t, small(func(o *Options) {
		o.Families = []string{"svgp"}
		o.Axes = []sweep.Axis{{Name: "layers", Values: []string{"2", "3"}},
			{Name: Rows, Values: []string{"50", "100"}}}
	}))
	if got := settingsOf(p); !slices.Equal(got, []string{"svgp, N=50", "svgp, N=100"}) ||
		p.N != 0 || p.jobs[1].rows != 100 {
		t.Errorf("cells %q, N %d", got, p.N)
	}
	if _, ok := p.Set["samples"]; ok || p.Set["batch"] != "8" {
		t.Errorf("a family without samples has the settings %v", p.Set)
	}
	p = mustBenchmark(t, small(func(o *Options) { o.on(Rows, "70") }))
	if p.N != 70 || p.jobs[0].On(Rows) != "" {
		t.Errorf("N is %d, cells %q", p.N, settingsOf(p))
	}
}

// Values without effect are not part of a setting.
func TestIdleValues(t *testing.T) {
	p := mustBenchmark(t, small(func(o *Options) {
		o.Families = []string{"mean-field"}
		o.on("optimizer", "adam", "natgrad")
		o.on("natgrad_step", "0.1", "0.2")
	}))
	got := settingsOf(p)
	slices.Sort(got)
	before := "mean-field, M=4, L=2, width 2, optimizer "
	if want := []string{before + "adam", before + "natgrad, natgrad_step 0.1",
		before + "natgrad, natgrad_step 0.2"}; !slices.Equal(got, want) {
		t.Errorf("cells %q", got)
	}
}

func TestBenchmarkHasRowsForAll(t *testing.T) {
	for _, c := range []struct {
		batch, inducing string
		n               int
	}{{"512", "128", 2048}, {"3000", "128", 3000}, {"512", "2500", 2500}} {
		p := mustBenchmark(t, small(func(o *Options) {
			o.Set["batch"] = c.batch
			o.on("inducing", c.inducing)
		}))
		if p.N != c.n {
			t.Errorf("batch %s, M=%s: N is %d; want %d", c.batch, c.inducing, p.N, c.n)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	on := func(name string, values ...string) func(*Options) {
		return func(o *Options) { o.on(name, values...) }
	}
	cases := []struct {
		name   string
		change func(*Options)
	}{
		{"family", func(o *Options) { o.Families = nil }},
		{"inducing", on("inducing")},
		{"inducing", on("inducing", "4", "0")},
		{"layers", on("layers", "-1")},
		{"width", on("width", "0")},
		{"width", on("width")},
		{"rows", on(Rows, "0")},
		{"rows", on(Rows, "1.5")},
		{"speed", on("speed", "1")},
		{"kernel", on("kernel", "cubic")},
		{"batch", on("batch", "8")},
		{"batch", func(o *Options) { o.Set["batch"] = "0" }},
		{"samples", func(o *Options) { o.Set["samples"] = "-1" }},
		{"inputs", func(o *Options) { o.Inputs = 0 }},
		{"inputs", func(o *Options) { o.Inputs = 1001 }},
		{"outputs", func(o *Options) { o.Outputs = 0 }},
		{"outputs", func(o *Options) { o.Outputs = 101 }},
		{"seconds", func(o *Options) { o.Seconds = 0 }},
		{"seconds", func(o *Options) { o.Seconds = math.NaN() }},
		{"seconds", func(o *Options) { o.Seconds = math.Inf(1) }},
	}
	for _, c := range cases {
		_, err := New(small(c.change))
		var value *models.ValueError
		if !errors.As(err, &value) || value.Name != c.name {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	if _, err := New(small(func(o *Options) { o.Families = []string{"stars"} })); err == nil ||
		!strings.Contains(err.Error(), "stars") {
		t.Errorf("got %v", err)
	}
}

// The largest values are valid.
func TestLargestOptions(t *testing.T) {
	p := mustBenchmark(t, small(func(o *Options) {
		o.Inputs, o.Outputs, o.Seconds = maxInputs, maxOutputs, maxSeconds
		o.on(Rows, strconv.Itoa(maxRows))
	}))
	data := 8 * float64(maxRows) * (maxInputs + maxOutputs)
	if j := p.jobs[0]; p.N != maxRows || j.memory != data+j.size.Memory {
		t.Errorf("%d rows, %v bytes of which %v are for the model", p.N, j.memory, j.size.Memory)
	}
	if _, err := New(small(func(o *Options) { o.on(Rows, strconv.Itoa(maxRows+1)) })); err == nil {
		t.Error("more rows are valid")
	}
	if _, err := New(small(func(o *Options) { o.Seconds = maxSeconds + 1 })); err == nil {
		t.Error("more seconds are valid")
	}
}

func TestDefaultsArePlanned(t *testing.T) {
	o := Defaults()
	p, err := New(o)
	if err != nil || !slices.Contains(o.Families, models.DefaultFamily) || len(o.Families) < 3 ||
		p.Len() != 4*len(o.Families) {
		t.Errorf("%v, %v, families %q", p, err, o.Families)
	}
}

// The number of operations per step grows along each axis that a family declares in Scaling, by at least
// three quarters of the theoretical factor for large N.
func TestOperationsAreCounted(t *testing.T) {
	for _, spec := range models.Families() {
		for _, e := range spec.Scaling {
			p := mustBenchmark(t, small(func(o *Options) {
				o.Families, o.Set["batch"] = []string{spec.Name}, "512"
				few := 256
				for _, h := range spec.Hyperparameters {
					switch h.Name {
					case "inducing", "orthogonal":
						o.on(h.Name, "64")
					}
					if h.Name == e.Hyperparameter {
						few = min(few, int(h.Max)/2)
					}
				}
				delete(o.Set, e.Hyperparameter)
				o.on(e.Hyperparameter, strconv.Itoa(few), strconv.Itoa(2*few))
			}))
			if p.Len() != 2 {
				t.Fatalf("%s along %s: cells %q", spec.Name, e.Hyperparameter, settingsOf(p))
			}
			few, many := p.jobs[0].size.StepFLOPs, p.jobs[1].size.StepFLOPs
			if few <= 0 || math.IsInf(many, 0) || many < 0.75*math.Pow(2, float64(e.Power))*few {
				t.Errorf("%s along %s: %v operations, %v at half the value",
					spec.Name, e.Hyperparameter, many, few)
			}
		}
	}
}

func TestMemoryGrows(t *testing.T) {
	bytes := func(change func(*Options)) float64 { return mustBenchmark(t, small(change)).jobs[0].memory }
	base := bytes(nil)
	for name, change := range map[string]func(*Options){
		"inducing": func(o *Options) { o.on("inducing", "64") },
		"layers":   func(o *Options) { o.on("layers", "5") },
		"width":    func(o *Options) { o.on("width", "9") },
		"rows":     func(o *Options) { o.on(Rows, "5000") },
		"batch":    func(o *Options) { o.Set["batch"] = "4096" },
		"samples":  func(o *Options) { o.Set["samples"] = "9" },
		"inputs":   func(o *Options) { o.Inputs = 100 },
		"outputs":  func(o *Options) { o.Outputs = 100 },
	} {
		if got := bytes(change); got <= base || base <= 0 {
			t.Errorf("more %s: %v bytes, not more than %v", name, got, base)
		}
	}
}
