package reproduce

import (
	"errors"
	"fmt"
	"math"

	"dgplab/session/compare"
	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// limit is the number of combined standard errors beyond which a result differs from the published one.
const limit = 2

// Result is a cell of a Table.
type Result struct {
	// Published is nil if the source has no number. Excluded is the reason why it cannot be compared, or
	// "".
	Published *Published
	Excluded  string
	// Ours is the result of the finished runs. Its N is 0 if there are none.
	Ours compare.Score
	// Wanted is the number of repetitions of the protocol, also if this is a part of it, and Inconclusive
	// and Early are the numbers of runs that had not settled, and that stopped early.
	Wanted, Inconclusive, Early int
	// fewerData is set if a rank is an average over fewer data sets than in the protocol.
	fewerData bool
	// runs are the runs behind ours, by ID.
	runs map[string]*rundir.Info
	// Error is the standard error of ours. If Estimated is set, it follows from the published error,
	// because there are too few runs.
	Error     float64
	Estimated bool
	// Z is ours minus the published number in combined standard errors, or NaN. For a claim it is the
	// distance from the limit, positive if the claim holds.
	Z float64
	// Undecided is the reason why the difference decides nothing, or "".
	Undecided string
	// Apart is set if the results differ by more than two combined standard errors, and nothing was
	// shortened.
	Apart bool
}

// Table has the results of an experiment.
type Table struct {
	*Experiment
	// Results has shape [row][column].
	Results [][]Result
	// Done is the number of finished runs of the experiment.
	Done int
}

// planned is a run of an experiment.
type planned struct {
	cell   sweep.Cell
	method string
}

// planned returns all runs of the experiment on the data sets that are here.
func (e *Experiment) planned() ([]planned, error) {
	grid := e.Grid()
	if len(grid.Datasets) == 0 {
		return nil, nil
	}
	cells, err := grid.Cells()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range e.Methods {
		if m.Family != "" {
			names = append(names, m.Name)
		}
	}
	list := make([]planned, len(cells))
	methods := map[string]string{} // by setting
	for i, c := range cells {
		if i < len(names)*len(grid.Datasets) { // The methods vary fastest, then the data sets.
			methods[c.Setting()] = names[i%len(names)]
		}
		list[i] = planned{c, methods[c.Setting()]}
	}
	return list, nil
}

// finished maps keys to finished runs, the newest of each.
func finished(runs []rundir.Info) map[string]*rundir.Info {
	byKey := map[string]*rundir.Info{}
	for i := range runs { // Runs are sorted newest first.
		r := &runs[i]
		if !usable(r) {
			continue
		}
		key := sweep.Key(r.Config)
		if byKey[key] == nil {
			byKey[key] = r
		}
	}
	return byKey
}

// usable reports whether a run has ended by itself and has test scores.
func usable(r *rundir.Info) bool {
	if r.State != rundir.Ended || r.Results.Test == nil {
		return false
	}
	switch r.Results.Stop {
	case rundir.StopFailed, rundir.StopAsked, rundir.StopRung:
		return false
	}
	return true
}

// unit identifies a repetition of a method on a data set.
type unit struct {
	method, dataset, split string
	seed                   uint64
}

// results holds the finished runs of an experiment.
type results struct {
	*Experiment
	runs map[unit]*rundir.Info
}

// Measure returns the table of the experiment with the results of runs, which are sorted newest first.
func (e *Experiment) Measure(runs []rundir.Info) (*Table, error) {
	list, err := e.planned()
	if err != nil {
		return nil, err
	}
	byKey := finished(runs)
	r := &results{e, map[unit]*rundir.Info{}}
	done := 0
	for _, p := range list {
		info := byKey[p.cell.Key]
		if info == nil {
			continue
		}
		done++
		c := p.cell.Config
		seeds := []uint64{c.Seed}
		if config.Seedless(c) {
			seeds = e.seeds // The run stands for all of them.
		}
		for _, seed := range seeds {
			r.runs[unit{p.method, c.Dataset, c.Split, seed}] = info
		}
	}
	t := &Table{Experiment: e, Done: done}
	for i := range e.Data {
		var row []Result
		for _, c := range e.Columns {
			result, err := r.result(&e.Data[i], c)
			if err != nil {
				return nil, err
			}
			row = append(row, result)
		}
		t.Results = append(t.Results, row)
	}
	return t, nil
}

// result measures a cell and compares it with the published number.
func (r *results) result(d *Dataset, c Column) (Result, error) {
	out := Result{Z: math.NaN(), Error: math.NaN(), Excluded: d.Excluded[c.Name]}
	if p, ok := d.Published[c.Name]; ok {
		out.Published = &p
	}
	if (c.Quantity == Rank) != (d.Name == AllDatasets) || d.Skipped != "" {
		return out, nil
	}
	out.Wanted = r.allSplits * len(r.seedsOf(c))
	out.runs = map[string]*rundir.Info{}
	values, err := r.values(d, c, &out)
	if err != nil {
		return out, err
	}
	out.Inconclusive, out.Early = unsettled(out.runs)
	if len(values) > 0 {
		out.Ours = compare.ScoreOf(values)
		out.judge(r.Experiment)
		out.Undecided = out.undecided(r.resized)
		out.Apart = out.Apart && out.Undecided == ""
	}
	return out, nil
}

// undecided returns the reason why the difference decides nothing, or "". resized is set if the command has
// changed the length of training or the number of inducing points.
func (out *Result) undecided(resized bool) string {
	switch {
	case resized:
		return "changed length or inducing points"
	case out.Ours.N < out.Wanted:
		return "fewer repetitions than in the protocol"
	case out.fewerData:
		return "ranks on fewer data sets than in the protocol"
	case out.Inconclusive > 0:
		return "runs that had not settled"
	}
	return ""
}

// values returns the values of a cell by split.
func (r *results) values(d *Dataset, c Column, out *Result) (values [][]float64, err error) {
	for _, split := range r.splits {
		var list []float64
		for _, seed := range r.seedsOf(c) {
			var x float64
			var ok bool
			if c.Quantity == Rank {
				x, ok = r.rank(c.A, split, seed, out)
			} else {
				x, ok, err = r.value(c, unit{c.A, d.Dataset, split, seed}, out)
			}
			if err != nil {
				return nil, err
			}
			if ok {
				list = append(list, x)
			}
		}
		if len(list) > 0 {
			values = append(values, list)
		}
	}
	return values, nil
}

// value returns the quantity of a column for a repetition of its method A. ok is false if a run is
// missing.
func (r *results) value(c Column, at unit, out *Result) (x float64, ok bool, err error) {
	a := r.runs[at]
	if a == nil {
		return 0, false, nil
	}
	var b *rundir.Info
	if c.B != "" {
		at.method = c.B
		b = r.runs[at]
		if b == nil {
			return 0, false, nil
		}
		out.runs[b.ID] = b
	}
	out.runs[a.ID] = a
	switch c.Quantity {
	case Share, Wider, Underestimated:
		x, err := pointwise(c.Quantity, a, b)
		return x, err == nil, err
	}
	x, ok = r.metric.Of(metric.OfInfo(a))
	if b == nil {
		return x, ok, nil
	}
	y, both := r.metric.Of(metric.OfInfo(b))
	if c.Quantity == Ratio {
		return x / y, ok && both, nil
	}
	return x - y, ok && both, nil
}

// seedsOf returns the seeds that a column has values for. It is the first seed if no method of the column
// depends on it.
func (e *Experiment) seedsOf(c Column) []uint64 {
	for i := range e.Methods {
		m := &e.Methods[i]
		if (c.Quantity == Rank || m.Name == c.A || m.Name == c.B) && m.Family != "" && !m.seedless() {
			return e.seeds
		}
	}
	return e.seeds[:1]
}

// unsettled returns the numbers of runs that had not settled, and that stopped early.
func unsettled(runs map[string]*rundir.Info) (inconclusive, early int) {
	for _, r := range runs {
		if !r.Results.Conclusive() {
			inconclusive++
		}
		if r.Results.Stop == rundir.StopEarly {
			early++
		}
	}
	return inconclusive, early
}

// pointwise returns a quantity of the predictions of run a, and of run b if the quantity compares two.
func pointwise(q Quantity, a, b *rundir.Info) (float64, error) {
	x, err := a.Predictions()
	if err != nil {
		return 0, err
	}
	if q == Underestimated {
		return underestimated(x)
	}
	y, err := b.Predictions()
	if err != nil {
		return 0, err
	}
	pair, err := compare.Against(x, y)
	if err != nil {
		return 0, fmt.Errorf("%s and %s: %w", a.ID, b.ID, err)
	}
	if q == Wider {
		return sumOf(x.Variance) / sumOf(y.Variance), nil
	}
	return float64(pair.Share), nil
}

// underestimated returns the mean squared error divided by the mean predictive variance. It returns an error
// for classes.
func underestimated(p *rundir.Predictions) (float64, error) {
	if p.IsClassification() {
		return 0, errors.New("classes have no predictive variance")
	}
	squares := make([]float64, len(p.Mean))
	for i, mean := range p.Mean {
		squares[i] = square(p.Target[i] - mean)
	}
	return sumOf(squares) / sumOf(p.Variance), nil
}

// sumOf returns the sum of the values that are not missing. Targets that were not observed are NaN.
func sumOf(values []float64) float64 {
	total := 0.0
	for _, x := range values {
		if x == x {
			total += x
		}
	}
	return total
}

// rank returns the rank of a method among all methods, averaged over the data sets on which all of
// them have run. Rank 1 is the best, and equal scores share their mean rank.
func (r *results) rank(method, split string, seed uint64, out *Result) (float64, bool) {
	sum, n := 0.0, 0
	for _, d := range r.Data {
		if d.Dataset == "" {
			continue
		}
		rank, ok := r.rankOn(d.Dataset, method, split, seed)
		if ok {
			for _, m := range r.Methods {
				info := r.runs[unit{m.Name, d.Dataset, split, seed}]
				if info != nil {
					out.runs[info.ID] = info
				}
			}
			sum += rank
			n++
		}
	}
	out.fewerData = out.fewerData || n < r.allData
	return sum / float64(n), n > 0
}

// rankOn returns the rank of a method on one data set. ok is false unless all methods have a score.
func (r *results) rankOn(dataset, method, split string, seed uint64) (rank float64, ok bool) {
	own, other := 0.0, []float64{}
	for _, m := range r.Methods {
		if m.Family == "" {
			continue
		}
		info := r.runs[unit{m.Name, dataset, split, seed}]
		if info == nil {
			return 0, false
		}
		x, ok := r.metric.Of(metric.OfInfo(info))
		if !ok {
			return 0, false
		}
		if r.metric.Better == metric.Higher {
			x = -x
		}
		if m.Name == method {
			own = x
		} else {
			other = append(other, x)
		}
	}
	rank = 1
	for _, x := range other {
		switch {
		case x < own:
			rank++
		case x == own:
			rank += 0.5
		}
	}
	return rank, true
}

// judge compares ours with the published number.
func (out *Result) judge(e *Experiment) {
	out.Error = float64(out.Ours.SE)
	p := out.Published
	if p == nil {
		return
	}
	ours := float64(out.Ours.Mean)
	if p.Claim != 0 {
		out.Z = (ours - p.Value) / out.Error
		if p.Claim == '<' {
			out.Z = -out.Z
		}
		out.Apart = out.Z < -limit
		return
	}
	published := e.publishedError(p)
	if math.IsNaN(published) {
		published = 0
	}
	if math.IsNaN(out.Error) && e.Repetitions > 0 && published > 0 {
		out.Error = published * math.Sqrt(float64(e.Repetitions)/float64(out.Ours.N))
		out.Estimated = true
	}
	if out.Excluded != "" {
		return
	}
	rounding := math.Pow10(-e.Decimals) / math.Sqrt(12)
	out.Z = (ours - p.Value) / math.Sqrt(square(out.Error)+square(published)+square(rounding))
	out.Apart = math.Abs(out.Z) > limit
}

// publishedError returns the standard error of a published number, or NaN.
func (e *Experiment) publishedError(p *Published) float64 {
	if e.Spread == "sd" {
		return p.Error / math.Sqrt(float64(e.Repetitions))
	}
	return p.Error
}

func square(x float64) float64 { return x * x }
