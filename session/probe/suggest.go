package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/predictive"
	"dgplab/models/stats"
)

const (
	// mostReferences is the maximum number of points that ALC and IMSE average over.
	mostReferences = 200
	// suggestionDraws is the number of joint draws that estimate moments that are not in closed form.
	suggestionDraws = 256
	// UsualCandidates is the number of candidates of a Latin hypercube by default.
	UsualCandidates = 200
)

// SuggestOptions holds options for suggesting the next inputs of an experiment.
type SuggestOptions struct {
	Criterion Criterion
	// Count is the number of suggestions.
	Count int
	// Hypercube is the number of candidates of a Latin hypercube over the box of the training inputs. It
	// is not used with a table of candidates.
	Hypercube int
	// Maximise looks for a maximum with EI, which looks for a minimum by default.
	Maximise bool
}

// Suggestions are the next inputs of an experiment, the best first.
type Suggestions struct {
	// Run is the ID of the run, and Step is the step of its model.
	Run       string    `json:"run"`
	Step      int       `json:"step"`
	Criterion Criterion `json:"criterion"`
	// Candidates is the number of candidates, and References the number of points that the criterion
	// averages over.
	Candidates int `json:"candidates"`
	References int `json:"references,omitempty"`
	// Draws is the number of joint draws of functions that the moments are estimated from, or 0 if they
	// are exact or Note says otherwise.
	Draws int `json:"draws,omitempty"`
	// Note states what is done without a joint posterior.
	Note string `json:"note,omitempty"`
	// Inputs holds the names of the inputs, and Targets of the targets, or is nil for classes.
	Inputs  []string     `json:"inputs"`
	Targets []string     `json:"targets,omitempty"`
	List    []Suggestion `json:"suggestions"`
}

// Suggestion is an input of an experiment.
type Suggestion struct {
	// Row is the row of the table of candidates, from 1, or 0 without a table.
	Row int `json:"row,omitempty"`
	// Inputs holds the inputs in original units, or the names of levels.
	Inputs []string `json:"inputs"`
	// At holds the numeric inputs in original units by column, NaN for categories.
	At []float64 `json:"-"`
	// Score is the criterion in standardised units, given the previous suggestions.
	Score float64 `json:"score"`
	// Mean and SD are the moments of each target with noise, in original units, given the data alone. A known
	// noise is the mean of the training set.
	Mean []float64 `json:"mean,omitempty"`
	SD   []float64 `json:"sd,omitempty"`
}

// candidates are the possible inputs of an experiment.
type candidates struct {
	x, given *mat.Dense // standardised and in original units, [n, D]
	rows     []int      // nil without a table
}

// Suggest proposes inputs among the rows of a table, or of a Latin hypercube if rows is nil. samples is
// the number of samples of predictions. The caller sets Run and Step.
func (p *Probe) Suggest(
	ctx context.Context, rows *datasets.Rows, samples int, o SuggestOptions,
) (*Suggestions, error) {
	c := p.hypercube(o.Hypercube, "candidates")
	if rows != nil {
		var err error
		c, err = p.candidateRows(ctx, rows)
		if err != nil {
			return nil, err
		}
	}
	n := rowsOf(c.x)
	_, targets := p.Data.Train.Y.Dims()
	switch {
	case n > mostJointRows-mostReferences:
		return nil, fmt.Errorf("%d candidates are too many; want at most %d", n, mostJointRows-mostReferences)
	case o.Count > n:
		return nil, fmt.Errorf("%d suggestions need as many candidates, and there are %d", o.Count, n)
	case o.Criterion == EI && (p.Data.Task.Classes() || targets > 1):
		return nil, errors.New("the criterion ei needs a single real target")
	}
	out := &Suggestions{Criterion: o.Criterion, Candidates: n}
	for _, column := range p.inputColumns() {
		out.Inputs = append(out.Inputs, column.Name)
	}
	d := &design{criterion: o.Criterion, candidates: n, maximise: o.Maximise}
	x := c.x
	switch o.Criterion {
	case ALC:
		count := min(n, mostReferences)
		for r := range count {
			d.references = append(d.references, r*n/count)
		}
	case IMSE:
		extra := p.hypercube(mostReferences, "references").x
		var all mat.Dense
		all.Stack(x, extra)
		x = &all
		for r := range mostReferences {
			d.references = append(d.references, n+r)
		}
	}
	out.References = len(d.references)
	if err := p.designMoments(ctx, d, x, samples, out); err != nil {
		return nil, err
	}
	if o.Criterion == EI {
		if err := p.findBest(ctx, d, samples); err != nil {
			return nil, err
		}
	}
	for range o.Count {
		i, score := d.next()
		given := c.given.RawRowView(i)
		s := Suggestion{Inputs: p.cellsOf(given), At: p.numbersOf(given), Score: score}
		if c.rows != nil {
			s.Row = c.rows[i] + 1
		}
		if err := p.describe(&s, copyRows(c.x, nil, i, i+1), samples); err != nil {
			return nil, err
		}
		out.List = append(out.List, s)
	}
	if !p.Data.Task.Classes() {
		out.Targets = p.fitTargets()
	}
	return out, nil
}

// describe sets the predicted moments of a suggestion at x.
func (p *Probe) describe(s *Suggestion, x *mat.Dense, samples int) error {
	predicted, err := p.predictAt(x, samples, p.derive(suggestDraws, 1))
	if err == nil {
		err = addNoise(predicted, p.usualNoise(1))
	}
	if err != nil {
		return err
	}
	real, ok := predicted.(predictive.Regression)
	if !ok {
		return nil
	}
	_, targets := real.Dims()
	s.Mean = make([]float64, targets)
	s.SD = make([]float64, targets)
	unitsOf(p.Data.Scaling).Moments(real, s.Mean, s.SD)
	for k, v := range s.SD {
		s.SD[k] = math.Sqrt(v)
	}
	return nil
}

// designMoments sets the moments of the functions at x and the noise. Latent functions of classes have
// the noise variance 1 of a probit.
func (p *Probe) designMoments(
	ctx context.Context, d *design, x *mat.Dense, samples int, out *Suggestions,
) error {
	if err := p.functionMoments(d, x, out); err != nil {
		return err
	}
	if p.Data.Task.Classes() {
		for range d.mean {
			d.noise = append(d.noise, 1)
		}
	} else {
		_, targets := p.Data.Train.Y.Dims()
		d.mean = firstOfEach(d.mean, targets)
		d.covariance = firstOfEach(d.covariance, targets)
	}
	if d.mean != nil && d.noise != nil {
		return nil
	}
	n := d.candidates
	var mean, total []float64
	at := rowsIn(copyRows(x, nil, 0, n), nil)
	at.noise = p.usualNoise(n)
	err := p.predictInChunks(ctx, at, samples, p.seed, suggestDraws,
		func(_ int, predicted predictive.Predictive) {
			real, ok := predicted.(predictive.Regression)
			if !ok {
				return
			}
			points, targets := real.Dims()
			m := make([]float64, points*targets)
			v := make([]float64, points*targets)
			real.Moments(m, v)
			mean = append(mean, m...)
			total = append(total, v...)
		})
	if err != nil {
		return err
	}
	targets := len(mean) / n
	if targets == 0 {
		return errors.New("classes need functions drawn jointly, which the family does not have")
	}
	if d.mean == nil {
		return p.marginalMoments(d, mean, total, targets, out)
	}
	for k := range d.mean {
		var noise, count float64
		for i := range n {
			noise += (total[i*targets+k] - d.variance(k, i)) / float64(n)
			count += mean[i*targets+k] / float64(n)
		}
		if p.Data.Task == task.Count {
			noise = 1 / count // the variance of the logarithm of a Poisson count, by the delta method
		}
		d.noise = append(d.noise, max(noise, 0))
	}
	return nil
}

// usualNoise returns the known noise of n new experiments, the mean of the training set, or nil if there is
// none.
func (p *Probe) usualNoise(n int) []float64 {
	if p.Data.Train.Noise == nil {
		return nil
	}
	return slices.Repeat([]float64{stat.Mean(p.Data.Train.Noise, nil)}, n)
}

// firstOfEach returns the first function of each target. The others, such as the log variance of noise, are
// in other units.
func firstOfEach(functions [][]float64, targets int) (list [][]float64) {
	for at := 0; at < len(functions); at += len(functions) / targets {
		list = append(list, functions[at])
	}
	return list
}

// marginalMoments sets the moments of the predictions of the candidates, [n][P] each, for models without
// a joint posterior. Only criteria that need no covariance can be used.
func (p *Probe) marginalMoments(d *design, mean, total []float64, targets int, out *Suggestions) error {
	if d.references != nil {
		return fmt.Errorf("the criterion %s needs the covariance of functions; %s", d.criterion, out.Note)
	}
	d.independent = true
	out.Note += "; the suggestions ignore each other, and variances include the noise"
	d.mean = make([][]float64, targets)
	d.covariance = make([][]float64, targets)
	for at := range mean {
		k := at % targets
		d.mean[k] = append(d.mean[k], mean[at])
		d.covariance[k] = append(d.covariance[k], total[at])
	}
	return nil
}

// functionMoments sets the joint moments of the functions: in closed form, or of joint draws. It leaves
// them nil if there are none.
func (p *Probe) functionMoments(d *design, x *mat.Dense, out *Suggestions) error {
	if m, ok := p.Model.(family.JointPredictor); ok {
		_, err := Ask(p, func() (none struct{}, err error) {
			d.mean, d.covariance, err = m.JointMoments(x)
			return none, err
		})
		return err
	}
	m, err := p.jointSampler()
	if err != nil {
		out.Note = err.Error()
		return nil
	}
	draws, err := Ask(p, func() ([][][]float64, error) {
		return m.DrawFunctions(x, suggestionDraws, p.derive(suggestDraws, 0))
	})
	if err != nil {
		return err
	}
	if len(draws) < 2 {
		out.Note = "the chains keep too few samples for a covariance"
		return nil
	}
	out.Draws = len(draws)
	n := rowsOf(x)
	for k := range draws[0] {
		all := mat.NewDense(len(draws), n, nil)
		for s, draw := range draws {
			all.SetRow(s, draw[k])
		}
		mean := make([]float64, n)
		for i := range mean {
			mean[i] = stat.Mean(mat.Col(nil, i, all), nil)
		}
		covariance := mat.NewSymDense(n, nil)
		stat.CovarianceMatrix(covariance, all, nil)
		values := make([]float64, n*n)
		for i := range n {
			for j := range n {
				values[i*n+j] = covariance.At(i, j)
			}
		}
		d.mean = append(d.mean, mean)
		d.covariance = append(d.covariance, values)
	}
	return nil
}

// findBest sets the best predicted mean at the training inputs.
func (p *Probe) findBest(ctx context.Context, d *design, samples int) error {
	sign := 1.0
	if d.maximise {
		sign = -1
	}
	best := math.Inf(1)
	err := p.predictInChunks(ctx, rowsIn(p.Data.Train.X, nil), samples, p.seed, suggestDraws,
		func(_ int, predicted predictive.Predictive) {
			n, _ := predicted.Dims()
			mean := make([]float64, n)
			predicted.(predictive.Regression).Moments(mean, make([]float64, n))
			for _, v := range mean {
				best = min(best, sign*v)
			}
		})
	d.best = sign * best
	return err
}

// candidateRows reads all candidates of a table.
func (p *Probe) candidateRows(ctx context.Context, rows *datasets.Rows) (c candidates, err error) {
	var x, given []float64
	for {
		batch, err := rows.Next(ctx, chunkDraws)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return c, err
		}
		x = append(x, batch.X.RawMatrix().Data...)
		given = append(given, batch.Inputs.RawMatrix().Data...)
		c.rows = append(c.rows, batch.Rows...)
		if len(c.rows) > mostJointRows {
			break // Suggest reports the error.
		}
	}
	if len(c.rows) == 0 {
		return c, errors.New("the table has no candidates")
	}
	c.x = mat.NewDense(len(c.rows), len(x)/len(c.rows), x)
	c.given = mat.NewDense(len(c.rows), len(x)/len(c.rows), given)
	return c, nil
}

// cellsOf returns inputs in original units, [D], as text: numbers with all digits, and dates as 2021-04-03
// or 2021-04-03 15:30:00.
func (p *Probe) cellsOf(given []float64) (cells []string) {
	for _, column := range p.inputColumns() {
		if !column.Category() {
			v := given[column.First]
			cell := strconv.FormatFloat(v, 'g', -1, 64)
			if seconds := p.secondsOf(column); seconds > 0 {
				layout := time.DateOnly
				if seconds == 1 {
					layout = time.DateTime
				}
				cell = time.Unix(int64(math.Round(v*seconds)), 0).UTC().Format(layout)
			}
			cells = append(cells, cell)
			continue
		}
		cell := ""
		level := column.Level(given[column.First : column.First+column.Width])
		if level >= 0 {
			cell = column.Levels[level]
		}
		cells = append(cells, cell)
	}
	return cells
}

// numbersOf returns the numeric columns of inputs in original units, [D], and NaN for categories.
func (p *Probe) numbersOf(given []float64) (values []float64) {
	for _, column := range p.inputColumns() {
		v := math.NaN()
		if !column.Category() {
			v = given[column.First]
		}
		values = append(values, v)
	}
	return values
}

// secondsOf returns the length of the unit of a column of dates in seconds, or 0 for other columns.
func (p *Probe) secondsOf(column inputColumn) float64 {
	return table.SecondsOf(columnUnit(p.columns.inputUnits, column.First))
}

// hypercube returns a Latin hypercube of n points over the box of the training inputs: every column has one
// point in each of n intervals of equal length, or levels of equal number (McKay, Beckman, Conover, "A
// Comparison of Three Methods for Selecting Values of Input Variables", 1979). Numbers have six digits, and
// dates are whole days or seconds.
func (p *Probe) hypercube(n int, purpose string) (c candidates) {
	points, d := p.Data.Train.X.Dims()
	if n == 0 {
		return c
	}
	c.x = mat.NewDense(n, d, nil)
	c.given = mat.NewDense(n, d, nil)
	values := make([]float64, points)
	for k, column := range p.inputColumns() {
		stream := stats.Stream(p.derive(suggestDraws, 2), purpose, uint64(k))
		own := axis{inputColumn: column}
		mat.Col(values, column.First, p.Data.Train.X)
		for i, stratum := range stream.Perm(n) {
			share := (float64(stratum) + stream.Float64()) / float64(n)
			row := c.x.RawRowView(i)
			given := c.given.RawRowView(i)
			if column.Category() {
				k := int(share * float64(own.len()))
				own.put(row, k)
				column.Encode(given[column.First:column.First+column.Width], column.levels[k])
				continue
			}
			scaling := p.Data.Scaling
			low := scaling.Input(column.First, slices.Min(values))
			high := scaling.Input(column.First, slices.Max(values))
			text := strconv.FormatFloat(low+share*(high-low), 'g', 6, 64)
			v, _ := strconv.ParseFloat(text, 64) // It was formatted.
			if p.secondsOf(column) > 0 {
				v = math.Round(low + share*(high-low))
			}
			given[column.First] = v
			row[column.First] = scaling.StandardInput(column.First, v)
		}
	}
	return c
}
