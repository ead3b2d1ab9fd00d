package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"dgplab/datasets"
	"dgplab/datasets/columns"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
)

// Config is all that determines a run's numbers.
type Config struct {
	// Dataset is a catalogue name or the path of a CSV file.
	Dataset string `json:"dataset"`
	// Targets names or numbers the target columns of a file, or some targets of a set that
	// has a name; empty means the last column, or the usual ones.
	Targets []string `json:"targets,omitempty"`
	// Columns says what the columns of a file are, where the file does not, and by which
	// rules it is read; zero for a set that has a name.
	Columns columns.Choices `json:"columns,omitzero"`
	// Split is "standard:K", "interpolation:SEED", "random811:SEED", "extrapolation:SEED"
	// or "outputs:TARGET:K"; empty means standard:0 where there are official splits, else interpolation:0.
	Split string `json:"split"`
	// Family is a name of models.Families.
	Family string `json:"family"`
	// Set holds hyperparameters that differ from their defaults, of the family and
	// of the training (see Hyperparameters).
	Set map[string]string `json:"set"`
	// Preset names the preset that the values were taken from, "" for the defaults.
	// It is there to be shown: the values are in Set.
	Preset string `json:"preset,omitempty"`
	// Seed starts every random stream of the run.
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

// Source returns what the data are loaded from.
func (c Config) Source() datasets.Source {
	return datasets.Source{Name: c.Dataset, Targets: c.Targets, Columns: c.Columns}
}

// Recorded returns a configuration as it was meant when it was recorded: files without a
// word on their columns were read by the first rules.
func (c Config) Recorded() Config {
	if c.Columns.IsZero() && filepath.IsAbs(c.Dataset) {
		c.Columns.Rules = columns.FirstRules
	}
	return c
}

// configVersion is the format of config.json.
const configVersion = 1

// ConfigFile is config.json: all that is needed to train the same model again.
type ConfigFile struct {
	Format  int       `json:"format"`
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	// Parent is the ID of the run that this one is a fork of.
	Parent string `json:"parent,omitempty"`
	Config
	// Values holds every hyperparameter, so that new defaults do not change an old run.
	Values models.Values `json:"values"`
	// ObjectiveIs is what the family maximises.
	ObjectiveIs family.Objective `json:"objective_is"`
	// Sweep names the sweep that the run belongs to, if there is one.
	Sweep string `json:"sweep,omitempty"`
	// WarmStart is what the run started from; nil for its own start.
	WarmStart *WarmStart `json:"warm_start,omitempty"`
	// Data is nil until the data was loaded.
	Data *DataFacts `json:"data,omitempty"`
	// Lost are the steps whose report lines a repair could not bring back.
	Lost []Span `json:"lost_lines,omitempty"`
}

// Span is some steps in a row, the first and the last one.
type Span [2]int

// String says it in words.
func (s Span) String() string {
	if s[0] == s[1] {
		return fmt.Sprintf("step %d", s[0])
	}
	return fmt.Sprintf("steps %d to %d", s[0], s[1])
}

// WarmStartSetting is the hyperparameter that names the run, or the family, that a run
// starts from.
const WarmStartSetting = "warm_start"

// WarmStart is the run whose parameters another one starts from.
type WarmStart struct {
	Run    string `json:"run"`
	Family string `json:"family"`
	// Step is that of its checkpoint. Copied are the names of parameters that were taken over,
	// Own those that are as at this run's own start, Unused those that it has no place for.
	Step   int      `json:"step"`
	Copied []string `json:"copied,omitempty"`
	Own    []string `json:"own,omitempty"`
	Unused []string `json:"unused,omitempty"`
}

// Text says in one line what a run started from, "" for nil.
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

// elbo is what was maximised by all families of versions that did not say it.
func elbo() family.Objective {
	return family.Objective{
		Name: "ELBO", Kind: family.Bound, Noisy: true,
		Terms:  []family.Reading{family.ExpectedLogLik, family.KL},
		Gauges: []family.Reading{family.GradientNorm},
	}
}

// DataFacts identify the data of a run.
type DataFacts struct {
	Task task.Task `json:"task"`
	// Rows are all rows of the data set; N, Validation and Test are those of the parts.
	Rows       int `json:"rows"`
	N          int `json:"n"`
	Validation int `json:"validation"`
	Test       int `json:"test"`
	D          int `json:"d"`
	P          int `json:"p"`
	// Classes names the classes of the target in the order of their codes, and Counts the
	// rows of the data set that have each; absent for real targets and in older files.
	Classes []string `json:"classes,omitempty"`
	Counts  []int    `json:"class_counts,omitempty"`
	// Uses says what of the data the family is trained on, where that is not all.
	Uses string `json:"uses,omitempty"`
	// SHA256 is over all parts as they were given to the model.
	SHA256 string `json:"sha256"`
	// TestSHA256 is over the rows of the test part in original units: runs with
	// the same one were tested on the same points, whatever their training part is.
	// It is empty in runs of older versions.
	TestSHA256 string `json:"test_sha256,omitempty"`
}

// Same says whether the data of an earlier run are these.
func (f DataFacts) Same(old DataFacts) bool {
	if old.TestSHA256 == "" {
		f.TestSHA256 = ""
	}
	if old.Classes == nil {
		f.Classes, f.Counts = nil, nil
	}
	return reflect.DeepEqual(f, old)
}

// ReadConfig reads the configuration of a run directory.
func ReadConfig(dir string) (*ConfigFile, error) {
	c := &ConfigFile{ObjectiveIs: elbo()}
	path := filepath.Join(dir, configName)
	if err := ReadJSON(path, c); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is no run directory: it has no %s", dir, configName)
		}
		return nil, err
	}
	if c.Format != configVersion {
		return nil, fmt.Errorf("%s: format %d; this program reads format %d", path, c.Format, configVersion)
	}
	c.complete()
	c.Config = c.Config.Recorded()
	return c, nil
}

// complete gives hyperparameters that a version of this program did not have the values
// by which its runs were trained.
func (c *ConfigFile) complete() {
	spec, err := models.Lookup(c.Family)
	if err != nil || c.Values == nil {
		return
	}
	for _, h := range spec.Hyperparameters {
		if _, has := c.Values[h.Name]; !has && h.Before != "" {
			c.Values[h.Name] = h.Before
		}
	}
}
