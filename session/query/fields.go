package query

import (
	"math"
	"strconv"
	"strings"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/rundir"
)

// Field is something known of a run by which runs can be picked and ordered.
type Field struct {
	Name string
	// Help is one line.
	Help string
	// Hyperparameter says that it is one, and not every run has it.
	Hyperparameter bool
}

// Fields returns all fields: those of the run, its scores, and every
// hyperparameter of any family and of the training.
func Fields() []Field {
	var list []Field
	for _, f := range fields {
		list = append(list, f.Field)
	}
	return list
}

// kind is what values of a field are.
type kind int

const (
	text kind = iota
	number
	duration // seconds
	date     // seconds since 1970
	setting  // of a hyperparameter
)

// field is a Field with the way to its value.
type field struct {
	Field
	kind kind
	// texts returns the texts of the field that are not empty. Where number is set,
	// it tells only whether there is one.
	texts func(*rundir.Info) []string
	// number is NaN where the run has none. It is nil for text and setting.
	number func(*rundir.Info) float64
	hyper  models.Hyperparameter // of a setting
}

// wordy reports whether part of a value of a hyperparameter means anything.
func (f field) wordy() bool {
	return f.hyper.Kind == family.Choice || f.hyper.Kind == family.Text || f.hyper.Kind == family.IntList
}

// fields are all fields, in the order of Fields.
var fields = append(append(ofRun(), ofScores()...), settings()...)

// bare are the fields in which a bare word is looked for.
var bare = func() []field {
	var list []field
	for _, name := range []string{"id", "name", "dataset", "family", "tag", "note"} {
		f, _ := lookup(name)
		list = append(list, f)
	}
	return list
}()

// lookup returns the field of a name, in any case.
func lookup(name string) (field, bool) {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return f, true
		}
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
	return field{Field: Field{Name: name, Help: help}, kind: kind, number: get, texts: func(run *rundir.Info) []string {
		if x := get(run); !math.IsNaN(x) {
			return []string{strconv.FormatFloat(x, 'g', -1, 64)}
		}
		return nil
	}}
}

// states are the words for where a run stands: as lists show it, and that it ended.
func states(i *rundir.Info) []string {
	if word := i.Standing(); word != string(i.State) {
		return []string{word, string(i.State)}
	}
	return []string{string(i.State)}
}

// ofRun are the fields that every run has.
func ofRun() []field {
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
	tags := field{Field: Field{Name: "tag", Help: "any of its tags"}, texts: func(i *rundir.Info) []string { return i.Notes.Tags }}
	state := field{Field: Field{Name: "state", Help: "running, interrupted, broken or ended; an ended run is also finished, stopped early, stopped or failed"}, texts: states}
	return []field{
		textField("id", "the run's ID", func(i *rundir.Info) string { return i.ID }),
		textField("name", "the name that somebody gave it", func(i *rundir.Info) string { return i.Notes.Name }),
		tags,
		textField("note", "the note", func(i *rundir.Info) string { return i.Notes.Note }),
		state,
		textField("stop", "why it ended: steps, early, asked or failed", stop),
		textField("dataset", "data set: a name or the path of a file", func(i *rundir.Info) string { return i.Config.Dataset }),
		textField("family", "model family", func(i *rundir.Info) string { return i.Config.Family }),
		textField("split", "split, for example standard:3", func(i *rundir.Info) string { return i.Config.Split }),
		numberField(number, "seed", "seed", func(i *rundir.Info) float64 { return float64(i.Config.Seed) }),
		numberField(date, "created", "when it was started", created),
		textField("parent", "ID of the run that it is a fork of", func(i *rundir.Info) string { return i.Parent }),
		textField("sweep", "name of the sweep that it belongs to", func(i *rundir.Info) string { return i.Sweep }),
	}
}

// ofScores are the fields that are measured. An ended run has those of its
// summary, another one those of its last report line.
func ofScores() []field {
	lately := func(ended func(*rundir.Summary) float64, last func(rundir.Point) float64) func(*rundir.Info) float64 {
		return func(i *rundir.Info) float64 {
			if i.Summary != nil {
				return ended(i.Summary)
			}
			return last(i.Last)
		}
	}
	none := func(rundir.Point) float64 { return math.NaN() }
	rescues := func(p rundir.Point) float64 {
		if p.Step == 0 { // There is no report line yet.
			return math.NaN()
		}
		return float64(p.Rescues)
	}
	best := func(s *rundir.Summary) float64 {
		if s.BestStep == 0 {
			return math.NaN()
		}
		return float64(s.BestVal)
	}
	list := []field{
		numberField(number, "step", "steps done", func(i *rundir.Info) float64 { return float64(i.Step) }),
		numberField(duration, "seconds", "training time without pauses",
			lately(func(s *rundir.Summary) float64 { return s.Seconds }, func(p rundir.Point) float64 { return p.Seconds })),
		numberField(number, "elbo", "objective of the last step",
			lately(func(s *rundir.Summary) float64 { return float64(s.Objective) }, func(p rundir.Point) float64 { return p.Objective })),
		numberField(number, "kl", "its KL part",
			lately(func(s *rundir.Summary) float64 { return float64(s.KL) }, func(p rundir.Point) float64 { return p.KL })),
		numberField(number, "val.best", "best validation log-likelihood of an ended run", lately(best, none)),
		numberField(number, "rescues", "jitter rescues",
			lately(func(s *rundir.Summary) float64 { return float64(s.Rescues) }, rescues)),
	}
	return append(list, ofTest()...)
}

// ofTest are the scores on the test part.
func ofTest() []field {
	score := func(name, help string, get func(*rundir.Metrics) *float64) field {
		return numberField(number, "test."+name, help, func(i *rundir.Info) float64 {
			if i.Summary == nil || i.Summary.Test == nil {
				return math.NaN()
			}
			if x := get(i.Summary.Test); x != nil {
				return *x
			}
			return math.NaN()
		})
	}
	list := []field{
		score("log_lik", "test log-likelihood, original units", func(m *rundir.Metrics) *float64 { return &m.LogLik }),
		score("rmse", "test RMSE", func(m *rundir.Metrics) *float64 { return m.RMSE }),
		score("crps", "test CRPS", func(m *rundir.Metrics) *float64 { return m.CRPS }),
	}
	for _, level := range []string{"50", "90", "95"} {
		list = append(list, score("coverage"+level, "share of test points in their "+level+" % interval, from 0 to 1", func(m *rundir.Metrics) *float64 {
			if share, ok := m.Coverage[level]; ok {
				return &share
			}
			return nil
		}))
	}
	return append(list,
		score("error_rate", "test error rate", func(m *rundir.Metrics) *float64 { return m.ErrorRate }),
		score("accuracy", "test accuracy", func(m *rundir.Metrics) *float64 { return m.Accuracy }),
		score("log_loss", "test log-loss", func(m *rundir.Metrics) *float64 { return m.LogLoss }),
	)
}

// settings are the hyperparameters of all families and of the training, each name
// once, with the kind that it has in the first family that has it.
func settings() []field {
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
