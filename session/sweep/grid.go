package sweep

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// MaxCells is the maximum number of runs in a sweep.
const MaxCells = 100_000

// Grid defines the runs of a sweep: every combination of its values.
type Grid struct {
	// Datasets holds catalogue names or paths of CSV files. Targets holds the target columns of files, as in
	// rundir.Config.
	Datasets []string `json:"datasets"`
	Targets  []string `json:"targets,omitempty"`
	// Columns holds the column choices for files. They do not apply to other data sets.
	Columns  table.Choices `json:"columns,omitzero"`
	Families []string      `json:"families"`
	// Splits holds splits as in rundir.Config. If it is empty, each data set uses its default split.
	Splits []string `json:"splits,omitempty"`
	// DefaultSplits holds the default splits of files whose targets are classes, by path. Preview and Start
	// read the files to set it, so that the sweep has the same cells without them.
	DefaultSplits map[string]string `json:"default_splits,omitempty"`
	Seeds         []uint64          `json:"seeds"`
	// Preset names a preset that all families have. Set takes precedence over it.
	Preset string `json:"preset,omitempty"`
	// Baseline adds a run of the baseline family with its defaults for each data set and split.
	Baseline bool `json:"baseline,omitempty"`
	// Set holds hyperparameters with one or more values. A hyperparameter is omitted from cells in
	// which it has no effect (see family.Condition), and from families that lack it.
	Set []Axis `json:"set,omitempty"`
	// Random is the number of combinations of families and hyperparameters to draw with RandomSeed, or 0 for
	// all combinations. Each is trained on all data sets, splits and seeds. A larger number with the same
	// seed adds combinations.
	Random     int    `json:"random,omitempty"`
	RandomSeed uint64 `json:"random_seed,omitempty"`
	// Halving enables successive halving: after each of the Rungs except the last, one in Halving settings
	// continues. If it is 0, all runs take all steps. If Rungs is 0, a default replaces it.
	Halving int `json:"halving,omitempty"`
	Rungs   int `json:"rungs,omitempty"`
	// Methods are the settings to train. They replace Families, Preset and Set.
	Methods []Method `json:"methods,omitempty"`
}

// Method is a family with its settings.
type Method struct {
	Family string `json:"family"`
	// Preset is the name of a preset of the family, or "". Set takes precedence over it.
	Preset string            `json:"preset,omitempty"`
	Set    map[string]string `json:"set,omitempty"`
}

// Axis is a hyperparameter with its values.
type Axis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	// Family restricts the values to one family, for which they replace the values for all families. It is ""
	// for all families.
	Family string `json:"family,omitempty"`
}

// Title returns the name of the axis, preceded by its family if it has one, as in "svgp.inducing".
func (a Axis) Title() string {
	if a.Family == "" {
		return a.Name
	}
	return a.Family + "." + a.Name
}

// Cell is one combination of a grid. Configurations for which the seed makes no difference are combined with
// the first seed only.
type Cell struct {
	// Key identifies the combination within its sweep. It depends only on the configuration.
	Key string `json:"key"`
	rundir.Config
	// setting is the key without split and seed.
	setting string
}

// Setting returns the key without split and seed.
func (c Cell) Setting() string { return c.setting }

// Cells returns all combinations. Seeds vary slowest, followed by splits, data sets, families and
// hyperparameters; the last hyperparameter varies fastest. A half-finished sweep has therefore trained all
// settings about equally often.
//
// Cells validates the grid as far as possible without loading data. Errors of config.Validate are prefixed
// with the invalid value.
func (g Grid) Cells() ([]Cell, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	settings, err := g.settings()
	if err != nil {
		return nil, err
	}
	splits, err := g.splitsOf(settings)
	if err != nil {
		return nil, err
	}
	cells := make([]Cell, 0, len(g.Seeds)*len(splits)*len(settings))
	seedless := make([]bool, len(settings))
	for i, c := range settings {
		seedless[i] = config.Seedless(c)
	}
	for k, seed := range g.Seeds {
		for _, split := range splits {
			for i, c := range settings {
				if k > 0 && seedless[i] {
					continue
				}
				c.Seed, c.Split = seed, split[c.Dataset]
				cells = append(cells, Cell{keyOf(c), c, settingOf(c)})
			}
		}
	}
	return cells, cmp.Or(checkRepeats(cells), g.checkCompetitors(cells))
}

// checkEffect rejects axes that have no effect in any cell of a family.
func (g Grid) checkEffect(cells []Cell) error {
	used := map[[2]string]bool{}
	for _, cell := range cells {
		for name := range cell.Config.Set {
			used[[2]string{cell.Config.Family, name}] = true
		}
	}
	for _, name := range g.Families {
		list, axes, err := g.axesOf(name)
		if err != nil {
			return err
		}
		for _, axis := range axes {
			i := slices.IndexFunc(list, func(h models.Hyperparameter) bool { return h.Name == axis.Name })
			// The family itself omits settings without a condition.
			if !used[[2]string{name, axis.Name}] && list[i].When != nil {
				return &models.ValueError{Name: axis.Name, Want: "only with " + list[i].When.String()}
			}
		}
	}
	return nil
}

// checkRepeats rejects cells that are the same run in different notation, such as 8 and 08 or two
// paths to the same file.
func checkRepeats(cells []Cell) error {
	known := map[string][]models.Hyperparameter{}
	seen := make(map[string]string, len(cells))
	for _, cell := range cells {
		c := cell.Config
		if known[c.Family] == nil {
			list, err := config.FamilyHyperparameters(c.Family)
			if err != nil {
				return err
			}
			known[c.Family] = list
		}
		c.Set = maps.Clone(c.Set)
		for _, h := range known[c.Family] {
			if value, ok := c.Set[h.Name]; ok {
				c.Set[h.Name] = h.Canonical(value)
			}
		}
		key := keyOf(c)
		if first, again := seen[key]; again {
			return fmt.Errorf("duplicate runs in the sweep: %s and %s", first, cell.Key)
		}
		seen[key] = cell.Key
	}
	return nil
}

// check validates the values of the grid and their number.
func (g Grid) check() error {
	n := 1
	count := func(what string, values int) error {
		if values == 0 {
			return fmt.Errorf("a sweep needs at least one %s", what)
		}
		n *= values
		if n > MaxCells {
			return fmt.Errorf("the sweep has more than %d runs", MaxCells)
		}
		return nil
	}
	err := cmp.Or(count("data set", len(g.Datasets)), count("seed", len(g.Seeds)), g.checkMethods(),
		count("family", max(len(g.Families), len(g.Methods))))
	if err != nil {
		return err
	}
	if len(g.Splits) > 0 {
		if err := count("split", len(g.Splits)); err != nil {
			return err
		}
	}
	if g.Random < 0 {
		return fmt.Errorf("a sweep cannot draw %d combinations", g.Random)
	}
	if err := g.checkHalving(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, axis := range g.Set {
		if seen[axis.Title()] {
			return fmt.Errorf("%s occurs twice", axis.Title())
		}
		seen[axis.Title()] = true
		if axis.Family != "" && !slices.Contains(g.Families, axis.Family) {
			return fmt.Errorf("%s: the family %s is not in the sweep", axis.Title(), axis.Family)
		}
	}
	if len(g.Methods) > 0 {
		return nil
	}
	combinations := 0
	used := map[string]bool{}
	base := n / len(g.Families)
	for _, name := range g.Families {
		_, axes, err := g.axesOf(name)
		if err != nil {
			return err
		}
		n = base
		for _, axis := range axes {
			used[axis.Title()] = true
			if err := count("value of "+axis.Title(), len(axis.Values)); err != nil {
				return err
			}
		}
		combinations += n
	}
	for _, axis := range g.Set {
		if !used[axis.Title()] {
			return fmt.Errorf("no family of the sweep uses %s", axis.Title())
		}
	}
	n = 1
	return count("run", combinations)
}

// checkMethods rejects a grid with methods and values that would be combined with them.
func (g Grid) checkMethods() error {
	if len(g.Methods) > 0 && len(g.Families)+len(g.Set)+len(g.Preset)+g.Random+g.Halving > 0 {
		return errors.New("a sweep of methods takes no other families, presets or hyperparameters, and " +
			"draws or prunes none")
	}
	return nil
}

// axesOf returns the hyperparameters of a family and its axes. Axes restricted to the family replace the axes
// for all families, which are omitted if the family lacks the hyperparameter.
func (g Grid) axesOf(name string) (list []models.Hyperparameter, axes []Axis, err error) {
	list, err = config.FamilyHyperparameters(name)
	if err != nil {
		return nil, nil, err
	}
	known := family.Names(list)
	axes = slices.DeleteFunc(slices.Clone(g.Set), func(a Axis) bool {
		if a.Family != "" {
			return a.Family != name
		}
		own := func(other Axis) bool { return other.Family == name && other.Name == a.Name }
		return slices.ContainsFunc(g.Set, own) || !slices.Contains(known, a.Name)
	})
	return list, axes, nil
}

// sets returns every combination of the values on axes.
func sets(axes []Axis) []map[string]string {
	sets := []map[string]string{{}}
	for _, axis := range axes {
		var more []map[string]string
		for _, set := range sets {
			for _, v := range axis.Values {
				with := maps.Clone(set)
				with[axis.Name] = v
				more = append(more, with)
			}
		}
		sets = more
	}
	return sets
}

// settings returns the completed configurations for one split and seed, ordered by data set.
func (g Grid) settings() ([]rundir.Config, error) {
	var list []rundir.Config
	for _, dataset := range g.Datasets {
		all, err := g.combinations(dataset)
		if err != nil {
			return nil, err
		}
		for _, i := range g.drawn(len(all)) {
			list = append(list, all[i])
		}
	}
	if g.Baseline && !slices.Contains(g.Families, models.BaselineFamily) {
		return withBaseline(list)
	}
	return list, nil
}

// combinations returns the completed configurations of all families for a data set.
func (g Grid) combinations(dataset string) ([]rundir.Config, error) {
	var list []rundir.Config
	add := func(family, preset string, sets []map[string]string) error {
		configs, err := g.configs(dataset, family, preset, sets)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", family, dataset, err)
		}
		list = append(list, configs...)
		return nil
	}
	for _, m := range g.Methods {
		if err := add(m.Family, m.Preset, []map[string]string{m.Set}); err != nil {
			return nil, err
		}
	}
	for _, family := range g.Families {
		_, axes, err := g.axesOf(family)
		if err != nil {
			return nil, err
		}
		if err := add(family, g.Preset, sets(axes)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Combinations returns the number of all combinations of families and hyperparameters, before drawing.
func (g Grid) Combinations() (int, error) {
	all, err := g.combinations(g.Datasets[0])
	return len(all), err
}

// drawn returns, in ascending order, the indices of the combinations to train out of n.
func (g Grid) drawn(n int) []int {
	return slices.Sorted(slices.Values(config.Subset(n, g.Random, g.RandomSeed)))
}

// withBaseline adds the baseline on the data of each completed configuration.
func withBaseline(list []rundir.Config) ([]rundir.Config, error) {
	seen := map[string]bool{}
	for _, c := range list {
		base, err := config.Complete(config.BaselineOf(c))
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", models.BaselineFamily, c.Dataset, err)
		}
		if key := keyOf(base); !seen[key] {
			seen[key] = true
			list = append(list, base)
		}
	}
	return list, nil
}

// configs returns the completed configurations for a data set and a family. Of several configurations that
// differ only in values without effect it returns one.
func (g Grid) configs(
	dataset, family, preset string, sets []map[string]string,
) ([]rundir.Config, error) {
	var list []rundir.Config
	seen := map[string]bool{}
	for _, set := range sets {
		given := rundir.Config{Dataset: dataset, Targets: g.Targets, Family: family, Set: set}
		if info, err := datasets.Lookup(dataset); err == nil && info.Kind == datasets.File {
			given.Columns = g.Columns.Clone()
		}
		if preset != "" {
			var err error
			given, err = config.WithPreset(given, preset)
			if err != nil {
				return nil, err
			}
		}
		effective := config.Effective(given)
		full, err := config.Complete(effective)
		if err != nil {
			return nil, err
		}
		key := keyOf(full)
		if len(effective.Set) == len(given.Set) || !seen[key] {
			list = append(list, full)
		}
		seen[key] = true
	}
	return list, nil
}

// withDefaultSplits returns the grid with DefaultSplits. It reads the files if the grid has neither splits
// nor DefaultSplits.
func (g Grid) withDefaultSplits(ctx context.Context, in *session.Inspector) (Grid, error) {
	if len(g.Splits) > 0 || g.DefaultSplits != nil {
		return g, nil
	}
	found := map[string]string{}
	for _, name := range g.Datasets {
		info, err := datasets.Lookup(name)
		if err != nil || info.Kind != datasets.File {
			continue // Cells reports the error.
		}
		path, err := filepath.Abs(name)
		if err != nil {
			return g, err
		}
		split, err := in.DefaultSplit(ctx, g.config(path))
		if err != nil {
			return g, err
		}
		if split != info.DefaultSplit().String() {
			found[path] = split
		}
	}
	g.DefaultSplits = found
	return g, nil
}

// config returns the configuration of a data set of the grid, without family, split and hyperparameters.
func (g Grid) config(dataset string) rundir.Config {
	return rundir.Config{Dataset: dataset, Targets: g.Targets, Columns: g.Columns}
}

// splitsOf returns, for each split, a map from data sets to the full name of the split.
func (g Grid) splitsOf(settings []rundir.Config) ([]map[string]string, error) {
	splits := g.Splits
	if len(splits) == 0 {
		splits = []string{""}
	}
	table := make([]map[string]string, len(splits))
	for i, split := range splits {
		table[i] = map[string]string{}
		for _, c := range settings {
			if _, known := table[i][c.Dataset]; known {
				continue
			}
			c.Split = cmp.Or(split, g.DefaultSplits[c.Dataset])
			full, err := config.Complete(c)
			if err != nil {
				return nil, err
			}
			if err := checkOfficial(full); err != nil {
				return nil, err
			}
			table[i][c.Dataset] = full.Split
		}
	}
	return table, nil
}

// checkOfficial rejects official splits that the catalogue does not have.
func checkOfficial(c rundir.Config) error {
	split, err := datasets.ParseSplit(c.Split)
	if err != nil {
		return err
	}
	info, err := datasets.Lookup(c.Dataset)
	if err != nil {
		return err
	}
	switch {
	case split.Kind != datasets.Standard || split.Number < uint64(info.Splits):
		return nil
	case info.Splits == 0:
		return fmt.Errorf("split %s: %s has no official splits", c.Split, info.Name)
	}
	return fmt.Errorf("split %s: %s has the official splits standard:0 to standard:%d",
		c.Split, info.Name, info.Splits-1)
}

// Key returns the key of the cells that have the configuration of a run.
func Key(c rundir.Config) string { return keyOf(config.Effective(c)) }

// keyOf returns the key of a completed configuration.
func keyOf(c rundir.Config) string {
	return joinKey(c, word(c.Dataset), c.Split, c.Family, "seed="+strconv.FormatUint(c.Seed, 10))
}

// settingOf returns the key without split and seed.
func settingOf(c rundir.Config) string { return joinKey(c, word(c.Dataset), c.Family) }

// joinKey returns a key that begins with the given parts.
func joinKey(c rundir.Config, parts ...string) string {
	for _, name := range slices.Sorted(maps.Keys(c.Set)) {
		parts = append(parts, name+"="+word(c.Set[name]))
	}
	for _, target := range c.Targets {
		parts = append(parts, "target="+word(target))
	}
	for _, item := range c.Columns.Items() {
		parts = append(parts, word(item))
	}
	return strings.Join(parts, " ")
}

// completed returns the grid with the data set names used by the cells and the number of rungs.
func (g Grid) completed(cells []Cell) Grid {
	g.Rungs = g.rungs(cells)
	g.Datasets = nil
	for _, c := range cells {
		if !slices.Contains(g.Datasets, c.Config.Dataset) {
			g.Datasets = append(g.Datasets, c.Config.Dataset)
		}
	}
	return g
}

// word quotes a string that is not a single word.
func word(text string) string {
	if text == "" || strings.ContainsAny(text, " \"\t\n") {
		return strconv.Quote(text)
	}
	return text
}

// DefaultName returns the name of a sweep without a user-defined name. It consists of data sets and families,
// shortened if necessary, and a hash of the cells, so that equal grids have equal names.
func (g Grid) DefaultName(cells []Cell) string {
	sum := sha256.New()
	for _, c := range cells {
		fmt.Fprintln(sum, c.Key)
	}
	if g.Halving > 0 {
		fmt.Fprintln(sum, "halving", g.Halving, g.rungs(cells))
	}
	several := func(names []string) string {
		if len(names) > 2 {
			return strconv.Itoa(len(names))
		}
		return strings.Join(names, "-")
	}
	titles := make([]string, len(g.Datasets))
	for i, d := range g.Datasets {
		titles[i] = strings.TrimSuffix(filepath.Base(d), filepath.Ext(d))
	}
	families := slices.Clone(g.Families)
	for _, m := range g.Methods {
		if !slices.Contains(families, m.Family) {
			families = append(families, m.Family)
		}
	}
	parts := []string{several(titles), several(families)}
	for _, axis := range g.Set {
		if len(axis.Values) > 1 && !slices.Contains(parts, axis.Name) {
			parts = append(parts, axis.Name)
		}
	}
	text := plain(strings.Join(parts, "-"))
	return text[:min(len(text), 48)] + "-" + hex.EncodeToString(sum.Sum(nil)[:3])
}

// plain replaces characters that are invalid in folder names.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if nameRune(r) && r != '.' {
			return r
		}
		return '_'
	}, strings.ToLower(text))
}
