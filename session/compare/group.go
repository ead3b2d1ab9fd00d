package compare

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// neutral holds the hyperparameters that do not affect the results of a run.
var neutral = map[string]bool{"metrics_every": true, "checkpoint_every": true, "checkpoint_seconds": true}

// Method is a configuration without data set, split and seed.
type Method struct {
	// Label consists of the family, if there are several families, and the differing hyperparameters.
	Label  string `json:"label"`
	Family string `json:"family"`
	// Set holds the differing hyperparameters.
	Set map[string]string `json:"set"`
}

// Run is a run in a Set.
type Run struct {
	rundir.Info
	// Method and Dataset are indices into the Set.
	Method, Dataset int
	// block identifies the test points.
	block string
	// predictions returns the predictions of the test points. It reads the directory of the run, unless the
	// run is on a screen.
	predictions func() (*rundir.Predictions, error)
}

// LeftOut is an excluded run with the reason.
type LeftOut struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// Set holds runs arranged by method and data set.
type Set struct {
	// Methods and Datasets are in the order of the runs.
	Methods  []Method  `json:"methods"`
	Datasets []string  `json:"datasets"`
	Runs     []Run     `json:"-"`
	LeftOut  []LeftOut `json:"left_out"`
	// Notes are remarks on runs that are included.
	Notes []string `json:"notes"`
}

// Group arranges runs. It leaves out runs without test scores. Of several runs with the same method, data,
// split and seed it keeps only the newest.
func Group(runs []rundir.Info) *Set {
	s := &Set{LeftOut: []LeftOut{}, Notes: []string{}}
	keys := newDataKeys(runs)
	latest := s.latest(runs, keys)
	methods, datasets := map[string]int{}, map[string]int{}
	var values []rundir.Info    // one run per method
	var sources []rundir.Config // one per data set
	for _, r := range runs {
		id, usable := latest[keys.identity(r)]
		if !usable || id != r.ID {
			continue
		}
		delete(latest, keys.identity(r)) // A run may be listed twice.
		m, ok := methods[methodKey(r)]
		if !ok {
			m = len(values)
			methods[methodKey(r)] = m
			values = append(values, r)
		}
		source := keys.of(r)
		d, ok := datasets[source]
		if !ok {
			d = len(sources)
			datasets[source] = d
			sources = append(sources, r.Config)
		}
		s.Runs = append(s.Runs, Run{Info: r, Method: m, Dataset: d, block: blockKey(r),
			predictions: r.Predictions})
		s.note(r)
	}
	s.Methods = label(values)
	s.Datasets = datasetLabels(sources)
	s.noteDrifts()
	s.noteUses()
	return s
}

// Watch arranges the runs on a screen like Group, and compares their predictions in memory. It includes runs
// in training whose test set was scored so far.
func Watch(snapshots []*session.Snapshot) *Set {
	var runs []rundir.Info
	for _, s := range snapshots {
		runs = append(runs, s.Info())
	}
	set := Group(runs)
	for i := range set.Runs {
		r := &set.Runs[i]
		at := slices.IndexFunc(snapshots, func(s *session.Snapshot) bool { return s.ID == r.ID })
		r.predictions = func() (*rundir.Predictions, error) {
			p := snapshots[at].Predictions
			if p == nil {
				return nil, fmt.Errorf("%s has no readable predictions; run it again", r.ID)
			}
			return p, nil
		}
	}
	return set
}

// MethodOf returns the index of the method of a run on a screen, also if the run is left out. It returns -1
// if no run of its method is compared.
func (s *Set) MethodOf(run *session.Snapshot) int {
	found := -1
	for _, r := range s.Runs {
		switch {
		case r.ID == run.ID:
			return r.Method
		case found < 0 && methodKey(r.Info) == methodKey(run.Info()):
			found = r.Method
		}
	}
	return found
}

// Individually returns a set in which each run is a method of its own, to compare the runs of one method.
func (s *Set) Individually() *Set {
	each := *s
	each.Methods, each.Runs = nil, slices.Clone(s.Runs)
	for i, r := range each.Runs {
		each.Runs[i].Method = i
		each.Methods = append(each.Methods, Method{Label: r.ID, Family: r.Config.Family})
	}
	return &each
}

// latest returns the ID of the newest usable run for each identity, and records the other runs as left out.
func (s *Set) latest(runs []rundir.Info, keys dataKeys) map[string]string {
	newest := map[string]rundir.Info{}
	for _, r := range runs {
		if why := unusable(r); why != "" {
			s.LeftOut = append(s.LeftOut, LeftOut{r.ID, why})
			continue
		}
		old, again := newest[keys.identity(r)]
		if again && old.ID == r.ID {
			continue // listed twice
		}
		if again && cmp.Or(old.Created.Compare(r.Created), strings.Compare(old.ID, r.ID)) > 0 {
			old, r = r, old
		}
		if again {
			s.LeftOut = append(s.LeftOut, LeftOut{old.ID, "superseded by " + r.ID})
		}
		newest[keys.identity(r)] = r
	}
	ids := map[string]string{}
	for key, r := range newest {
		ids[key] = r.ID
	}
	return ids
}

// unusable returns the reason why a run cannot be compared, or "" if it can.
func unusable(r rundir.Info) string {
	switch {
	case r.State == rundir.Broken:
		return fmt.Sprintf("broken: %v", r.Err)
	case r.State.Going() && (r.Results == nil || r.Results.Test == nil):
		return "still running"
	case r.State == rundir.Interrupted:
		return "interrupted"
	case r.Results.Stop == rundir.StopFailed:
		return "failed: " + r.Results.Error
	case r.Results.Stop == rundir.StopRung:
		return fmt.Sprintf("stopped at a rung of its sweep, at step %d of %d", r.Results.Step, r.Steps)
	case r.Results.Test == nil:
		return "not evaluated on the test set"
	}
	return ""
}

// note records a limitation of an included run.
func (s *Set) note(r rundir.Info) {
	if r.Results.Stop == rundir.StopAsked {
		s.Notes = append(s.Notes, fmt.Sprintf("%s was stopped by request at step %d of %d",
			r.ID, r.Results.Step, r.Steps))
	}
}

// mostDrifts is the largest number of runs of a kind of drift that have notes of their own.
const mostDrifts = 3

// noteDrifts records which runs had not settled, or overfitted. Many runs of a kind share a sentence.
func (s *Set) noteDrifts() {
	var kinds []string
	byKind := map[string][]Run{}
	for _, r := range s.Runs {
		kind := driftKind(r.Results)
		if kind == "" {
			continue
		}
		if byKind[kind] == nil {
			kinds = append(kinds, kind)
		}
		byKind[kind] = append(byKind[kind], r)
	}
	for _, kind := range kinds {
		runs := byKind[kind]
		if len(runs) > mostDrifts {
			s.Notes = append(s.Notes, fmt.Sprintf("%d of %d runs %s", len(runs), len(s.Runs), kind))
			continue
		}
		for _, r := range runs {
			s.Notes = append(s.Notes, r.ID+" "+r.Results.DriftNote())
		}
	}
}

// driftKind returns what is said about many runs with such a drift, or "" if the run has no note.
func driftKind(s *rundir.Summary) string {
	switch {
	case s.DriftNote() == "":
		return ""
	case s.Decays():
		return "have not lowered their learning rate to its last value: their scores are expected to improve"
	case s.Drift.Verdict == rundir.Improving:
		return "have not converged"
	case s.Drift.Verdict == rundir.Undecided:
		return "are undecided: they are too short, or change within noise"
	}
	return "overfitted"
}

// noteUses records which methods were trained on a subset of the data.
func (s *Set) noteUses() {
	for _, r := range s.Runs {
		uses := r.Results.Data.Uses
		if uses == "" {
			continue
		}
		note := fmt.Sprintf("%s: trained on %s", s.Methods[r.Method].Label, uses)
		if len(s.Datasets) > 1 {
			note += " of " + s.Datasets[r.Dataset]
		}
		if !slices.Contains(s.Notes, note) {
			s.Notes = append(s.Notes, note)
		}
	}
}

// methodKey returns a key that is equal for runs that differ only in data, split and seed, or in
// the notation of values.
func methodKey(r rundir.Info) string {
	parts := []string{r.Config.Family}
	set := settings(r)
	for _, name := range slices.Sorted(maps.Keys(set)) {
		parts = append(parts, name+"="+set[name])
	}
	return strings.Join(parts, "\n")
}

// settings returns the hyperparameters that affect the results of a run, in canonical form.
func settings(r rundir.Info) map[string]string {
	set := maps.Clone(map[string]string(r.Values))
	for _, a := range r.Adapted {
		set[a.Name] = r.Chosen(a.Name)
	}
	known, err := config.FamilyHyperparameters(r.Config.Family)
	if err != nil {
		known = nil // Unknown family: leave its values unchanged.
	}
	for _, h := range known {
		if value, ok := set[h.Name]; ok {
			set[h.Name] = h.Canonical(value)
		}
	}
	if r.WarmStart != nil { // The source run depends on split and seed, so only its family counts.
		set[rundir.WarmStartSetting] = r.WarmStart.Family
	}
	if set[rundir.BudgetSetting] == "" {
		delete(set, rundir.BudgetSetting) // The value may be missing.
	}
	maps.DeleteFunc(set, func(name, _ string) bool { return neutral[name] })
	return set
}

// dataKeys identifies the data of runs: those of a table of the user by their content, all others by their
// name. Runs of earlier versions lack the content of their tables. It is looked up by the name of the table
// and the options for its columns, unless the table has had several contents.
type dataKeys map[string]string

func newDataKeys(runs []rundir.Info) dataKeys {
	keys := dataKeys{}
	for _, r := range runs {
		if r.Results == nil || r.Results.Data.ContentSHA256 == "" {
			continue
		}
		content := r.Results.Data.ContentSHA256
		name := nameKey(r.Config)
		if known, again := keys[name]; again && known != content {
			content = name
		}
		keys[name] = content
	}
	return keys
}

func nameKey(c rundir.Config) string {
	return c.Dataset + "\n" + strings.Join(c.Targets, "\n") + "\n" + c.Field(rundir.ColumnsField)
}

// of returns the key of the data of a run.
func (k dataKeys) of(r rundir.Info) string {
	name := nameKey(r.Config)
	if r.Results != nil && r.Results.Data.ContentSHA256 != "" {
		return r.Results.Data.ContentSHA256
	}
	return cmp.Or(k[name], name)
}

// blockKey identifies the test points of a run by its split and the contents of the test rows.
func blockKey(r rundir.Info) string {
	d := r.Results.Data
	return fmt.Sprintf("%s\n%s %d/%d", r.Config.Split, d.TestSHA256, d.Test, d.Rows)
}

// identity is equal for runs that should have the same results.
func (k dataKeys) identity(r rundir.Info) string {
	if unusable(r) != "" {
		return ""
	}
	return fmt.Sprint(methodKey(r), "\n", k.of(r), "\n", blockKey(r), "\n", r.Config.Seed)
}

// label returns a method for each run, with labels that distinguish the methods.
func label(runs []rundir.Info) []Method {
	families := map[string]bool{}
	sets := make([]map[string]string, len(runs))
	several := false // several methods of the baseline family
	for i, r := range runs {
		several = several || r.Config.Family == models.BaselineFamily && families[r.Config.Family]
		families[r.Config.Family] = true
		sets[i] = settings(r)
	}
	fields := differing(besideBaseline(runs, sets))
	methods := make([]Method, len(runs))
	for i, r := range runs {
		m := Method{Family: r.Config.Family, Set: map[string]string{}}
		var words []string
		if len(families) > 1 || len(fields) == 0 {
			words = append(words, m.Family)
		}
		for _, name := range fields {
			if value, ok := sets[i][name]; ok && (m.Family != models.BaselineFamily || several) {
				m.Set[name] = value
				words = append(words, name+"="+value)
			}
		}
		m.Label = strings.Join(words, " ")
		methods[i] = m
	}
	return methods
}

// besideBaseline removes the baseline from the runs and settings if it is a single method, because its family
// name suffices as a label.
func besideBaseline(
	runs []rundir.Info, sets []map[string]string,
) (list []rundir.Info, of []map[string]string) {
	for i, r := range runs {
		if r.Config.Family != models.BaselineFamily {
			list = append(list, r)
			of = append(of, sets[i])
		}
	}
	if len(list) != len(runs)-1 {
		return runs, sets
	}
	return list, of
}

// differing returns the hyperparameters that distinguish the runs, in the order of
// config.InformativeDifferences. It omits hyperparameters with a single value among the runs that have them.
func differing(runs []rundir.Info, sets []map[string]string) (names []string) {
	for _, d := range config.InformativeDifferences(runs) {
		var values []string
		for _, set := range sets {
			if value, ok := set[d.Field]; ok && !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		if len(values) > 1 {
			names = append(names, d.Field)
		}
	}
	return names
}

// datasetLabels returns short names of data sets: the base name of a path unless two paths share it, followed
// by the targets if the user selected them.
func datasetLabels(sources []rundir.Config) []string {
	labels, count := make([]string, len(sources)), map[string]int{}
	for i, c := range sources {
		labels[i] = filepath.Base(c.Dataset)
		if len(c.Targets) > 0 {
			labels[i] += ":" + c.Field(rundir.TargetsField)
		}
		count[labels[i]]++
	}
	versions := map[string]int{}
	for i, c := range sources {
		if count[labels[i]] > 1 {
			labels[i] = strings.Replace(labels[i], filepath.Base(c.Dataset), c.Dataset, 1)
		}
		versions[labels[i]]++
		if n := versions[labels[i]]; n > 1 { // The file has changed between the runs.
			labels[i] += fmt.Sprintf(" (version %d)", n)
		}
	}
	return labels
}

// severalTargets reports whether the run was tested on several real targets.
func (r Run) severalTargets() bool { return metric.OfInfo(&r.Info).SeveralTargets() }
