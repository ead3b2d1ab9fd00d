package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Over is the unit that a mean is taken over.
type Over string

const (
	OverSplits Over = "splits"
	OverSeeds  Over = "seeds"
	OverPoints Over = "test points"
	OverOne    Over = "one run"
)

// Score is a mean over runs with its standard error. If there are several splits, the values of each are
// first averaged over seeds, and N is the number of splits. Otherwise N is the number of seeds.
type Score struct {
	Mean rundir.Number `json:"mean"` // NaN if there are no values or one is NaN
	SE   rundir.Number `json:"se"`   // also NaN for a single value
	N    int           `json:"n"`
	Over Over          `json:"over"`
	// Runs is the total number of runs.
	Runs int `json:"runs"`
}

var nan = rundir.Number(math.NaN())

// ScoreOf returns the score of values grouped by split.
func ScoreOf(splits [][]float64) Score {
	list := perBlock(splits)
	mean, se := StandardError(list)
	s := Score{Mean: rundir.Number(mean), SE: rundir.Number(se), N: len(list), Over: OverOne}
	switch {
	case len(splits) > 1:
		s.Over = OverSplits
	case len(list) > 1:
		s.Over = OverSeeds
	}
	for _, split := range splits {
		s.Runs += len(split)
	}
	return s
}

// Grouped groups the values of items by key, in the order in which the keys first occur. It skips items for
// which ok is false.
func Grouped[T any, K comparable](list []T, value func(T) (key K, x float64, ok bool)) (groups [][]float64) {
	at := map[K]int{}
	for _, item := range list {
		key, x, ok := value(item)
		if !ok {
			continue
		}
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}

// perBlock returns the mean of each block, or the values themselves if there is only one block.
func perBlock(blocks [][]float64) []float64 {
	if len(blocks) == 1 {
		return blocks[0]
	}
	var means []float64
	for _, block := range blocks {
		mean, _ := StandardError(block)
		means = append(means, mean)
	}
	return means
}

// Cell is the score of a method on a data set.
type Cell struct {
	Method  string `json:"method"`
	Dataset string `json:"dataset"`
	Score
	// Best marks the best mean of the data set. P is the p-value of the paired t-test against the best over
	// their common splits or seeds (ResampledT over splits). HolmP is corrected for the number of methods
	// tested on the data set. Both are NaN for the best itself, and if there is only one value. Tied marks
	// methods that are not significantly worse than the best, by HolmP at level Alpha.
	Best  bool          `json:"best"`
	Tied  bool          `json:"tied"`
	P     rundir.Number `json:"p"`
	HolmP rundir.Number `json:"p_holm"`
	// Inconclusive is the number of runs in the mean that had not settled when they ended; see
	// Summary.Conclusive. If it is positive, the cell is neither marked nor tested, and the best and ties are
	// those of the other methods.
	Inconclusive int `json:"inconclusive,omitempty"`

	units map[unit]float64
	// seedless is set if all seeds have the same value.
	seedless bool
}

// unit identifies paired values of two methods. It is a split, or a seed if there is only one split.
type unit struct {
	block string
	seed  uint64
	seeds bool // whether the unit is a seed
}

// Table holds one metric by method and data set.
type Table struct {
	Metric   metric.Column
	Methods  []string
	Datasets []string
	// Cells has shape [method][dataset].
	Cells [][]Cell
	// Ranking is nil if there are fewer than two methods or two blocks to rank.
	Ranking *Ranking
	// Below lists the methods that are worse than the baseline.
	Below []Below
	// Ratios holds the test/train ratios in the corrections of tests over splits, [dataset], or 0 if unknown.
	Ratios []float64
	// LeftOut lists runs on test points for which some method has no run. If Unmatched is set, these runs are
	// included and the means are over different test points.
	LeftOut   []LeftOut
	Unmatched bool
}

// MarshalJSON writes the cells as a flat list.
func (t *Table) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Metric string   `json:"metric"`
		Cells  []Cell   `json:"cells"`
		Ranks  *Ranking `json:"ranks,omitempty"`
		Below  []Below  `json:"below_baseline,omitempty"`
		Notes  []string `json:"notes,omitempty"`
	}{t.Metric.Key, slices.Concat(t.Cells...), t.Ranking, t.Below, t.Notes()})
}

// Options configure a table.
type Options struct {
	// Unmatched includes runs on splits that some method lacks. Means are then over different test points;
	// tests still use common test points.
	Unmatched bool
	// Blocks selects the blocks for ranks. The default is ByDataset.
	Blocks Blocks
}

// values holds the values of a method on a data set by block and seed.
type values map[string]map[uint64]float64

// Table returns the table of a metric. Data sets without a run that has the metric are left out. If the
// values of the runs are not comparable, the table has no data sets.
func (s *Set) Table(m metric.Column, o Options) *Table {
	m = m.Among(s.views())
	t := &Table{Metric: m, Cells: make([][]Cell, len(s.Methods))}
	blocks := cmp.Or(o.Blocks, ByDataset)
	for _, method := range s.Methods {
		t.Methods = append(t.Methods, method.Label)
	}
	if m.Better == metric.Neither {
		return t
	}
	var rows [][]float64
	for d, name := range s.Datasets {
		all := s.values(m, d)
		if all == nil {
			continue
		}
		t.Datasets = append(t.Datasets, name)
		shared := sharedBlocks(all)
		column := make([]Cell, len(all))
		for i, v := range all {
			column[i] = v.cell(shared, o.Unmatched)
			column[i].Method, column[i].Dataset = t.Methods[i], name
			column[i].seedless = s.seedless(i, d)
		}
		ratio := s.ratio(d)
		t.Ratios = append(t.Ratios, ratio)
		t.countRuns(s, d, shared, o.Unmatched, column)
		t.judge(column, ratio)
		t.Below = append(t.Below, t.below(s, column, ratio)...)
		for i := range column {
			t.Cells[i] = append(t.Cells[i], column[i])
		}
		rows = append(rows, rankRows(m, all, shared, blocks)...)
	}
	t.Unmatched = o.Unmatched && len(t.LeftOut) > 0
	if t.Unmatched {
		t.LeftOut = nil
	}
	t.Ranking = newRanking(rows, len(s.Methods), blocks)
	return t
}

// ratio returns the average test/train ratio of the splits of a data set, for the correction of tests over
// splits. It returns 0 if the ratio is unknown.
func (s *Set) ratio(dataset int) float64 {
	var list []float64
	seen := map[string]bool{}
	for _, r := range s.Runs {
		if r.Dataset == dataset && !seen[r.block] {
			seen[r.block] = true
			list = append(list, Ratio(r.Results.Data))
		}
	}
	return meanRatio(list)
}

// views returns the views of the runs.
func (s *Set) views() []metric.Run {
	list := make([]metric.Run, len(s.Runs))
	for i := range s.Runs {
		list[i] = metric.OfInfo(&s.Runs[i].Info)
	}
	return list
}

// Objectives returns descriptions of the distinct objectives of the runs.
func (s *Set) Objectives() (names []string) {
	for _, r := range s.views() {
		is := r.Objective()
		name := fmt.Sprintf("%s (%s)", is.Name, is.Kind)
		if is.Name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// values returns the values of each method on a data set, or nil if there are none.
func (s *Set) values(m metric.Column, dataset int) []values {
	all, any := make([]values, len(s.Methods)), false
	for _, r := range s.Runs {
		v, ok := m.Of(metric.OfInfo(&r.Info))
		if !ok || r.Dataset != dataset {
			continue
		}
		any = true
		if all[r.Method] == nil {
			all[r.Method] = values{}
		}
		if all[r.Method][r.block] == nil {
			all[r.Method][r.block] = map[uint64]float64{}
		}
		seed := r.Config.Seed
		if config.Seedless(r.Config) {
			seed = 0 // Runs with other seeds are repetitions.
		}
		all[r.Method][r.block][seed] = v
	}
	if !any {
		return nil
	}
	return all
}

// seedless reports whether the results of a method on a data set do not depend on the seed.
func (s *Set) seedless(method, dataset int) bool {
	return !slices.ContainsFunc(s.Runs, func(r Run) bool {
		return r.Method == method && r.Dataset == dataset && !config.Seedless(r.Config)
	})
}

// sharedBlocks returns the blocks common to all methods that have any, sorted.
func sharedBlocks(all []values) []string {
	count, methods := map[string]int{}, 0
	for _, v := range all {
		if len(v) == 0 {
			continue
		}
		methods++
		for block := range v {
			count[block]++
		}
	}
	var shared []string
	for block, n := range count {
		if n == methods {
			shared = append(shared, block)
		}
	}
	slices.Sort(shared)
	return shared
}

// countRuns records the runs that are not on shared blocks, and counts for each cell the runs that had not
// settled when they ended. A time, for example, does not depend on that.
func (t *Table) countRuns(s *Set, dataset int, shared []string, unmatched bool, column []Cell) {
	for _, r := range s.Runs {
		_, ok := t.Metric.Of(metric.OfInfo(&r.Info))
		if !ok || r.Dataset != dataset {
			continue
		}
		missing := !slices.Contains(shared, r.block)
		if missing {
			t.LeftOut = append(t.LeftOut,
				LeftOut{r.ID, "some methods have no run on its test points (" + s.Datasets[dataset] +
					", " + r.Config.Split + ")"})
		}
		if (unmatched || !missing) && t.Metric.Within != metric.Anywhere && !r.Results.Conclusive() {
			column[r.Method].Inconclusive++
		}
	}
}

// cell returns the score of a method on the shared blocks, or on all of its blocks if unmatched.
func (v values) cell(shared []string, unmatched bool) Cell {
	c := Cell{P: nan, HolmP: nan, units: map[unit]float64{}}
	switch {
	case len(v) == 0:
		shared = nil
	case unmatched:
		shared = slices.Sorted(maps.Keys(v))
	}
	var lists [][]float64
	for _, block := range shared {
		lists = append(lists, bySeed(v[block]))
		if len(shared) > 1 {
			c.units[unit{block: block}] = average(v[block])
			continue
		}
		for seed, x := range v[block] {
			c.units[unit{block, seed, true}] = x
		}
	}
	c.Score = ScoreOf(lists)
	return c
}

// bySeed returns the values in the order of their seeds.
func bySeed(values map[uint64]float64) (list []float64) {
	for _, seed := range slices.Sorted(maps.Keys(values)) {
		list = append(list, values[seed])
	}
	return list
}

// average returns the mean over seeds.
func average(values map[uint64]float64) float64 {
	mean, _ := StandardError(bySeed(values))
	return mean
}

// judge marks the best settled cell of a data set and the settled cells tied with it if there are at least
// two of them. ratio is passed to ResampledT.
func (t *Table) judge(column []Cell, ratio float64) {
	settled := slices.Clone(column)
	best, most, filled := -1, math.Inf(-1), 0
	for i, c := range settled {
		if c.unsettled() {
			settled[i] = Cell{}
			continue
		}
		filled += min(c.N, 1)
		if score := t.score(c); score > most {
			best, most = i, score
		}
	}
	if best < 0 || filled < 2 {
		return
	}
	column[best].Best = true
	p := t.tests(settled, best, ratio)
	for i, adjusted := range Holm(p) {
		c := &column[i]
		c.P = rundir.Number(p[i])
		c.HolmP = rundir.Number(adjusted)
		c.Tied = adjusted >= Alpha
	}
}

// tests returns the p-values of one cell of a data set against each other cell. They are NaN for
// the cell itself and if there is no test.
func (t *Table) tests(column []Cell, against int, ratio float64) []float64 {
	p := make([]float64, len(column))
	for i, c := range column {
		p[i] = math.NaN()
		if i != against && c.N > 0 {
			p[i] = c.test(t.differences(column[against], c), ratio).P
		}
	}
	return p
}

// test returns the paired t-test of differences, corrected for shared rows if they are over splits.
func (c Cell) test(differences []float64, ratio float64) Test {
	for u := range c.units {
		if u.seeds {
			ratio = 0
		}
	}
	return ResampledT(differences, ratio)
}

// LeadingOn returns the index of the method with the best mean on a data set, settled or not, or -1 if there
// is none.
func (t *Table) LeadingOn(dataset int) int {
	best, most := -1, math.Inf(-1)
	for i, row := range t.Cells {
		c := row[dataset]
		if good := t.Metric.Goodness(float64(c.Mean)); c.N > 0 && good > most {
			best, most = i, good
		}
	}
	return best
}

// Leading returns the index of the method that has the best mean on most data sets, or -1 if there is none.
func (t *Table) Leading() int {
	counts := make([]int, len(t.Methods))
	best := -1
	for d := range t.Datasets {
		i := t.LeadingOn(d)
		if i < 0 {
			continue
		}
		counts[i]++
		if best < 0 || counts[i] > counts[best] {
			best = i
		}
	}
	return best
}

// score returns the mean goodness of a cell, or NaN if it is empty.
func (t *Table) score(c Cell) float64 {
	var list []float64
	for _, u := range c.sorted() {
		list = append(list, t.Metric.Goodness(c.units[u]))
	}
	mean, _ := StandardError(list)
	return mean
}

// differences returns the differences in goodness over the units that both cells have.
func (t *Table) differences(a, b Cell) (d []float64) {
	units := a.sorted()
	if a.seedless {
		units = b.sorted()
	}
	for _, u := range units {
		x, ok := a.at(u)
		y, both := b.at(u)
		if ok && both {
			d = append(d, t.Metric.Goodness(x)-t.Metric.Goodness(y))
		}
	}
	return d
}

// at returns the value of a unit. A seedless cell has one value for all seeds.
func (c Cell) at(u unit) (float64, bool) {
	if c.seedless {
		u.seed = 0
	}
	x, ok := c.units[u]
	return x, ok
}

// sorted returns the units in a fixed order.
func (c Cell) sorted() []unit {
	return slices.SortedFunc(maps.Keys(c.units), func(a, b unit) int {
		return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.seed, b.seed))
	})
}
