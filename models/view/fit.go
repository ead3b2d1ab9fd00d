package view

import (
	"fmt"
	"slices"
)

// FitLevels are the quantile levels of predictions: the ends of the central 50 and 95 % intervals.
var FitLevels = [...]float64{0.025, 0.25, 0.75, 0.975}

// Fit compares predictions with observations, in original units: along some of the inputs and at
// held-out points.
type Fit struct {
	// Step is the step of the predictions, possibly older than the other views.
	Step int `json:"step"`
	// Targets names the predicted targets, [P]. If Classes is set, the targets are class
	// probabilities; a binary task has only the probability of the second class.
	Targets []string `json:"targets"`
	Classes bool     `json:"classes,omitempty"`
	// Units lists the units of the targets, "" for a target without a unit. It is nil if no unit is
	// known.
	Units []string `json:"units,omitempty"`
	// Samples is the number of components of each prediction along an input; 1 if predictions are
	// not estimated from draws.
	Samples int `json:"samples"`
	// Levels are the quantiles of the training inputs at which the other numeric inputs are held,
	// [Q], with the median in the middle. Without other numeric inputs, Levels has only the median.
	// Other categorical inputs are held at their most frequent level.
	Levels []float64 `json:"levels"`
	// At holds the values of the inputs of all lines at each level, [Q][I].
	At []Rounded `json:"at"`
	// Inputs names all input columns. Categories lists the columns that are categorical, ascending,
	// from 0. Lines holds the predictions along some of the inputs, [I].
	Inputs     []string  `json:"inputs"`
	Categories []int     `json:"categories,omitempty"`
	Lines      []FitLine `json:"lines"`
	// Rows is the number of training rows over which partial dependence averages, and RowSamples is
	// the number of components of each prediction at a row.
	Rows       int `json:"rows,omitempty"`
	RowSamples int `json:"row_samples,omitempty"`
	// DensitySamples is the number of components of the predictions in densities.
	DensitySamples int `json:"density_samples,omitempty"`
	// Train and Held hold some of the training points and some of the held-out points. Predicted
	// holds the predictions at the held-out points, [P].
	Train     FitPoints `json:"train"`
	Held      FitPoints `json:"held"`
	Predicted []Fitted  `json:"predicted"`
}

// FitLine holds predictions along one input.
type FitLine struct {
	// Input is the column of the varied input, from 0. Name is its name, Unit is its unit, if any,
	// and Grid holds its values, [G].
	Input int     `json:"input"`
	Name  string  `json:"name"`
	Unit  string  `json:"unit,omitempty"`
	Grid  Rounded `json:"grid"`
	// Category describes the levels of a categorical input; it is nil for a numeric input. The
	// values of a categorical input, such as Grid, are indices of its levels, or NaN for any other
	// cell.
	Category *Category `json:"category,omitempty"`
	// Slices holds the predictions with the other inputs held at each level, [Q][P]. Only the
	// median is used if no other input is numeric.
	Slices [][]Fitted `json:"slices"`
	// Draws holds functions drawn from the posterior, without noise, with all other inputs at their
	// medians, [P][C][G]. It is nil if the model does not draw functions.
	Draws [][]Rounded `json:"draws,omitempty"`
	// Densities are the predictive densities, [P], or nil if predictions are Gaussian or classes.
	Densities []Density `json:"densities,omitempty"`
	// Coarse is the grid of the partial dependence, [A], and Dependence holds its values, [P]. Both
	// are empty if there are no other inputs.
	Coarse     Rounded      `json:"coarse,omitempty"`
	Dependence []Dependence `json:"dependence,omitempty"`
	// Inducing holds the coordinates of the inducing inputs of the first layer.
	Inducing Rounded `json:"inducing,omitempty"`
}

// Category describes the levels of a categorical input, [G].
type Category struct {
	Names []string `json:"names"`
	// Counts holds the number of training rows with each level.
	Counts []int `json:"counts"`
	// More is the number of levels that are not shown. These are the rarest.
	More int `json:"more,omitempty"`
}

// Fitted holds predictions of a target at some points: the mean and the quantiles at FitLevels,
// including noise. For a class it holds the probability, without quantiles.
type Fitted struct {
	Mean      Rounded   `json:"mean"`
	Quantiles []Rounded `json:"quantiles,omitempty"`
}

// Dependence is the partial dependence of a target on an input: the mean over training rows of the
// predicted mean as a function of this input, and the interval that contains the predicted mean of
// nine in ten rows, [A] (Friedman, "Greedy Function Approximation", 2001, section 8.2; for
// individual rows Goldstein et al., "Peeking Inside the Black Box", 2015).
type Dependence struct {
	Mean Rounded `json:"mean"`
	Lo   Rounded `json:"lo"`
	Hi   Rounded `json:"hi"`
}

// FitPoints holds some of Total points: their coordinates along the input of each line, [I][n], and
// their observed targets, [P][n]. The target of a class is 1 or 0.
type FitPoints struct {
	// Name describes the points, for example "training points".
	Name  string    `json:"name"`
	X     []Rounded `json:"x"`
	Y     []Rounded `json:"y"`
	Total int       `json:"of"`
}

// Size returns the number of points.
func (p *FitPoints) Size() int {
	if len(p.Y) == 0 {
		return 0
	}
	return len(p.Y[0])
}

// Categorical reports whether an input column is categorical.
func (f *Fit) Categorical(input int) bool { return slices.Contains(f.Categories, input) }

// HoldsNumbers and HoldsCategories report whether a line holds other numeric or categorical inputs
// fixed.
func (f *Fit) HoldsNumbers(line int) bool { return f.holds(line, false) }

func (f *Fit) HoldsCategories(line int) bool { return f.holds(line, true) }

func (f *Fit) holds(line int, categories bool) bool {
	for input := range f.Inputs {
		if input != f.Lines[line].Input && f.Categorical(input) == categories {
			return true
		}
	}
	return false
}

// Check returns an error unless the numbers of targets, inputs and points agree in all parts of the
// fit.
func (f *Fit) Check() error {
	if len(f.Lines) == 0 || len(f.Targets) == 0 || len(f.Levels) == 0 {
		return fmt.Errorf("the fit has %d targets, %d inputs and %d levels, want at least one of each",
			len(f.Targets), len(f.Lines), len(f.Levels))
	}
	if len(f.At) != len(f.Levels) {
		return fmt.Errorf("the fit has %d levels and %d positions", len(f.Levels), len(f.At))
	}
	if err := sameLengths(len(f.Lines), f.At...); err != nil {
		return fmt.Errorf("positions of the fit: %w", err)
	}
	for _, p := range []*FitPoints{&f.Train, &f.Held} {
		if err := p.check(len(f.Targets), len(f.Lines)); err != nil {
			return fmt.Errorf("%s of the fit: %w", p.Name, err)
		}
	}
	if err := checkFitted(f.Predicted, len(f.Targets), f.Held.Size()); err != nil {
		return fmt.Errorf("predictions of the fit at the %s: %w", f.Held.Name, err)
	}
	for i := range f.Lines {
		if err := f.Lines[i].check(len(f.Targets), len(f.Levels)); err != nil {
			return fmt.Errorf("fit along %s: %w", f.Lines[i].Name, err)
		}
	}
	return nil
}

func (p *FitPoints) check(targets, lines int) error {
	if len(p.Y) != targets || len(p.X) != lines {
		return fmt.Errorf("there are %d targets and %d inputs", len(p.Y), len(p.X))
	}
	return sameLengths(p.Size(), append(p.X[:lines:lines], p.Y...)...)
}

func (l *FitLine) check(targets, levels int) error {
	if len(l.Slices) != levels && len(l.Slices) != 1 || len(l.Grid) < 2 && l.Category == nil {
		return fmt.Errorf("there are %d levels and %d grid points", len(l.Slices), len(l.Grid))
	}
	if c := l.Category; c != nil {
		g := len(l.Grid)
		if len(c.Names) != g || len(c.Counts) != g || len(l.Coarse) != 0 && len(l.Coarse) != g {
			return fmt.Errorf("there are %d grid points, %d names and %d counts of levels",
				g, len(c.Names), len(c.Counts))
		}
	}
	for _, slice := range l.Slices {
		if err := checkFitted(slice, targets, len(l.Grid)); err != nil {
			return err
		}
	}
	if l.Draws != nil && len(l.Draws) != targets || l.Dependence != nil && len(l.Dependence) != targets {
		return fmt.Errorf("there are draws of %d targets and dependences of %d",
			len(l.Draws), len(l.Dependence))
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
	if l.Densities != nil && len(l.Densities) != targets {
		return fmt.Errorf("there are densities of %d targets", len(l.Densities))
	}
	for k := range l.Densities {
		if err := l.Densities[k].check(len(l.Grid)); err != nil {
			return err
		}
	}
	return nil
}

// checkFitted returns an error unless list has a prediction of every target at n points.
func checkFitted(list []Fitted, targets, n int) error {
	if len(list) != targets {
		return fmt.Errorf("there are predictions of %d targets, want %d", len(list), targets)
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
func sameLengths(n int, lists ...Rounded) error {
	for _, list := range lists {
		if len(list) != n {
			return fmt.Errorf("%d numbers, want %d", len(list), n)
		}
	}
	return nil
}
