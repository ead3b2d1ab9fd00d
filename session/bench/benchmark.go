package bench

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
)

// Benchmark is a sweep that can be measured. Of its Options, Set holds what at least
// one of the families has.
type Benchmark struct {
	Options
	// N is the number of rows of the synthetic data; 0 where the cells differ in it.
	N    int
	jobs []job
}

// job is a cell before it is measured.
type job struct {
	Setting
	spec   models.Spec
	values models.Values
	rows   int
	size   models.Size
	memory float64 // bytes, about; of the data alone if the family does not tell
	err    error   // why there can be no such model
}

// New checks the options and lists the cells: families in the given order, then
// the axes, the first of which changes most often. A family takes part in the axes
// that it has and where they have an effect (a sparse GP has no layers, a model of
// one layer no width), so that no cell comes twice. It returns a *models.ValueError
// named after the option that is refused.
func New(o Options) (*Benchmark, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	b := &Benchmark{Options: o}
	used := map[string]string{}
	seen := map[string]bool{}
	for _, name := range o.Families {
		spec, err := models.Lookup(name)
		if err != nil {
			return nil, err
		}
		for _, s := range o.settings(spec) {
			j, err := b.job(spec, s)
			if err != nil {
				return nil, err
			}
			for name, value := range o.Set {
				if _, has := find(spec, name); has {
					used[name] = value
				}
			}
			if key := j.Setting.String(); !seen[key] {
				seen[key] = true
				b.jobs = append(b.jobs, j)
			}
		}
	}
	b.Set = used
	return b, b.measureOut()
}

// Len returns the number of cells.
func (b *Benchmark) Len() int { return len(b.jobs) }

// restarts is the number of starting points of families that choose among several in their
// first steps, which are no steps like the others: one, unless another number is given, so
// that the steps before the measured ones are enough of them.
const restarts = "restarts"

// job resolves the hyperparameters of a cell.
func (b *Benchmark) job(spec models.Spec, s Setting) (job, error) {
	preset, err := session.PresetValues(spec, b.Preset)
	if err != nil {
		return job{}, err
	}
	set := map[string]string{}
	for _, name := range family.Names(spec.Hyperparameters) {
		set[name] = preset[name]
		if name == restarts {
			set[name] = "1"
		}
		if value, given := b.Set[name]; given {
			set[name] = value
		}
	}
	for _, v := range s.Values {
		if h, _ := find(spec, v.Name); v.Name == Rows {
			if err := h.Validate(v.Text); err != nil {
				return job{}, err
			}
		} else {
			set[v.Name] = v.Text
		}
	}
	values, err := models.Resolve(spec.Hyperparameters, set)
	if err != nil {
		return job{}, err
	}
	return job{Setting: s.Without(idle(spec, values)...), spec: spec, values: values}, nil
}

// idle returns the hyperparameters that have no effect among these values.
func idle(spec models.Spec, values models.Values) (names []string) {
	applying := family.Applying(spec.Hyperparameters, values)
	for name := range values {
		if !applying[name] || name == "width" && values["layers"] == "1" { // Only hidden layers have widths.
			names = append(names, name)
		}
	}
	return names
}

// measureOut says how many rows the data of each cell have, and so how large it is.
func (b *Benchmark) measureOut() error {
	enough := leastRows
	for _, j := range b.jobs {
		enough = max(enough, j.least())
	}
	all := map[int]bool{}
	for i := range b.jobs {
		j := &b.jobs[i]
		j.rows, _ = strconv.Atoi(cmp.Or(j.On(Rows), strconv.Itoa(enough))) // It was validated.
		all[j.rows] = true
		j.memory = 8 * float64(j.rows) * float64(b.Inputs+b.Outputs)
		j.size, j.err = j.spec.Size(j.values, j.rows, b.Inputs, b.Outputs)
		if j.err == nil {
			j.memory += j.size.Memory
		}
		var refused *models.ValueError
		if errors.As(j.err, &refused) {
			return j.err
		}
	}
	b.N = 0
	if len(all) == 1 {
		b.N = slices.Collect(maps.Keys(all))[0]
		for i := range b.jobs {
			b.jobs[i].Setting = b.jobs[i].Without(Rows)
		}
	}
	return nil
}

// least returns how many rows a batch and the inducing points of the cell take.
func (j *job) least() int {
	n := 0.0
	for _, name := range []string{"batch", "inducing"} {
		if _, has := find(j.spec, name); has {
			n = max(n, slices.Max(j.values.Floats(name)))
		}
	}
	return int(math.Ceil(n))
}

// AxesOf returns the axes on which some of the cells have a value.
func (b *Benchmark) AxesOf(cells []Cell) (names []string) {
	for _, axis := range b.Axes {
		if slices.ContainsFunc(cells, func(c Cell) bool { return c.On(axis.Name) != "" }) {
			names = append(names, axis.Name)
		}
	}
	return names
}
