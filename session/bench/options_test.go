package bench

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/models"
)

// small returns options that differ from the defaults by a change, for models
// that take no time.
func small(change func(*Options)) Options {
	o := Options{
		Families: []string{"star"}, Inducing: []int{4}, Layers: []int{2}, Widths: []int{2},
		Batch: 8, Samples: 2, Inputs: 3, Seconds: 1,
	}
	if change != nil {
		change(&o)
	}
	return o
}

func settingsOf(p *Benchmark) []Setting {
	var list []Setting
	for _, j := range p.jobs {
		list = append(list, j.Setting)
	}
	return list
}

func TestNew(t *testing.T) {
	p, err := New(small(func(o *Options) {
		o.Families = []string{"svgp", "star", "svgp"}
		o.Inducing, o.Layers, o.Widths = []int{4, 8}, []int{1, 3}, []int{2, 5, 2}
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := []Setting{
		{"svgp", 4, 1, 0}, {"svgp", 8, 1, 0},
		{"star", 4, 1, 0}, {"star", 8, 1, 0},
		{"star", 4, 3, 2}, {"star", 8, 3, 2},
		{"star", 4, 3, 5}, {"star", 8, 3, 5},
	}
	if got := settingsOf(p); !slices.Equal(got, want) || p.Len() != len(want) {
		t.Errorf("cells %v; want %v", got, want)
	}
	if p.N != 2048 {
		t.Errorf("N is %d; want 2048", p.N)
	}
}

func TestBenchmarkHasRowsForAll(t *testing.T) {
	for _, c := range []struct{ batch, inducing, n int }{{512, 128, 2048}, {3000, 128, 3000}, {512, 2500, 2500}} {
		p, err := New(small(func(o *Options) { o.Batch, o.Inducing = c.batch, []int{c.inducing} }))
		if err != nil {
			t.Fatal(err)
		}
		if p.N != c.n {
			t.Errorf("batch %d, M=%d: N is %d; want %d", c.batch, c.inducing, p.N, c.n)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	cases := []struct {
		name   string
		change func(*Options)
	}{
		{"families", func(o *Options) { o.Families = nil }},
		{"inducing", func(o *Options) { o.Inducing = nil }},
		{"inducing", func(o *Options) { o.Inducing = []int{4, 0} }},
		{"layers", func(o *Options) { o.Layers = []int{-1} }},
		{"width", func(o *Options) { o.Widths = []int{0} }},
		{"width", func(o *Options) { o.Widths = nil }},
		{"batch", func(o *Options) { o.Batch = 0 }},
		{"samples", func(o *Options) { o.Samples = -1 }},
		{"inputs", func(o *Options) { o.Inputs = 0 }},
		{"inputs", func(o *Options) { o.Inputs = 1001 }},
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
	if _, err := New(small(func(o *Options) { o.Families = []string{"stars"} })); err == nil || !strings.Contains(err.Error(), "stars") {
		t.Errorf("got %v", err)
	}
}

func TestDefaultsArePlanned(t *testing.T) {
	p, err := New(Defaults())
	if err != nil || p.Len() != 12 {
		t.Errorf("%v, %v", p, err)
	}
}

// TestOperationsAreCounted checks that every family counts the operations of a
// step, and that there are more of them, by at least the square, for more inducing
// points.
func TestOperationsAreCounted(t *testing.T) {
	for _, spec := range models.Families() {
		p, err := New(small(func(o *Options) {
			o.Families, o.Inducing, o.Batch = []string{spec.Name}, []int{32, 64, 128, 256}, 512
		}))
		if err != nil {
			t.Fatal(err)
		}
		if (len(p.jobs) == 1) == has(spec, "inducing") {
			t.Errorf("%s: %d cells", spec.Name, len(p.jobs))
		}
		for i, j := range p.jobs {
			flops := j.size.StepFLOPs
			if flops <= 0 || math.IsInf(flops, 0) {
				t.Errorf("%s: %v operations", j.Setting, flops)
			}
			if i > 0 && flops < 3*p.jobs[i-1].size.StepFLOPs {
				t.Errorf("%s: %v operations, %v with half the inducing points", j.Setting, flops, p.jobs[i-1].size.StepFLOPs)
			}
		}
	}
}

func TestMemoryGrows(t *testing.T) {
	bytes := func(change func(*Options)) float64 {
		p, err := New(small(change))
		if err != nil {
			t.Fatal(err)
		}
		return p.jobs[0].memory
	}
	base := bytes(nil)
	for name, change := range map[string]func(*Options){
		"inducing": func(o *Options) { o.Inducing = []int{64} },
		"layers":   func(o *Options) { o.Layers = []int{5} },
		"width":    func(o *Options) { o.Widths = []int{9} },
		"batch":    func(o *Options) { o.Batch = 4096 },
		"samples":  func(o *Options) { o.Samples = 9 },
		"inputs":   func(o *Options) { o.Inputs = 100 },
	} {
		if got := bytes(change); got <= base || base <= 0 {
			t.Errorf("more %s: %v bytes, not more than %v", name, got, base)
		}
	}
}
