package reproduce

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"dgplab/datasets"
	"dgplab/datasets/files"
	"dgplab/datasets/wording"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
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
	// Wider is the mean predictive variance of A divided by that of B at the same test points, and
	// Underestimated the mean squared error of A divided by its mean predictive variance.
	Wider          Quantity = "wider"
	Underestimated Quantity = "underestimated"
)

// AllDatasets names the row of quantities that are averaged over data sets.
const AllDatasets = "all"

// Experiment is a published table or figure with the protocol that reproduces it.
type Experiment struct {
	// ID is the path of the file without its extension, such as lindinger2020/table1.
	ID string `toml:"-" json:"id"`
	// Title describes the contents of the table. Source is the paper, and Place the table and page.
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
	// allSplits and allData are the numbers of splits and data sets of the protocol, also if this is a Part.
	allSplits, allData int
	// overrides are the settings that differ from the file; see Override.
	overrides []string
	// resized is set if one of them is the length of training or the number of inducing points.
	resized bool
	// lines are the lines of the file.
	lines []string
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

// MarshalJSON writes the error of a number that has none as null.
func (p Published) MarshalJSON() ([]byte, error) {
	claim := ""
	if p.Claim != 0 {
		claim = string(p.Claim)
	}
	return json.Marshal(struct {
		Value float64       `json:"value"`
		Error rundir.Number `json:"error"`
		Claim string        `json:"claim,omitempty"`
	}{p.Value, rundir.Number(p.Error), claim})
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

// parse reads an experiment and checks everything that can be checked without loading data. Errors start
// with the line of the entry that is wrong.
func parse(id, text string) (*Experiment, error) {
	e := &Experiment{ID: id, Spread: "se", Decimals: 2, Seeds: "0", lines: strings.Split(text, "\n")}
	if files.NestsDeeply(text, maxDepth) {
		return nil, fmt.Errorf("more than %d inline tables, or parts of a dotted key", maxDepth)
	}
	meta, err := toml.Decode(text, e)
	if err != nil {
		return nil, err
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0]
		return nil, e.at(e.lineOfKey(key[len(key)-1]), fmt.Errorf("unknown entry %s", key))
	}
	return e, e.check()
}

// at returns an error with the number of its line, or the error if the line is 0.
func (e *Experiment) at(line int, err error) error {
	if line == 0 {
		return err
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// lineOfKey returns the number of the first line that sets a key, or 0.
func (e *Experiment) lineOfKey(key string) int {
	return 1 + slices.IndexFunc(e.lines, func(line string) bool {
		name, _, ok := strings.Cut(line, "=")
		return ok && strings.Trim(name, " \t\"") == key
	})
}

// lineOfTable returns the number of the line with the i-th header of a list of tables, such as method, or 0.
func (e *Experiment) lineOfTable(name string, i int) int {
	for n, line := range e.lines {
		if strings.TrimSpace(line) == "[["+name+"]]" {
			if i == 0 {
				return n + 1
			}
			i--
		}
	}
	return 0
}

// check validates the experiment and completes it.
func (e *Experiment) check() error {
	if e.Title == "" || e.Source == "" || e.Place == "" {
		return errors.New("title, source and place are required")
	}
	for _, c := range []struct {
		key   string
		check func() error
	}{
		{"spread", e.checkSpread}, {"metric", e.checkMetric}, {"splits", e.checkSplits},
		{"seeds", e.checkSeeds},
	} {
		if err := c.check(); err != nil {
			return e.at(e.lineOfKey(c.key), fmt.Errorf("%s: %w", c.key, err))
		}
	}
	if err := e.checkColumns(); err != nil {
		return err
	}
	for i := range e.Data {
		if err := e.checkData(&e.Data[i]); err != nil {
			return e.at(e.lineOfTable("data", i), fmt.Errorf("data %s: %w", e.Data[i].Name, err))
		}
	}
	for i := range e.Methods {
		if err := e.checkMethod(&e.Methods[i]); err != nil {
			return e.at(e.lineOfTable("method", i), fmt.Errorf("method %s: %w", e.Methods[i].Name, err))
		}
	}
	e.allSplits = len(e.splits)
	e.allData = len(e.datasets())
	return nil
}

func (e *Experiment) checkSpread() error {
	if e.Spread != "se" && e.Spread != "sd" {
		return fmt.Errorf("want se or sd, not %q", e.Spread)
	}
	if e.Spread == "sd" && e.Repetitions < 1 {
		return errors.New("sd needs the number of repetitions")
	}
	return nil
}

func (e *Experiment) checkMetric() error {
	var ok bool
	e.metric, ok = metric.Find(e.Metric)
	if !ok {
		return fmt.Errorf("unknown metric %q%s", e.Metric,
			wording.DidYouMean(e.Metric, metric.Keys(metric.All()), ""))
	}
	return nil
}

func (e *Experiment) checkSplits() (err error) {
	e.splits, err = sweep.Expand(e.Splits)
	if err != nil {
		return err
	}
	for i, text := range e.splits {
		split, err := datasets.ParseSplit(text)
		if err != nil {
			return err
		}
		e.splits[i] = split.String()
	}
	return nil
}

func (e *Experiment) checkSeeds() (err error) {
	e.seeds, err = sweep.Seeds(e.Seeds)
	return err
}

// checkMethod validates the family and the settings of a method, and adds the settings for all methods. It
// does not need the data sets.
func (e *Experiment) checkMethod(m *Method) error {
	if m.Family == "" {
		return nil
	}
	known, err := settingsOf(m.Family)
	if err != nil {
		return err
	}
	set := map[string]string{}
	for name, value := range e.Set {
		if slices.Contains(known, name) {
			set[name] = value
		}
	}
	maps.Copy(set, m.Set)
	m.Set = set
	_, err = m.resolved()
	return err
}

// settingsOf returns the names of the settings of a family.
func settingsOf(name string) ([]string, error) {
	list, err := config.FamilyHyperparameters(name)
	return family.Names(list), err
}

// probe is a data set of the program itself, on which settings are checked.
const probe = "steps"

// inducingSetting is the number of inducing points.
const inducingSetting = "inducing"

// Override changes a setting of all methods that have it, or of the methods of the family of the axis. The
// axis has one value.
func (e *Experiment) Override(axis sweep.Axis) error {
	text := axis.Name + "=" + strings.Join(axis.Values, ",")
	if axis.Family != "" {
		text = axis.Family + "." + text
	}
	if len(axis.Values) != 1 {
		return fmt.Errorf("%s: want one value", text)
	}
	methods := slices.Clone(e.Methods)
	changed := 0
	for i := range methods {
		m := &methods[i]
		if m.Family == "" || axis.Family != "" && axis.Family != m.Family {
			continue
		}
		known, err := settingsOf(m.Family)
		if err != nil {
			return err
		}
		if !slices.Contains(known, axis.Name) {
			continue
		}
		m.Set = maps.Clone(m.Set)
		m.Set[axis.Name] = axis.Values[0]
		if _, err := m.resolved(); err != nil {
			return fmt.Errorf("method %s: %w", m.Name, err)
		}
		changed++
	}
	if changed == 0 {
		return fmt.Errorf("%s: no method of %s has this setting", text, e.ID)
	}
	e.Methods = methods
	e.overrides = append(e.overrides, text)
	if axis.Name == inducingSetting || slices.Contains(rundir.LengthSettings(), axis.Name) {
		e.resized = true
	}
	return nil
}

// checkColumns validates the methods and columns. Without columns, each method is one.
func (e *Experiment) checkColumns() error {
	var names []string
	for i, m := range e.Methods {
		if m.Name == "" || slices.Contains(names, m.Name) {
			return e.at(e.lineOfTable("method", i), fmt.Errorf("method %q: names must differ", m.Name))
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
	for i, c := range e.Columns {
		if err := c.check(names); err != nil {
			return e.at(e.lineOfTable("column", i), fmt.Errorf("column %s: %w", c.Name, err))
		}
	}
	return nil
}

// check validates a column of a table with the named methods.
func (c Column) check(methods []string) error {
	switch c.Quantity {
	case Score, Rank, Underestimated:
		if c.B != "" {
			return fmt.Errorf("a %s has no method b", c.Quantity)
		}
	case Share, Difference, Ratio, Wider:
		if !slices.Contains(methods, c.B) {
			return fmt.Errorf("unknown method %q", c.B)
		}
	default:
		return fmt.Errorf("unknown quantity %q", c.Quantity)
	}
	if !slices.Contains(methods, c.A) {
		return fmt.Errorf("unknown method %q", c.A)
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
func (d *Dataset) Here() bool { return here(d.Dataset) }

func here(dataset string) bool {
	info, err := datasets.Lookup(dataset)
	return err == nil && info.Cached
}

// Missing returns the data sets that must be downloaded first.
func (e *Experiment) Missing() []string {
	return slices.DeleteFunc(e.datasets(), here)
}

// datasets returns the names of the data sets of all rows.
func (e *Experiment) datasets() (names []string) {
	for _, d := range e.Data {
		if d.Dataset != "" && !slices.Contains(names, d.Dataset) {
			names = append(names, d.Dataset)
		}
	}
	return names
}

// Runs returns the number of runs of the experiment, including those on data sets that are missing.
func (e *Experiment) Runs() int {
	perSplit := 0
	for i := range e.Methods {
		m := &e.Methods[i]
		switch {
		case m.Family == "":
		case m.seedless():
			perSplit++
		default:
			perSplit += len(e.seeds)
		}
	}
	return perSplit * len(e.datasets()) * len(e.splits)
}

// seedless reports whether one seed of the method suffices.
func (m *Method) seedless() bool {
	c := rundir.Config{Family: m.Family, Set: m.Set}
	if m.Preset != "" && config.Seedless(c) {
		full, err := config.WithPreset(c, m.Preset)
		if err == nil {
			c = full
		}
	}
	return config.Seedless(c)
}

// Grid returns the sweep of the runs of the experiment on all data sets that are here.
func (e *Experiment) Grid() sweep.Grid {
	g := sweep.Grid{Splits: e.splits, Seeds: e.seeds}
	for _, name := range e.datasets() {
		if here(name) {
			g.Datasets = append(g.Datasets, name)
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

// SweepName returns the name of the sweep that trains the experiment. Overrides make it a sweep of its own.
func (e *Experiment) SweepName() string {
	name := strings.ReplaceAll(e.ID, "/", "-")
	if len(e.overrides) == 0 {
		return name
	}
	sum := sha256.Sum256([]byte(strings.Join(slices.Sorted(slices.Values(e.overrides)), "\n")))
	return fmt.Sprintf("%s-%x", name, sum[:4])
}
