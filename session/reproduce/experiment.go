package reproduce

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/sweep"
)

// Quantity is what a column of an experiment measures.
type Quantity string

const (
	// Score is the mean of a metric over splits.
	Score Quantity = "score"
	// Share is the share of test points at which method A has a higher log-likelihood than method B.
	Share Quantity = "share"
	// Difference is the metric of A minus the metric of B on the same split.
	Difference Quantity = "difference"
	// Ratio is the metric of A divided by the metric of B on the same split.
	Ratio Quantity = "ratio"
	// Rank is the rank of a method among all methods of the experiment by the metric, averaged over
	// the data sets of a split.
	Rank Quantity = "rank"
)

// AllDatasets names the row of quantities that are averaged over data sets.
const AllDatasets = "all"

// Experiment is a published table or figure with the protocol that reproduces it.
type Experiment struct {
	// ID is the path of the file without its extension, such as lindinger2020/table1.
	ID string `toml:"-" json:"id"`
	// Title says what the table shows. Source is the paper, and Place the table and page.
	Title  string `toml:"title" json:"title"`
	Source string `toml:"source" json:"source"`
	Place  string `toml:"place" json:"place"`
	// Metric is the key of a metric of package metric.
	Metric string `toml:"metric" json:"metric"`
	// Spread is "se" if the published errors are standard errors of means, or "sd" if they are standard
	// deviations over the repetitions.
	Spread string `toml:"spread" json:"spread"`
	// Repetitions is the number of splits or seeds behind a published number, or 0 if it is unknown.
	Repetitions int `toml:"repetitions" json:"repetitions"`
	// Decimals is the number of decimals of the published numbers.
	Decimals int `toml:"decimals" json:"decimals"`
	// Splits and Seeds are lists of values as in a sweep, for example interpolation:0..9.
	Splits string `toml:"splits" json:"splits"`
	Seeds  string `toml:"seeds" json:"seeds"`
	// Set holds settings of all methods that have them.
	Set map[string]string `toml:"set" json:"set,omitempty"`
	// Differs lists the differences to the protocol of the paper.
	Differs []string  `toml:"differs" json:"differs"`
	Methods []Method  `toml:"method" json:"methods"`
	Columns []Column  `toml:"column" json:"columns,omitempty"`
	Data    []Dataset `toml:"data" json:"data"`

	splits []string
	seeds  []uint64
	metric metric.Column
}

// Method is a method with the settings of its runs. A method without a family is not in this program: it
// has published results only.
type Method struct {
	Name   string            `toml:"name" json:"name"`
	Family string            `toml:"family" json:"family"`
	Preset string            `toml:"preset" json:"preset,omitempty"`
	Set    map[string]string `toml:"set" json:"set,omitempty"`
}

// Column is a column of the table. A is the name of its method, and B the name of the method that A is
// compared with, if it is compared.
type Column struct {
	Name     string   `toml:"name" json:"name"`
	Quantity Quantity `toml:"quantity" json:"quantity"`
	A        string   `toml:"a" json:"a"`
	B        string   `toml:"b" json:"b,omitempty"`
}

// Dataset is a row of the table. Name is AllDatasets for the row of ranks, which has no data set.
type Dataset struct {
	Name    string `toml:"name" json:"name"`
	Dataset string `toml:"dataset" json:"dataset,omitempty"`
	// Skipped is the reason why nothing is trained on the data set, or "".
	Skipped string `toml:"skipped" json:"skipped,omitempty"`
	// Published maps columns to numbers.
	Published map[string]Published `toml:"published" json:"published"`
	// Excluded maps columns whose published numbers cannot be compared to the reasons.
	Excluded map[string]string `toml:"excluded" json:"excluded,omitempty"`
}

// Published is a published result: a number with its error, or a claim that a number is above or below a
// limit.
type Published struct {
	// Value is the number, or the limit of a claim. Error is NaN if none is stated.
	Value, Error float64
	// Claim is '>' or '<' for a claim, or 0.
	Claim byte
}

// UnmarshalTOML reads a number, a list of a number and its error, or a claim such as ">0".
func (p *Published) UnmarshalTOML(value any) error {
	*p = Published{Error: math.NaN()}
	switch v := value.(type) {
	case string:
		if v == "" || v[0] != '>' && v[0] != '<' {
			return fmt.Errorf("%q is not a claim such as >0", v)
		}
		limit, err := strconv.ParseFloat(v[1:], 64)
		p.Value, p.Claim = limit, v[0]
		return err
	case []any:
		if len(v) != 2 {
			return errors.New("want a number and its error")
		}
		var ok, also bool
		p.Value, ok = number(v[0])
		p.Error, also = number(v[1])
		if !ok || !also || p.Error < 0 {
			return errors.New("want a number and its error, which is at least 0")
		}
		return nil
	}
	var ok bool
	p.Value, ok = number(value)
	if !ok {
		return errors.New("want a number, a number and its error, or a claim such as >0")
	}
	return nil
}

// number converts a TOML number.
func number(value any) (float64, bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return math.NaN(), false
}

// parse reads an experiment and checks everything that can be checked without loading data.
func parse(id, text string) (*Experiment, error) {
	e := &Experiment{ID: id, Spread: "se", Decimals: 2, Seeds: "0"}
	meta, err := toml.Decode(text, e)
	if err != nil {
		return nil, err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("unknown entry %s", unknown[0])
	}
	return e, e.check()
}

// check validates the experiment and completes it.
func (e *Experiment) check() (err error) {
	if e.Title == "" || e.Source == "" || e.Place == "" {
		return errors.New("title, source and place are required")
	}
	if e.Spread != "se" && e.Spread != "sd" {
		return fmt.Errorf("spread: want se or sd, not %q", e.Spread)
	}
	if e.Spread == "sd" && e.Repetitions < 1 {
		return errors.New("spread sd needs the number of repetitions")
	}
	var ok bool
	e.metric, ok = metric.Find(e.Metric)
	if !ok {
		return fmt.Errorf("unknown metric %q%s", e.Metric,
			table.DidYouMean(e.Metric, metric.Keys(metric.All()), ""))
	}
	e.splits, err = sweep.Expand(e.Splits)
	if err != nil {
		return fmt.Errorf("splits: %w", err)
	}
	for i, text := range e.splits {
		split, err := datasets.ParseSplit(text)
		if err != nil {
			return fmt.Errorf("splits: %w", err)
		}
		e.splits[i] = split.String()
	}
	e.seeds, err = sweep.Seeds(e.Seeds)
	if err != nil {
		return fmt.Errorf("seeds: %w", err)
	}
	if err := e.checkColumns(); err != nil {
		return err
	}
	for i := range e.Data {
		if err := e.checkData(&e.Data[i]); err != nil {
			return fmt.Errorf("data %s: %w", e.Data[i].Name, err)
		}
	}
	for i := range e.Methods {
		m := &e.Methods[i]
		if m.Family == "" {
			continue
		}
		list, err := config.FamilyHyperparameters(m.Family)
		if err != nil {
			return fmt.Errorf("method %s: %w", m.Name, err)
		}
		known := family.Names(list)
		set := map[string]string{}
		for name, value := range e.Set {
			if slices.Contains(known, name) {
				set[name] = value
			}
		}
		maps.Copy(set, m.Set)
		m.Set = set
	}
	return e.checkSettings()
}

// probe is a data set of the program itself, on which settings are checked.
const probe = "steps"

// checkSettings checks the settings of the methods, even if the data sets are not downloaded.
func (e *Experiment) checkSettings() error {
	g := e.Grid()
	g.Datasets, g.Splits = []string{probe}, nil
	_, err := g.Cells()
	return err
}

// checkColumns validates the methods and columns. Without columns, each method is one.
func (e *Experiment) checkColumns() error {
	var names []string
	for _, m := range e.Methods {
		if m.Name == "" || slices.Contains(names, m.Name) {
			return fmt.Errorf("method %q: names must differ", m.Name)
		}
		names = append(names, m.Name)
	}
	if len(names) == 0 {
		return errors.New("no method is given")
	}
	if len(e.Columns) == 0 {
		for _, name := range names {
			e.Columns = append(e.Columns, Column{Name: name, A: name, Quantity: Score})
		}
	}
	for _, c := range e.Columns {
		switch c.Quantity {
		case Score, Rank:
			if c.B != "" {
				return fmt.Errorf("column %s: a %s has no method b", c.Name, c.Quantity)
			}
		case Share, Difference, Ratio:
			if !slices.Contains(names, c.B) {
				return fmt.Errorf("column %s: unknown method %q", c.Name, c.B)
			}
		default:
			return fmt.Errorf("column %s: unknown quantity %q", c.Name, c.Quantity)
		}
		if !slices.Contains(names, c.A) {
			return fmt.Errorf("column %s: unknown method %q", c.Name, c.A)
		}
	}
	return nil
}

// checkData validates a row.
func (e *Experiment) checkData(d *Dataset) error {
	if d.Name != AllDatasets && d.Skipped == "" {
		if d.Dataset == "" {
			d.Dataset = d.Name
		}
		if _, err := datasets.Lookup(d.Dataset); err != nil {
			return err
		}
	}
	for name := range d.Published {
		i := slices.IndexFunc(e.Columns, func(c Column) bool { return c.Name == name })
		if i < 0 {
			return fmt.Errorf("unknown column %q", name)
		}
		if (e.Columns[i].Quantity == Rank) != (d.Name == AllDatasets) {
			return fmt.Errorf("column %q: ranks belong to the row %s", name, AllDatasets)
		}
	}
	for name := range d.Excluded {
		if _, ok := d.Published[name]; !ok {
			return fmt.Errorf("excluded column %q has no published number", name)
		}
	}
	return nil
}

// Ranking returns the metric of the experiment.
func (e *Experiment) Ranking() metric.Column { return e.metric }

// Here reports whether the data set can be trained on without a download.
func (d *Dataset) Here() bool {
	info, err := datasets.Lookup(d.Dataset)
	return err == nil && info.Cached
}

// Missing returns the data sets that must be downloaded first.
func (e *Experiment) Missing() (names []string) {
	for i := range e.Data {
		d := &e.Data[i]
		if d.Dataset != "" && !d.Here() {
			names = append(names, d.Dataset)
		}
	}
	return names
}

// Runs returns the number of runs of the experiment, including those on data sets that are missing.
func (e *Experiment) Runs() int {
	methods, rows := 0, 0
	for _, m := range e.Methods {
		if m.Family != "" {
			methods++
		}
	}
	for _, d := range e.Data {
		if d.Dataset != "" {
			rows++
		}
	}
	return methods * rows * len(e.splits) * len(e.seeds)
}

// Grid returns the sweep of the runs of the experiment on all data sets that are here.
func (e *Experiment) Grid() sweep.Grid {
	g := sweep.Grid{Splits: e.splits, Seeds: e.seeds}
	for i := range e.Data {
		d := &e.Data[i]
		if d.Here() && !slices.Contains(g.Datasets, d.Dataset) {
			g.Datasets = append(g.Datasets, d.Dataset)
		}
	}
	for _, m := range e.Methods {
		if m.Family == "" {
			continue
		}
		g.Methods = append(g.Methods, sweep.Method{Family: m.Family, Preset: m.Preset, Set: m.Set})
	}
	return g
}

// SweepName returns the name of the sweep that trains the experiment.
func (e *Experiment) SweepName() string { return strings.ReplaceAll(e.ID, "/", "-") }
