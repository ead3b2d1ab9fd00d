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
	"dgplab/session/config"
)

// Benchmark is a validated sweep. Its Set contains only hyperparameters that at least one of the families
// has.
type Benchmark struct {
	Options
	// N is the number of rows of the synthetic data, or 0 if it differs between cells.
	N    int
	jobs []job
}

// job is a cell that has not been measured yet.
type job struct {
	Setting
	spec   models.Spec
	values models.Values
	rows   int
	size   models.Size
	memory float64 // estimate in bytes; only the data if the family gives no estimate
	err    error   // why the model cannot be built
}

// New validates the options and lists the cells in the order of the families and then of the axes, with the
// first axis varying fastest. A family is varied only along axes that it has and that affect it (a sparse GP
// has no layers, a single-layer model has no width), so that no cell occurs twice. Errors are of type
// *models.ValueError and name the invalid option.
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
	return b, b.sizeJobs()
}

// Len returns the number of cells.
func (b *Benchmark) Len() int { return len(b.jobs) }

// restarts is the hyperparameter for the number of starting points that some families try in their first
// steps, which differ from later steps. Its default in a benchmark is 1, so that the warm-up covers these
// steps.
const restarts = "restarts"

// job resolves the hyperparameters of a cell.
func (b *Benchmark) job(spec models.Spec, s Setting) (job, error) {
	preset, err := config.PresetValues(spec, b.Preset)
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
		h, _ := find(spec, v.Name)
		if v.Name == Rows {
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
	return job{Setting: s.Without(unused(spec, values)...), spec: spec, values: values}, nil
}

// unused returns the hyperparameters that have no effect under the given values.
func unused(spec models.Spec, values models.Values) (names []string) {
	applying := family.Applicable(spec.Hyperparameters, values)
	for name := range values {
		if !applying[name] || name == "width" && values["layers"] == "1" { // Only hidden layers have a width.
			names = append(names, name)
		}
	}
	return names
}

// sizeJobs sets the number of rows and the size of each cell.
func (b *Benchmark) sizeJobs() error {
	enough := defaultRows
	for _, j := range b.jobs {
		enough = max(enough, j.minRows())
	}
	all := map[int]bool{}
	for i := range b.jobs {
		j := &b.jobs[i]
		j.rows, _ = strconv.Atoi(cmp.Or(j.On(Rows), strconv.Itoa(enough))) // The text was validated by New.
		if b.UsualRows && j.On(Rows) == "" {
			j.rows = cmp.Or(fewRows[j.spec.Name], defaultRows)
		}
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

// minRows returns the number of rows needed for a batch and for the inducing points of the cell.
func (j *job) minRows() int {
	n := 0.0
	for _, name := range []string{"batch", "inducing"} {
		if _, has := find(j.spec, name); has {
			n = max(n, slices.Max(j.values.Floats(name)))
		}
	}
	return int(math.Ceil(n))
}

// AxesOf returns the axes on which at least one of the cells has a value.
func (b *Benchmark) AxesOf(cells []Cell) (names []string) {
	for _, axis := range b.Axes {
		if slices.ContainsFunc(cells, func(c Cell) bool { return c.On(axis.Name) != "" }) {
			names = append(names, axis.Name)
		}
	}
	return names
}
