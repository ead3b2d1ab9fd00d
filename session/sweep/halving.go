package sweep

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// Successive halving (Jamieson, Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter
// Optimization", 2016, algorithm 1) trains all settings of a bracket, which is a data set with a split, to
// the end of a first rung, keeps the best of them for the next rung, and so on. The last rung is the whole
// run. Runs are extended, never restarted: a run at a rung is the beginning of the whole run, and its
// learning rate follows the schedule over all steps.

const (
	// maxPart limits the first rung to at least a millionth of the steps.
	maxPart = 1_000_000
	// usualPart limits the first rung to at least a hundredth of the steps if the number of rungs is not
	// given.
	usualPart = 100
)

// checkHalving validates the settings of successive halving.
func (g Grid) checkHalving() error {
	switch {
	case g.Halving == 0 && g.Rungs == 0:
		return nil
	case g.Halving == 0:
		return errors.New("rungs need successive halving")
	case g.Halving < 2:
		return fmt.Errorf("successive halving cannot keep one of %d settings; want a whole number from 2",
			g.Halving)
	case g.Rungs < 0 || g.Rungs == 1:
		return fmt.Errorf("successive halving cannot have %d rungs; want a whole number from 2", g.Rungs)
	case math.Pow(float64(g.Halving), float64(max(g.Rungs, 2)-1)) > maxPart:
		return errors.New("the first rung of successive halving would be less than a millionth of the steps")
	}
	return nil
}

// checkCompetitors returns an error if successive halving cannot compare the cells.
func (g Grid) checkCompetitors(cells []Cell) error {
	if g.Halving == 0 {
		return nil
	}
	if g.settingsOf(cells) < 2 {
		return errors.New("successive halving needs at least two settings of families and hyperparameters")
	}
	for _, c := range cells {
		if !g.competes(c.Config) {
			continue
		}
		r, err := config.DefaultRegistry().Resolve(c.Config)
		if err != nil {
			return err
		}
		split, err := datasets.ParseSplit(c.Config.Split)
		if err != nil {
			return err
		}
		if r.Validation == 0 && !split.OwnValidation() {
			return fmt.Errorf("%s: successive halving needs validation points; set validation, for example "+
				"to 0.1", c.Key)
		}
		if source := r.Values[rundir.WarmStartSetting]; slices.Contains(g.Families, source) {
			return fmt.Errorf("%s: with successive halving, runs cannot start from a family of the same "+
				"sweep", c.Key)
		}
	}
	return nil
}

// competes reports whether a run takes part in successive halving. All runs do except the baseline.
func (g Grid) competes(c rundir.Config) bool {
	return g.Halving > 0 && (c.Family != models.BaselineFamily || slices.Contains(g.Families, c.Family))
}

// settingsOf returns the largest number of settings that compete on a data set.
func (g Grid) settingsOf(cells []Cell) int {
	seen := map[string]bool{}
	count := map[string]int{}
	for _, c := range cells {
		if g.competes(c.Config) && !seen[c.setting] {
			seen[c.setting] = true
			count[c.Config.Dataset]++
		}
	}
	most := 0
	for _, n := range count {
		most = max(most, n)
	}
	return most
}

// rungs returns the number of rungs. By default there are enough rungs to leave a single setting in the last
// one, but not so many that the first one is shorter than a hundredth of the steps.
func (g Grid) rungs(cells []Cell) int {
	if g.Halving == 0 || g.Rungs > 0 {
		return g.Rungs
	}
	rungs := 1
	part := 1
	for n := g.settingsOf(cells); n > 1 && (rungs < 2 || part*g.Halving <= usualPart); n = g.keep(n) {
		rungs++
		part *= g.Halving
	}
	return rungs
}

// keep returns the number of settings, out of n, that continue after a rung.
func (g Grid) keep(n int) int { return (n + g.Halving - 1) / g.Halving }

// Part returns the number p such that a rung ends after 1/p of the steps. Rungs are counted from 1. The last
// rung, and a cell without rungs, has all steps.
func (g Grid) Part(rung int) int {
	part := 1
	if rung < 1 {
		return part
	}
	for range g.Rungs - rung {
		part *= g.Halving
	}
	return part
}

// Decision records which settings of a bracket continue after a rung. It is made when all of their runs have
// ended the rung, and saved before any of them continues.
type Decision struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	// Rung is the rung that ended, counted from 1.
	Rung int `json:"rung"`
	// Ranking holds all settings in the rung, best first. The first Kept of them continue.
	Ranking []Ranked `json:"ranking"`
	Kept    int      `json:"kept"`
}

// Ranked is a setting with the mean of its validation log-likelihoods over seeds. The mean is NaN if a run
// failed or was not validated; such a setting never continues.
type Ranked struct {
	Setting   string        `json:"setting"`
	ValLogLik rundir.Number `json:"val_log_lik"`
}

// keeps reports whether a setting continues.
func (d *Decision) keeps(setting string) bool {
	return slices.ContainsFunc(d.Ranking[:min(d.Kept, len(d.Ranking))],
		func(r Ranked) bool { return r.Setting == setting })
}

// bracket holds the settings that compete in the current rung on a data set and a split.
type bracket struct {
	dataset, split string
	rung           int
	settings       []string         // in the order of the cells
	cells          map[string][]int // by setting
}

// brackets returns the brackets in which settings compete.
func (s *State) brackets() []*bracket {
	var list []*bracket
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Rung == 0 || c.out {
			continue
		}
		at := slices.IndexFunc(list, func(b *bracket) bool {
			return b.dataset == c.Config.Dataset && b.split == c.Config.Split
		})
		if at < 0 {
			at = len(list)
			list = append(list, &bracket{dataset: c.Config.Dataset, split: c.Config.Split, rung: c.Rung,
				cells: map[string][]int{}})
		}
		b := list[at]
		if b.cells[c.setting] == nil {
			b.settings = append(b.settings, c.setting)
		}
		b.cells[c.setting] = append(b.cells[c.setting], i)
	}
	return list
}

// ended reports whether all runs of a bracket have ended at its rung.
func (s *State) ended(b *bracket) bool {
	for _, cells := range b.cells {
		for _, i := range cells {
			if c := &s.Cells[i]; c.Status != Done && c.Status != Failed && !s.atRung(c) {
				return false
			}
		}
	}
	return true
}

// atRung reports whether the run of a cell waits at the end of its current rung.
func (s *State) atRung(c *CellState) bool {
	return c.Rung > 0 && c.Status == Waiting && c.Summary != nil && c.Summary.Stop == rundir.StopRung &&
		c.Step >= s.Target(c)
}

// Target returns the number of steps at the end of the current rung of a cell, or of all its steps
// without successive halving. It is 0 if the number of steps is unknown.
func (s *State) Target(c *CellState) int { return rundir.RungSteps(c.Steps, s.Grid.Part(c.Rung)) }

// follow sets the rungs of the cells as decided.
func (s *State) follow() {
	for i := range s.Cells {
		if c := &s.Cells[i]; s.Grid.competes(c.Config) {
			c.Rung = 1
		}
	}
	for i := range s.Decisions {
		s.apply(&s.Decisions[i])
	}
}

// apply moves the settings that a decision keeps to the next rung. It prunes the runs of the others that have
// steps left.
func (s *State) apply(d *Decision) {
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Config.Dataset != d.Dataset || c.Config.Split != d.Split || c.Rung != d.Rung || c.out {
			continue
		}
		if d.keeps(c.setting) {
			c.Rung++
			continue
		}
		c.out = true
		if c.Status == Waiting || c.Status == Stopped {
			c.Status = Pruned
		}
	}
}

// decide ends the rungs whose runs have all ended.
func (s *scheduler) decide() {
	for {
		again := false
		for _, b := range s.state.brackets() {
			if b.rung >= s.state.Grid.Rungs || !s.state.ended(b) {
				continue
			}
			again = true
			if err := s.endRung(b); err != nil {
				s.halt(b, fmt.Errorf("successive halving: %w", err))
			}
		}
		if !again {
			return
		}
	}
}

// endRung ranks the settings of a bracket, saves the decision and applies it.
func (s *scheduler) endRung(b *bracket) error {
	d := Decision{Dataset: b.dataset, Split: b.split, Rung: b.rung}
	for _, setting := range b.settings {
		score, err := s.meanValidation(b.cells[setting])
		if err != nil {
			return err
		}
		d.Ranking = append(d.Ranking, Ranked{setting, rundir.Number(score)})
	}
	slices.SortStableFunc(d.Ranking, func(a, b Ranked) int {
		x := float64(a.ValLogLik)
		y := float64(b.ValLogLik)
		switch {
		case x > y || math.IsNaN(y) && !math.IsNaN(x):
			return -1
		case x < y || math.IsNaN(x) && !math.IsNaN(y):
			return 1
		}
		return 0 // The order of the cells breaks ties.
	})
	for _, r := range d.Ranking[:s.state.Grid.keep(len(d.Ranking))] {
		if !math.IsNaN(float64(r.ValLogLik)) {
			d.Kept++
		}
	}
	if _, err := s.folder.Keep(); err != nil { // The lock may have been lost to another process.
		return err
	}
	decisions := append(slices.Clone(s.state.Decisions), d)
	if err := writeFile(s.folder.dir, &s.state, decisions); err != nil {
		return err
	}
	s.state.Decisions = decisions
	s.state.apply(&d)
	return nil
}

// meanValidation returns the mean validation log-likelihood of the cells of a setting at the end of
// their rung, or NaN if a run failed or has none.
func (s *scheduler) meanValidation(cells []int) (float64, error) {
	sum := 0.0
	for _, i := range cells {
		c := &s.state.Cells[i]
		if c.Status == Failed {
			return math.NaN(), nil
		}
		value, err := s.validation(c, s.state.Target(c))
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum / float64(len(cells)), nil
}

// halt stops a bracket whose rung cannot be ended. Resuming the sweep tries again.
func (s *scheduler) halt(b *bracket, err error) {
	for _, cells := range b.cells {
		for _, i := range cells {
			if c := &s.state.Cells[i]; c.Status == Waiting {
				c.Status, c.Err = Stopped, err
			}
		}
	}
}

// validation returns the validation log-likelihood that successive halving compares, from the report lines of
// a run up to a step. It is the mean over the last 50 steps, or the highest such mean if the run keeps the
// parameters with the best validation. A validation that was made only because the run ended counts only if
// there is no other. The value is NaN if the run was not validated.
func validation(c *CellState, until int) (float64, error) {
	root, err := rundir.Root()
	if err != nil {
		return 0, err
	}
	every, err := strconv.Atoi(c.Summary.Values[config.ValidationEvery])
	if err != nil {
		return 0, fmt.Errorf("%s: %s: %w", c.Run, config.ValidationEvery, err)
	}
	var keeper watch.Keeper
	closing := math.NaN()
	_, err = rundir.ReadPoints(filepath.Join(root, c.Run),
		func(p rundir.Point) bool { return p.Step <= until },
		func(p rundir.Point) {
			if p.Step%every == 0 {
				keeper.Add(p.Step, p.ValLogLik)
			} else if !math.IsNaN(p.ValLogLik) {
				closing = p.ValLogLik
			}
		})
	switch {
	case err != nil:
		return 0, err
	case len(keeper.Values) == 0:
		return closing, nil
	case c.Summary.Values[rundir.KeepSetting] == rundir.KeptBest:
		return keeper.ValLogLik, nil
	}
	return keeper.Mean(), nil
}

// RungsText describes the rungs in one line, such as "1/9, 1/3 and all steps". It returns "" without
// successive halving.
func (g Grid) RungsText() string {
	var parts []string
	for rung := 1; rung < g.Rungs; rung++ {
		parts = append(parts, fmt.Sprintf("1/%d", g.Part(rung)))
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, ", ") + " and all steps"
}

// PrunedCells returns the number of pruned cells in a group and the last rung that any of them completed.
func (s *State) PrunedCells(g Group) (n, rung int) {
	for _, i := range g.Cells {
		if c := &s.Cells[i]; c.Status == Pruned {
			n++
			rung = max(rung, c.Rung)
		}
	}
	return n, rung
}

// halvingSeconds returns the longest possible training time of the remaining cells of a sweep with successive
// halving, assuming that the slowest settings continue. left reports whether a cell remains. whole returns
// the training time of all steps of a cell, and done returns the part of that time that is already trained.
func (s *State) halvingSeconds(left func(*CellState) bool, whole, done func(*CellState) float64) float64 {
	total := 0.0
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Rung == 0 && left(c) {
			total += max(0, whole(c)-done(c))
		}
	}
	for _, b := range s.brackets() {
		var times []float64 // times of whole runs, by setting
		for _, setting := range b.settings {
			sum := 0.0
			for _, i := range b.cells[setting] {
				c := &s.Cells[i]
				if !left(c) {
					continue
				}
				sum += whole(c)
				total += max(0, whole(c)/float64(s.Grid.Part(b.rung))-done(c))
			}
			times = append(times, sum)
		}
		slices.Sort(times)
		for rung := b.rung + 1; rung <= s.Grid.Rungs; rung++ {
			times = times[len(times)-s.Grid.keep(len(times)):]
			for _, seconds := range times {
				total += seconds * (1/float64(s.Grid.Part(rung)) - 1/float64(s.Grid.Part(rung-1)))
			}
		}
	}
	return total
}
