package metric

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// properties holds the columns that every run has.
var properties = []Column{
	property("id", "run", "run ID", Run.ID),
	property("name", "name", "user-defined name", func(r Run) string { return r.info.Notes.Name }),
	{
		Key: "tag", Name: "tags", Short: "tags", Format: Text,
		text: func(r Run) string { return strings.Join(r.info.Notes.Tags, " ") },
		each: func(r Run, visit func(string) bool) bool {
			return slices.ContainsFunc(r.info.Notes.Tags, visit)
		},
	},
	property("note", "note", "note text", func(r Run) string { return r.info.Notes.Note }),
	{
		Key: "state", Short: "state", Format: Text,
		Name: "running, interrupted, broken or ended; ended runs are also finished, stopped early, " +
			"settled, converged, stopped or failed",
		text: Run.State,
		cell: func(r Run) string {
			if r.info.State != rundir.Running || r.info.Steps == 0 {
				return r.State()
			}
			done := math.Min(float64(r.info.Step)/float64(r.info.Steps), 1)
			return fmt.Sprintf("%s %2.0f%%", r.State(), 100*done)
		},
		each: func(r Run, visit func(string) bool) bool {
			return visit(r.State()) || r.info.State == rundir.Ended && visit(string(rundir.Ended))
		},
	},
	property("stop", "stop", "why the run ended: steps, early, settled, converged, asked, rung or failed",
		func(r Run) string { return string(r.results.Stop) }),
	property("drift", "drift",
		"drift at the end: improving, overfitting, settled or undecided (too short, or within noise)",
		func(r Run) string {
			if r.info.State != rundir.Ended {
				return ""
			}
			return r.results.Verdict()
		}),
	{
		Key: "dataset", Name: "data set name or file path", Short: "dataset", Format: Text,
		text: func(r Run) string { return r.info.Dataset },
		cell: func(r Run) string { return DatasetName(r.info.Dataset) },
		each: func(r Run, visit func(string) bool) bool {
			return r.info.Dataset != "" && (visit(r.info.Dataset) || visit(DatasetName(r.info.Dataset)))
		},
	},
	property("family", "family", "model family", func(r Run) string { return r.info.Family }),
	property("preset", "preset", `preset of the run (see "dgplab families NAME"), or default`,
		func(r Run) string {
			if r.info.Family == "" {
				return "" // The configuration cannot be read.
			}
			return cmp.Or(r.info.Preset, rundir.DefaultPreset)
		}),
	property("split", "split", "split, for example standard:3", func(r Run) string {
		return r.info.Split
	}),
	{
		Key: "seed", Name: "seed", Short: "seed", Format: Count,
		cell: func(r Run) string {
			if r.info.Family == "" {
				return "" // The configuration cannot be read.
			}
			return strconv.FormatUint(r.info.Seed, 10)
		},
		read: func(r Run) (float64, bool) {
			return float64(r.info.Seed), r.info.Family != ""
		},
	},
	{
		Key: "created", Name: "start time", Short: "created", Format: Date,
		read: func(r Run) (float64, bool) {
			return UnixSeconds(r.info.Created), !r.info.Created.IsZero()
		},
	},
	property("parent", "parent", "ID of the run it was forked from", func(r Run) string {
		return r.info.Parent
	}),
	property("sweep", "sweep", "name of its sweep", func(r Run) string { return r.info.Sweep }),
}

// property returns a column of strings.
func property(key, short, name string, text func(Run) string) Column {
	return Column{Key: key, Short: short, Name: name, Format: Text, text: text}
}

// settings returns the hyperparameters of all families and the settings of the training. Each name occurs
// once, with the kind that it has in the first family that declares it.
func settings() []Column {
	var list []Column
	known := map[string]bool{}
	add := func(hyperparameters []models.Hyperparameter) {
		for _, h := range hyperparameters {
			if known[h.Name] {
				continue
			}
			known[h.Name] = true
			c := property(h.Name, h.Name, h.Help, func(r Run) string { return r.info.Values[h.Name] })
			c.Hyperparameter = &h
			list = append(list, c)
		}
	}
	for _, spec := range models.Families() {
		add(spec.Hyperparameters)
	}
	add(config.Hyperparameters())
	return list
}

// DatasetName returns the name of a data set; for a path, the name of the file.
func DatasetName(dataset string) string {
	if strings.ContainsRune(dataset, filepath.Separator) {
		return filepath.Base(dataset)
	}
	return dataset
}

// UnixSeconds returns t in seconds since 1970, as in columns of dates.
func UnixSeconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }
