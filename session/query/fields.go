package query

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Field is a property of runs that queries can filter and sort by.
type Field struct {
	Name string
	// Help is a description of one line.
	Help string
	// Hyperparameter is set for hyperparameters, which not every run has.
	Hyperparameter bool
}

// Fields returns all fields: run properties, metrics, and every hyperparameter of any family and of
// training.
func Fields() []Field {
	var list []Field
	for _, f := range fields {
		list = append(list, f.Field)
	}
	return list
}

// Find returns the field with a current or former name, ignoring case.
func Find(name string) (Field, bool) {
	f, ok := lookup(name)
	return f.Field, ok
}

// kind is the type of a field's values.
type kind int

const (
	text kind = iota
	number
	duration // seconds
	date     // seconds since 1970
	setting  // value of a hyperparameter
)

// field is a Field with accessors for its value.
type field struct {
	Field
	also []string // alternative names
	kind kind
	// texts returns the non-empty texts of the field. If number is set, texts is used only to test
	// for presence.
	texts func(*rundir.Info) []string
	// number returns NaN if the run has no value. It is nil for the kinds text and setting.
	number func(*rundir.Info) float64
	// meaning identifies what the number measures, since only numbers with the same meaning can be
	// compared. It is nil if all runs share one meaning.
	meaning func(*rundir.Info) string
	hyper   models.Hyperparameter // set for the kind setting
}

// matchesParts reports whether queries may match parts of the hyperparameter's values.
func (f field) matchesParts() bool {
	return f.hyper.Kind == family.Choice || f.hyper.Kind == family.Text || f.hyper.Kind == family.IntList
}

// fields lists all fields in the order of Fields.
var fields = slices.Concat(runFields(), metricFields(), hyperparameterFields())

// wordFields lists the fields that bare words are matched against.
var wordFields = func() []field {
	var list []field
	for _, name := range []string{"id", "name", "dataset", "family", "tag", "note"} {
		f, _ := lookup(name)
		list = append(list, f)
	}
	return list
}()

// lookup returns the field with a name, ignoring case. The field may also be the score of one
// output.
func lookup(name string) (field, bool) {
	same := func(other string) bool { return strings.EqualFold(other, name) }
	i := slices.IndexFunc(fields, func(f field) bool { return same(f.Name) })
	if i < 0 {
		i = slices.IndexFunc(fields, func(f field) bool { return slices.ContainsFunc(f.also, same) })
	}
	if i >= 0 {
		return fields[i], true
	}
	if m, ok := metric.Find(name); ok { // score of one output
		return metricField(m), true
	}
	return field{}, false
}

func textField(name, help string, get func(*rundir.Info) string) field {
	return field{Field: Field{Name: name, Help: help}, kind: text, texts: func(run *rundir.Info) []string {
		if value := get(run); value != "" {
			return []string{value}
		}
		return nil
	}}
}

func numberField(kind kind, name, help string, get func(*rundir.Info) float64) field {
	return field{Field: Field{Name: name, Help: help}, kind: kind, number: get,
		texts: func(run *rundir.Info) []string {
			if x := get(run); !math.IsNaN(x) {
				return []string{strconv.FormatFloat(x, 'g', -1, 64)}
			}
			return nil
		}}
}

// states returns the words that match the state of a run: the word shown in lists and, for an ended
// run, "ended".
func states(i *rundir.Info) []string {
	if word := i.Status(); word != string(i.State) {
		return []string{word, string(i.State)}
	}
	return []string{string(i.State)}
}

// runFields returns the fields that every run has.
func runFields() []field {
	stop := func(i *rundir.Info) string {
		if i.Summary == nil {
			return ""
		}
		return string(i.Summary.Stop)
	}
	created := func(i *rundir.Info) float64 {
		if i.Created.IsZero() {
			return math.NaN()
		}
		return unixSeconds(i.Created)
	}
	tags := field{
		Field: Field{Name: "tag", Help: "tags"},
		texts: func(i *rundir.Info) []string { return i.Notes.Tags },
	}
	state := field{
		Field: Field{
			Name: "state",
			Help: "running, interrupted, broken or ended; ended runs are also finished, stopped early, " +
				"settled, converged, stopped or failed",
		},
		texts: states,
	}
	return []field{
		textField("id", "run ID", func(i *rundir.Info) string { return i.ID }),
		textField("name", "user-defined name", func(i *rundir.Info) string {
			return i.Notes.Name
		}),
		tags,
		textField("note", "note text", func(i *rundir.Info) string { return i.Notes.Note }),
		state,
		textField("stop", "why the run ended: steps, early, settled, converged, asked or failed", stop),
		textField("drift",
			"drift at the end: improving, overfitting, settled or undecided (too short, or within noise)",
			func(i *rundir.Info) string { return i.Summary.Verdict() }),
		textField("dataset", "data set name or file path", func(i *rundir.Info) string {
			return i.Config.Dataset
		}),
		textField("family", "model family", func(i *rundir.Info) string { return i.Config.Family }),
		textField("preset",
			"preset of the run (see \"dgplab families NAME\"), or default",
			presetOf),
		textField("split", "split, for example standard:3", func(i *rundir.Info) string {
			return i.Config.Split
		}),
		numberField(number, "seed", "seed", func(i *rundir.Info) float64 { return float64(i.Config.Seed) }),
		numberField(date, "created", "start time", created),
		textField("parent", "ID of the run it was forked from", func(i *rundir.Info) string {
			return i.Parent
		}),
		textField("sweep", "name of its sweep", func(i *rundir.Info) string {
			return i.Sweep
		}),
	}
}

// presetOf returns the preset of a run, or "" if its configuration cannot be read.
func presetOf(i *rundir.Info) string {
	if i.Config.Family == "" {
		return ""
	}
	return cmp.Or(i.Config.Preset, rundir.DefaultPreset)
}

// metricFields returns the metric fields. They are read from the summary of an ended run, and from
// the last report line of other runs.
func metricFields() []field {
	var list []field
	for _, m := range metric.All() {
		list = append(list, metricField(m))
	}
	return list
}

// metricField returns the field of a metric.
func metricField(m metric.Metric) field {
	kind, help := number, m.Name
	if m.Format == metric.Time {
		kind = duration
	}
	if m.Note != "" {
		help += ", " + m.Note
	}
	f := numberField(kind, m.Key, help, func(i *rundir.Info) float64 {
		if value, ok := m.Of(metric.OfRun(i)); ok {
			return value
		}
		return math.NaN()
	})
	f.also = m.Also
	if m.Within == metric.SameObjective {
		f.Help += "; sorted within each kind of objective"
		f.meaning = func(i *rundir.Info) string {
			is := metric.OfRun(i).Is
			return string(is.Kind) + " " + is.Name
		}
	}
	return f
}

// hyperparameterFields returns the hyperparameters of all families and of training. Each name
// occurs once, with the kind it has in the first family that has it.
func hyperparameterFields() []field {
	var list []field
	known := map[string]bool{}
	add := func(hyperparameters []models.Hyperparameter) {
		for _, h := range hyperparameters {
			if known[h.Name] {
				continue
			}
			known[h.Name] = true
			f := textField(h.Name, h.Help, func(i *rundir.Info) string { return i.Values[h.Name] })
			f.kind, f.hyper, f.Hyperparameter = setting, h, true
			list = append(list, f)
		}
	}
	for _, spec := range models.Families() {
		add(spec.Hyperparameters)
	}
	add(session.Hyperparameters())
	return list
}
