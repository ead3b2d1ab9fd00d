package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/likelihood"
)

// Config holds the settings that determine the results of a run.
type Config struct {
	// Dataset is a catalogue name or the path of a CSV file.
	Dataset string `json:"dataset"`
	// Targets holds the target columns of a file, by name or number, or selected targets of a
	// catalogue data set. Empty means the last column, or the usual targets.
	Targets []string `json:"targets,omitempty"`
	// Columns holds the column types chosen for a file. It is zero for catalogue data sets.
	Columns table.Choices `json:"columns,omitzero"`
	// Split is a text that datasets.ParseSplit accepts. Empty means the default of the data set; see
	// datasets.DefaultSplit.
	Split string `json:"split"`
	// Family is a name in models.Families.
	Family string `json:"family"`
	// Set holds the hyperparameters of family and training that differ from their defaults (see
	// Hyperparameters).
	Set map[string]string `json:"set"`
	// Preset is the name of the preset that the values were taken from, or "" for the defaults. It
	// is for display only: the values are in Set.
	Preset string `json:"preset,omitempty"`
	// Seed is the seed of all random streams of the run.
	Seed uint64 `json:"seed"`
}

// Clone returns a copy that shares nothing with c.
func (c Config) Clone() Config {
	c.Targets = slices.Clone(c.Targets)
	c.Columns = c.Columns.Clone()
	set := make(map[string]string, len(c.Set))
	maps.Copy(set, c.Set)
	c.Set = set
	return c
}

// Source returns the source of the data. An invalid split is an error later.
func (c Config) Source() datasets.Source {
	s := datasets.Source{Name: c.Dataset, Targets: c.Targets, Columns: c.Columns}
	split, err := datasets.ParseSplit(c.Split)
	if err == nil {
		s.Split = split.Reading()
	}
	return s
}

// configVersion is the format of config.json.
const configVersion = 1

// ConfigFile is the content of config.json: everything needed to train the same model again.
type ConfigFile struct {
	Format  int       `json:"format"`
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	// Parent is the ID of the run that this run was forked from.
	Parent string `json:"parent,omitempty"`
	Config
	// Values holds every hyperparameter, so that the run does not depend on the defaults.
	Values models.Values `json:"values"`
	// ObjectiveIs describes the objective of the family.
	ObjectiveIs family.Objective `json:"objective_is"`
	// Sweep is the name of the run's sweep, or "" if there is none.
	Sweep string `json:"sweep,omitempty"`
	// WarmStart is the source of the initial parameters; nil without a warm start.
	WarmStart *WarmStart `json:"warm_start,omitempty"`
	// Data is zero until the data have been loaded.
	Data DataFacts `json:"data,omitzero"`
	// Adapted holds the values that were adapted to the data and the time budget.
	Adapted []Adaptation `json:"adapted,omitempty"`
	// Budget is nil without a time budget, and until the first steps have been timed.
	Budget *Budget `json:"budget,omitempty"`
	// Lost holds the steps whose report lines are lost after a repair.
	Lost []Span `json:"lost_lines,omitempty"`
}

// Adaptation is a value of ConfigFile.Values that neither the user nor the family chose: it was adapted
// to the data or to the time budget before training.
type Adaptation struct {
	Name string `json:"name"`
	// From is the chosen value, and To is its replacement.
	From string `json:"from"`
	To   string `json:"to"`
	// Why states the reason in a few words.
	Why string `json:"why"`
}

// String describes the adaptation in one line.
func (a Adaptation) String() string {
	return fmt.Sprintf("%s is %s instead of %s: %s", a.Name, a.To, a.From, a.Why)
}

// Budget records how a time budget was converted to steps.
type Budget struct {
	Seconds float64 `json:"seconds"`
	// StepSeconds is the mean time of Timed steps, including their share of validation.
	StepSeconds float64 `json:"step_seconds"`
	Timed       int     `json:"timed"`
	Steps       int     `json:"steps"`
}

// Chosen returns the value of a hyperparameter before it was adapted, or "" if there is none. Runs with equal
// chosen values use the same method.
func (c *ConfigFile) Chosen(name string) string {
	for _, a := range c.Adapted {
		if a.Name == name {
			return a.From
		}
	}
	return c.Values[name]
}

// Adapt records adaptations. If a value is adapted twice, From stays the originally chosen value.
func (c *ConfigFile) Adapt(list []Adaptation) {
	for _, a := range list {
		i := slices.IndexFunc(c.Adapted, func(old Adaptation) bool { return old.Name == a.Name })
		if i < 0 {
			c.Adapted = append(c.Adapted, a)
			continue
		}
		c.Adapted[i].To, c.Adapted[i].Why = a.To, a.Why
	}
}

// Span is the first and the last step of consecutive steps.
type Span [2]int

// String returns the span as text.
func (s Span) String() string {
	if s[0] == s[1] {
		return fmt.Sprintf("step %d", s[0])
	}
	return fmt.Sprintf("steps %d to %d", s[0], s[1])
}

// WarmStartSetting is the hyperparameter that names the run, or the family, whose parameters initialise the
// run.
const WarmStartSetting = "warm_start"

// WarmStart describes the run that supplied the initial parameters.
type WarmStart struct {
	Run    string `json:"run"`
	Family string `json:"family"`
	// Step is the step of its checkpoint. Copied names the copied parameters, Own names the parameters
	// initialised by this run, and Unused names the parameters that the model of this run does not have.
	Step   int      `json:"step"`
	Copied []string `json:"copied,omitempty"`
	Own    []string `json:"own,omitempty"`
	Unused []string `json:"unused,omitempty"`
}

// Text describes the warm start in one line, or "" for nil.
func (w *WarmStart) Text() string {
	switch {
	case w == nil:
		return ""
	case len(w.Copied) == 0:
		return w.Run + " (" + w.Family + ")"
	}
	return fmt.Sprintf("%s (%s, step %d), %d of %d parameters copied",
		w.Run, w.Family, w.Step, len(w.Copied), len(w.Copied)+len(w.Own))
}

// DataFacts identifies the data of a run. N is 0 only if the data are unknown.
type DataFacts struct {
	Task task.Task `json:"task"`
	// Rows is the number of rows of the data set. N, Validation and Test are the numbers of rows of
	// its parts.
	Rows       int `json:"rows"`
	N          int `json:"n"`
	Validation int `json:"validation"`
	Test       int `json:"test"`
	D          int `json:"d"`
	P          int `json:"p"`
	// Columns holds the columns that the inputs encode. It is nil if every input is a number from a column of
	// its own. It may be missing from a file.
	Columns []datasets.InputColumn `json:"columns,omitempty"`
	// Constant lists inputs that encode categories but do not vary in the training set, because it lacks a
	// level.
	Constant []int `json:"constant,omitempty"`
	// Classes holds the names of the classes in the order of their codes, and Counts holds the
	// number of rows of each class in the data set. They are nil for real targets.
	Classes []string `json:"classes,omitempty"`
	Counts  []int    `json:"class_counts,omitempty"`
	// Uses describes the part of the data that the family is trained on, or is "" if it uses all data.
	Uses string `json:"uses,omitempty"`
	// SHA256 is the checksum of all parts as given to the model.
	SHA256 string `json:"sha256"`
	// TestSHA256 is the checksum of the test rows in original units. Runs with the same checksum were tested
	// on the same points, regardless of their training data. It is empty if there are no test rows.
	TestSHA256 string `json:"test_sha256,omitempty"`
	// ContentSHA256 identifies a table of the user by its rows and the names of its inputs and targets,
	// regardless of its path and the options that select its columns. It is empty for other data sets, and
	// may be missing from a file.
	ContentSHA256 string `json:"content_sha256,omitempty"`
	// SplitSHA256 is the checksum of the file with the rows of the parts, or "" without one.
	SplitSHA256 string `json:"split_sha256,omitempty"`
}

// Equal reports whether f and g describe the same data. Columns are compared only if both have them.
func (f DataFacts) Equal(g DataFacts) bool {
	if f.Columns == nil || g.Columns == nil {
		f.Columns, g.Columns = nil, nil
		f.Constant, g.Constant = nil, nil
	}
	if f.ContentSHA256 == "" || g.ContentSHA256 == "" {
		f.ContentSHA256, g.ContentSHA256 = "", ""
	}
	return reflect.DeepEqual(f, g)
}

// ReadConfig reads the configuration of a run directory.
func ReadConfig(dir string) (*ConfigFile, error) {
	c := new(ConfigFile)
	path := filepath.Join(dir, configName)
	if err := ReadJSON(path, c); err != nil {
		if target, linked := os.Readlink(dir); linked == nil && errors.Is(err, fs.ErrNotExist) {
			return nil, noRunErrorf("%s is a link to %s, where there is no run", dir, target)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, noRunErrorf("%s is not a run directory: it has no %s", dir, configName)
		}
		return nil, err
	}
	if err := c.check(path); err != nil {
		return nil, err
	}
	return c, nil
}

// check returns an error if the content of the file at a path is incomplete. It replaces values of earlier
// versions.
func (c *ConfigFile) check(path string) error {
	switch {
	case c.Format != configVersion:
		return fmt.Errorf("%s: format %d; this program reads format %d", path, c.Format, configVersion)
	case c.Values == nil:
		return fmt.Errorf("%s: values are missing", path)
	case c.ObjectiveIs.Name == "":
		return fmt.Errorf("%s: objective_is has no name", path)
	}
	// Earlier versions recorded argmax, the likelihood of several classes, for all targets.
	if c.Data.Task != task.Multiclass && c.Values["likelihood"] == "argmax" {
		c.Values["likelihood"] = likelihood.Auto
		delete(c.Set, "likelihood")
	}
	return nil
}
