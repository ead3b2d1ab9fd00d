package view

import (
	"fmt"

	"dgplab/models/number"
)

// FitLevels are the levels of the quantiles of a prediction: the ends of its central
// intervals of 95 and of 50 %.
var FitLevels = [...]float64{0.025, 0.25, 0.75, 0.975}

// Fit is what a model predicts beside what was observed, in original units: along some of
// its inputs, and at points that are held back.
type Fit struct {
	// Step is that of the predictions, perhaps one before that of the other views.
	Step int `json:"step"`
	// Targets names what is predicted, [P]: targets, or with Classes the probabilities of
	// classes, of two that of the second alone.
	Targets []string `json:"targets"`
	Classes bool     `json:"classes,omitempty"`
	// Units are those of the targets, "" for one without; nil where none is known.
	Units []string `json:"units,omitempty"`
	// Samples is the number of components of each prediction along an input; 1 for one that
	// is not estimated from draws.
	Samples int `json:"samples"`
	// Levels are the quantiles of the training inputs at which all other inputs are held, [Q],
	// with the median in the middle; the median alone where there are no others.
	Levels []float64 `json:"levels"`
	// At are the values of the inputs of all lines at each level, [Q][I].
	At []number.Rounded `json:"at"`
	// Inputs names all inputs, [D]; Lines are those along some of them, [I].
	Inputs []string  `json:"inputs"`
	Lines  []FitLine `json:"lines"`
	// Rows is the number of training rows that partial dependence is an average over, each
	// prediction mixed of so many components.
	Rows       int `json:"rows,omitempty"`
	RowSamples int `json:"row_samples,omitempty"`
	// Train and Held are some of the training points and of those that are held back;
	// Predicted is what is predicted of the latter, [P].
	Train     FitPoints `json:"train"`
	Held      FitPoints `json:"held"`
	Predicted []Fitted  `json:"predicted"`
}

// FitLine is what is predicted along an input.
type FitLine struct {
	// Input is the column that moves, from 0, Name its name, Unit its unit, if it has one, and
	// Grid its values, [G].
	Input int            `json:"input"`
	Name  string         `json:"name"`
	Unit  string         `json:"unit,omitempty"`
	Grid  number.Rounded `json:"grid"`
	// Slices are the predictions with all other inputs at a level, [Q][P].
	Slices [][]Fitted `json:"slices"`
	// Draws are functions drawn from the posterior, without noise, with all other inputs at
	// their medians, [P][C][G]; nil where none are drawn.
	Draws [][]number.Rounded `json:"draws,omitempty"`
	// Coarse is the grid of the partial dependence, [A], and Dependence its values, [P]; empty
	// where there are no other inputs.
	Coarse     number.Rounded `json:"coarse,omitempty"`
	Dependence []Dependence   `json:"dependence,omitempty"`
	// Inducing are the coordinates of the inducing inputs of the first layer.
	Inducing number.Rounded `json:"inducing,omitempty"`
}

// Fitted is what is predicted of a target at some points: the mean, and the quantiles of
// FitLevels with noise included; of a class the probability, without quantiles.
type Fitted struct {
	Mean      number.Rounded   `json:"mean"`
	Quantiles []number.Rounded `json:"quantiles,omitempty"`
}

// Dependence is the partial dependence of a target on an input: the mean over training rows
// of the predicted mean with that input moved, and between which values it lies in nine in
// ten of the rows, [A] (Friedman, "Greedy Function Approximation", 2001, section 8.2;
// Goldstein et al., "Peeking Inside the Black Box", 2015, of the rows by themselves).
type Dependence struct {
	Mean number.Rounded `json:"mean"`
	Lo   number.Rounded `json:"lo"`
	Hi   number.Rounded `json:"hi"`
}

// FitPoints are some of Of points: their coordinates along the input of each line, [I][n],
// and what was observed, [P][n]; of a class 1 or 0.
type FitPoints struct {
	// Name says which points they are.
	Name string           `json:"name"`
	X    []number.Rounded `json:"x"`
	Y    []number.Rounded `json:"y"`
	Of   int              `json:"of"`
}

// Size returns the number of points.
func (p *FitPoints) Size() int {
	if len(p.Y) == 0 {
		return 0
	}
	return len(p.Y[0])
}

// Check returns an error unless the parts of the fit have the same targets, inputs and
// points.
func (f *Fit) Check() error {
	if len(f.Lines) == 0 || len(f.Targets) == 0 || len(f.Levels) == 0 {
		return fmt.Errorf("a fit of %d targets along %d inputs at %d levels",
			len(f.Targets), len(f.Lines), len(f.Levels))
	}
	if len(f.At) != len(f.Levels) {
		return fmt.Errorf("a fit at %d levels with %d places", len(f.Levels), len(f.At))
	}
	if err := sameLengths(len(f.Lines), f.At...); err != nil {
		return fmt.Errorf("the places of a fit: %w", err)
	}
	for _, p := range []*FitPoints{&f.Train, &f.Held} {
		if err := p.check(len(f.Targets), len(f.Lines)); err != nil {
			return fmt.Errorf("the %s of a fit: %w", p.Name, err)
		}
	}
	if err := checkFitted(f.Predicted, len(f.Targets), f.Held.Size()); err != nil {
		return fmt.Errorf("what a fit says of %s: %w", f.Held.Name, err)
	}
	for i := range f.Lines {
		if err := f.Lines[i].check(len(f.Targets), len(f.Levels)); err != nil {
			return fmt.Errorf("a fit along %s: %w", f.Lines[i].Name, err)
		}
	}
	return nil
}

func (p *FitPoints) check(targets, lines int) error {
	if len(p.Y) != targets || len(p.X) != lines {
		return fmt.Errorf("%d targets along %d inputs", len(p.Y), len(p.X))
	}
	return sameLengths(p.Size(), append(p.X[:lines:lines], p.Y...)...)
}

func (l *FitLine) check(targets, levels int) error {
	if len(l.Slices) != levels || len(l.Grid) < 2 {
		return fmt.Errorf("%d levels on a grid of %d", len(l.Slices), len(l.Grid))
	}
	for _, slice := range l.Slices {
		if err := checkFitted(slice, targets, len(l.Grid)); err != nil {
			return err
		}
	}
	if l.Draws != nil && len(l.Draws) != targets || l.Dependence != nil && len(l.Dependence) != targets {
		return fmt.Errorf("draws of %d targets, dependence of %d", len(l.Draws), len(l.Dependence))
	}
	for _, d := range l.Draws {
		if err := sameLengths(len(l.Grid), d...); err != nil {
			return err
		}
	}
	for _, d := range l.Dependence {
		if err := sameLengths(len(l.Coarse), d.Mean, d.Lo, d.Hi); err != nil {
			return err
		}
	}
	return nil
}

// checkFitted returns an error unless there is a prediction of every target at n points.
func checkFitted(list []Fitted, targets, n int) error {
	if len(list) != targets {
		return fmt.Errorf("predictions of %d targets, want %d", len(list), targets)
	}
	for _, f := range list {
		if q := len(f.Quantiles); q != 0 && q != len(FitLevels) {
			return fmt.Errorf("%d quantiles, want %d", q, len(FitLevels))
		}
		if err := sameLengths(n, append(f.Quantiles[:len(f.Quantiles):len(f.Quantiles)], f.Mean)...); err !=
			nil {
			return err
		}
	}
	return nil
}

// sameLengths returns an error unless every list has n numbers.
func sameLengths(n int, lists ...number.Rounded) error {
	for _, list := range lists {
		if len(list) != n {
			return fmt.Errorf("%d numbers, want %d", len(list), n)
		}
	}
	return nil
}
