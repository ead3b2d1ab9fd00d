package ablate

import (
	"slices"
	"strconv"
	"strings"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// form is everything that says what a sweep is, and how it is run.
type form struct {
	rows []*row
	at   int
	// typed remembers what differs from the defaults, by name, also for
	// hyperparameters that are not shown now.
	typed map[string]string
}

// newForm returns a form with the values of a configuration, one each.
func newForm(c rundir.Config) form {
	typed := map[string]string{}
	put := func(name, text string) {
		if text != "" {
			typed[name] = sweep.Join([]string{text})
		}
	}
	for name, value := range c.Set {
		put(name, value)
	}
	put(rundir.DatasetField, c.Dataset)
	put(rundir.FamilyField, c.Family)
	put(rundir.SplitField, c.Split)
	put(rundir.SeedField, strconv.FormatUint(c.Seed, 10))
	if len(c.Targets) > 0 {
		typed[rowTargets] = strings.Join(c.Targets, ",")
	}
	return form{typed: typed}
}

// list makes the rows anew, from the data sets, the families and the
// hyperparameters that can be set for all chosen families, and keeps what was
// typed and where the person is.
func (f *form) list(e Engine) {
	var here *row
	if f.at < len(f.rows) {
		here = f.current()
	}
	f.remember()
	if all := e.Families(); f.typed[rundir.FamilyField] == "" && len(all) > 0 && here == nil {
		f.typed[rundir.FamilyField] = all[0].Name
	}
	f.rows, f.at = nil, 0
	add := func(r *row) {
		if text, ok := f.typed[r.Name]; ok {
			r.input = kit.NewLine(text)
		}
		if here != nil && r.Name == here.Name {
			f.at, r.input = len(f.rows), here.input // With the caret where it is.
		}
		f.rows = append(f.rows, r)
	}
	for _, r := range f.runRows(e) {
		add(r)
	}
	for _, h := range f.common(e) {
		add(newRow(h, h.Default))
	}
}

// runRows are the rows of what is no hyperparameter.
func (f *form) runRows(e Engine) []*row {
	data := newRow(models.Hyperparameter{Name: rundir.DatasetField, Kind: family.Text,
		Help: "data sets: names, or paths of CSV files"}, "")
	for _, d := range e.Catalogue() {
		if d.Cached {
			data.known = append(data.known, d.Name)
		}
		if d.Default {
			data.Default = d.Name
			data.input = kit.NewLine(d.Name)
		}
	}
	families := newRow(models.Hyperparameter{Name: rundir.FamilyField, Kind: family.Text, Help: "families of models"}, "")
	for _, s := range e.Families() {
		families.known = append(families.known, s.Name)
	}
	splits := newRow(models.Hyperparameter{Name: rundir.SplitField, Kind: family.Text,
		Help: "standard:0..9, interpolation:SEED (90:10) or extrapolation:SEED (50:50 along a random direction); empty for the usual one"}, "")
	splits.optional = true
	seeds := newRow(models.Hyperparameter{Name: rundir.SeedField, Kind: family.Int, Default: "0", Max: 1e15,
		Help: "every seed is a run of its own; scores are averaged over seeds and splits"}, "0")
	jobs := newRow(models.Hyperparameter{Name: rowJobs, Kind: family.Int, Default: "1", Min: 1, Max: 64,
		Help: "runs that are trained at the same time; they share the cores, so times of steps are those of a busy machine"}, "1")
	jobs.single = true
	name := newRow(models.Hyperparameter{Name: rowName, Kind: family.Text,
		Help: "name of the sweep; empty for one that is made from its values. A sweep that has a name can be given more values later"}, "")
	name.single, name.optional = true, true
	list := []*row{data, families, splits, seeds, jobs, name}
	if _, files := f.typed[rowTargets]; files {
		targets := newRow(models.Hyperparameter{Name: rowTargets, Kind: family.Text,
			Help: "names or numbers of the target columns of a file, the same for all; empty for the last column"}, "")
		targets.single, targets.optional = true, true
		list = slices.Insert(list, 1, targets)
	}
	return list
}

// common returns the hyperparameters that all chosen families have.
func (f *form) common(e Engine) []models.Hyperparameter {
	var common []models.Hyperparameter
	chosen, _ := sweep.Expand(f.typed[rundir.FamilyField])
	first := true
	for _, name := range chosen {
		list, err := e.Hyperparameters(name)
		if err != nil {
			continue // The row of the families says so.
		}
		if first {
			common, first = list, false
			continue
		}
		common = slices.DeleteFunc(common, func(h models.Hyperparameter) bool {
			return !slices.ContainsFunc(list, func(other models.Hyperparameter) bool { return other.Name == h.Name })
		})
	}
	return common
}

// remember keeps what differs from the defaults.
func (f *form) remember() {
	for _, r := range f.rows {
		if r.changed() || r.Name == rundir.FamilyField {
			f.typed[r.Name] = r.text()
		} else if r.Name != rowTargets {
			delete(f.typed, r.Name)
		}
	}
}

// row returns the row of a name, nil if there is none.
func (f *form) row(name string) *row {
	i := slices.IndexFunc(f.rows, func(r *row) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return f.rows[i]
}

// current returns the row where the person is.
func (f *form) current() *row { return f.rows[f.at] }

// firstBad returns the first row whose text is refused, and why.
func (f *form) firstBad() (int, error) {
	for i, r := range f.rows {
		if err := r.err(); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// runs returns how many combinations there are, 0 if a row is refused.
func (f *form) runs() int {
	n := 1
	for _, r := range f.rows {
		switch k := r.count(); {
		case r.err() != nil:
			return 0
		case r.single || k == 0:
		case n > 1e12/k:
			return 1e12 // It is too many anyway.
		default:
			n *= k
		}
	}
	return n
}

// grid returns the grid that is typed; what is refused is left out, firstBad tells.
func (f *form) grid() sweep.Grid {
	var g sweep.Grid
	for _, r := range f.rows {
		values, _ := r.values()
		switch r.Name {
		case rundir.DatasetField:
			g.Datasets = values
		case rundir.FamilyField:
			g.Families = values
		case rundir.SplitField:
			g.Splits = values
		case rundir.SeedField:
			g.Seeds, _ = sweep.Seeds(r.text())
		case rowTargets:
			g.Targets, _ = sweep.Expand(r.text())
		case rowJobs, rowName:
		default:
			if r.changed() {
				g.Set = append(g.Set, sweep.Axis{Name: r.Name, Values: values})
			}
		}
	}
	return g
}

// options says how the sweep is run.
func (f *form) options() sweep.Options {
	jobs, _ := strconv.Atoi(f.row(rowJobs).text())
	return sweep.Options{Name: f.row(rowName).text(), Jobs: jobs}
}
