package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
)

// Options describe a sweep: every family with every M, number of layers and
// width, in a common setting.
type Options struct {
	Families                 []string
	Inducing, Layers, Widths []int
	// Preset is that of the hyperparameters which are not listed here; "" means the
	// defaults.
	Preset string
	// Batch is the number B of points of a minibatch, Samples the number R of
	// samples, Inputs the number D of inputs.
	Batch, Samples, Inputs int
	// Seconds is how long the steps of a cell are measured; it takes longer where
	// three steps do.
	Seconds float64
}

// Defaults returns the sweep of the speed goals.
func Defaults() Options {
	return Options{
		Families: []string{"mean-field", "star", "fully-coupled"},
		Inducing: []int{32, 64, 128, 256}, Layers: []int{3}, Widths: []int{5},
		Batch: 512, Samples: 5, Inputs: 9, Seconds: 2,
	}
}

// Limits of what the models do not limit themselves.
const (
	leastRows   = 2048 // rows of the synthetic data, where no batch needs more
	mostInputs  = 1000
	mostSeconds = 3600
)

// Setting names one cell of a sweep.
type Setting struct {
	Family string
	// Inducing is M, 0 if there are no inducing points, and Layers L, the output
	// layer included. Width is tau, the GPs of every hidden layer; 0 if there are no
	// hidden layers.
	Inducing, Layers, Width int
}

func (s Setting) String() string {
	text := s.Family
	if s.Inducing > 0 {
		text += fmt.Sprintf(", M=%d", s.Inducing)
	}
	text += fmt.Sprintf(", L=%d", s.Layers)
	if s.Width > 0 {
		text += fmt.Sprintf(", width %d", s.Width)
	}
	return text
}

// Benchmark is a sweep that can be measured.
type Benchmark struct {
	Options
	// N is the number of rows of the synthetic data.
	N    int
	jobs []job
}

// job is a cell before it is measured.
type job struct {
	Setting
	spec   models.Spec
	values models.Values
	size   models.Size
	memory float64 // bytes, about; of the data alone if the family does not tell
}

// New checks the options and lists the cells: families in the given order,
// then layers, widths and M. A family takes part in an axis that it has (a sparse
// GP has no layers, a model of one layer no width), so that no cell comes twice.
// It returns a *models.ValueError named after the option that is refused.
func New(o Options) (*Benchmark, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p := &Benchmark{Options: o, N: max(leastRows, o.Batch, slices.Max(o.Inducing))}
	seen := map[Setting]bool{}
	for _, name := range o.Families {
		spec, err := models.Lookup(name)
		if err != nil {
			return nil, err
		}
		for _, s := range o.settings(spec) {
			if seen[s] {
				continue
			}
			seen[s] = true
			j, err := p.job(spec, s)
			if err != nil {
				return nil, err
			}
			p.jobs = append(p.jobs, j)
		}
	}
	return p, nil
}

// Len returns the number of cells.
func (p *Benchmark) Len() int { return len(p.jobs) }

func (o Options) check() error {
	for _, list := range []struct {
		name string
		n    int
	}{
		{"families", len(o.Families)}, {"inducing", len(o.Inducing)}, {"layers", len(o.Layers)}, {"width", len(o.Widths)},
	} {
		if list.n == 0 {
			return &models.ValueError{Name: list.name, Want: "want at least one"}
		}
	}
	if o.Inputs < 1 || o.Inputs > mostInputs {
		return &models.ValueError{Name: "inputs", Value: strconv.Itoa(o.Inputs), Want: fmt.Sprintf("want a whole number from 1 to %d", mostInputs)}
	}
	if math.IsNaN(o.Seconds) || o.Seconds <= 0 || o.Seconds > mostSeconds {
		return &models.ValueError{Name: "seconds", Value: strconv.FormatFloat(o.Seconds, 'g', -1, 64),
			Want: fmt.Sprintf("want a number above 0, at most %d", mostSeconds)}
	}
	return nil
}

// settings returns the cells of a family; some may come twice.
func (o Options) settings(spec models.Spec) []Setting {
	layers, inducing := o.Layers, o.Inducing
	if !has(spec, "layers") {
		layers = []int{1}
	}
	if !has(spec, "inducing") {
		inducing = []int{0}
	}
	var list []Setting
	for _, l := range layers {
		for _, width := range o.Widths {
			if !has(spec, "width") || l == 1 {
				width = 0
			}
			for _, m := range inducing {
				list = append(list, Setting{Family: spec.Name, Inducing: m, Layers: l, Width: width})
			}
		}
	}
	return list
}

func has(spec models.Spec, name string) bool {
	return slices.ContainsFunc(spec.Hyperparameters, func(h models.Hyperparameter) bool { return h.Name == name })
}

// job resolves the hyperparameters of a cell.
func (p *Benchmark) job(spec models.Spec, s Setting) (job, error) {
	preset, err := session.PresetValues(spec, p.Preset)
	if err != nil {
		return job{}, err
	}
	set := map[string]string{}
	for _, name := range family.Names(spec.Hyperparameters) {
		set[name] = preset[name]
	}
	for name, value := range map[string]int{
		"inducing": s.Inducing, "layers": s.Layers, "width": s.Width, "batch": p.Batch, "samples": p.Samples,
	} {
		if has(spec, name) && !(name == "width" && value == 0 && s.Layers == 1) {
			set[name] = strconv.Itoa(value)
		}
	}
	values, err := models.Resolve(spec.Hyperparameters, set)
	if err != nil {
		return job{}, err
	}
	size, err := spec.Size(values, p.N, p.Inputs, 1)
	if err != nil {
		return job{}, err
	}
	return job{Setting: s, spec: spec, values: values, size: size, memory: size.Memory + 8*float64(p.N)*float64(p.Inputs+1)}, nil
}
