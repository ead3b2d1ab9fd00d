package board

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// manyFunctions is the minimum number of functions for which the panel initially shows only the first.
const manyFunctions = 4

// newFunctionsPanel returns the panel of the posterior functions of the selected run along one column.
func newFunctionsPanel() *Panel {
	find := finderOf(func(v view.Views) *view.Functions { return v.Functions },
		func(f *view.Functions) int { return len(f.Items) })
	// The last value of the choice selects all functions.
	function := &Choice{
		name: "function", position: new(position), arrows: upDown, wheel: true,
		Count: find.count(func(f *view.Functions) int {
			if len(f.Items) == 1 {
				return 1
			}
			return len(f.Items) + 1
		}),
		first: find.count(func(f *view.Functions) int {
			if n := len(f.Items); n > 1 && n < manyFunctions {
				return n
			}
			return 0
		}),
	}
	function.note = func(b *Board) string {
		items := find.in(b).Items
		k := b.Value(function)
		if k == len(items) {
			return "all functions"
		}
		name := report.Printable(items[k].Name)
		if share := items[k].Share; share > 0 {
			name += fmt.Sprintf(", %.0f%% of the prior variance", 100*share)
		}
		return fmt.Sprintf("%s, %d of %d", name, k+1, len(items))
	}
	input := &Choice{
		name: "input", position: new(position), arrows: leftRight,
		Count: find.count(func(f *view.Functions) int { return len(f.Lines()) }),
	}
	return modelPanel(find, "this model has no functions to show", Panel{
		Name: "Functions", short: "Func", title: "Functions of the posterior",
		Guide:   functionsGuide,
		Choices: []*Choice{function, input},
		heading: func(b *Board) (title string, notes []string) {
			return "", append([]string{"without noise"}, heldNotes(b.Snapshot())...)
		},
		picture: func(b *Board) viz.Picture {
			return functionsPicture(find.in(b).Lines()[b.Value(input)], b.Value(function))
		},
		figures: func(b *Board) (list []report.Figure) {
			f := find.in(b)
			o := figure.Options{Title: "Functions of the posterior, " + b.diagnosedStep()}
			chosen := b.Value(input)
			for _, b := range b.each(input) {
				l := f.Lines()[b.Value(input)]
				name := "functions"
				if b.Value(input) > 0 {
					name = fmt.Sprintf("functions-input-%d", l.Input+1)
				}
				one := report.NewFigure(name, functionsPicture(l, len(l.Items)), o)
				one.Folded = b.foldedUnless(chosen, input)
				list = append(list, one)
			}
			return list
		},
	})
}

// heldNotes states where the views of a model hold the inputs that they do not vary.
func heldNotes(s *session.Snapshot) []string {
	switch {
	case s.Data.Columns != nil:
		return []string{"other inputs at means and most frequent levels"}
	case s.Data.D > 1:
		return []string{"other inputs at their means"}
	}
	return nil
}

// inputName returns the name of an input, or its number if it has none.
func inputName(name string, input int) string {
	if name == "" {
		return fmt.Sprintf("input %d", input+1)
	}
	return report.Printable(name)
}

// functionsPicture returns the functions of a posterior along one column: the chosen one, or all if
// chosen is their number.
func functionsPicture(f *view.Functions, chosen int) viz.Picture {
	const yName = "f, standardised"
	name := inputName(f.Name, f.Input)
	b := plots.Bands{X: f.Grid, XName: name + ", standardised", YName: yName}
	levels := plots.Fits{XName: name, YName: yName}
	for i, item := range f.Items {
		if chosen != len(f.Items) && i != chosen {
			continue
		}
		b.Bands = append(b.Bands, plots.Band{Label: item.Name, Run: i, Mean: item.Mean, SD: item.SD})
		band := chart.Range{Name: "2 sd"}
		for k, mean := range item.Mean {
			band.Lo = append(band.Lo, mean-2*item.SD[k])
			band.Hi = append(band.Hi, mean+2*item.SD[k])
		}
		levels.List = append(levels.List, plots.Fit{Label: item.Name, Run: i, X: f.Grid, Mean: item.Mean,
			MeanName: "mean", Ranges: []chart.Range{band}})
	}
	if f.Category != nil {
		return levelsPicture(levels, f.Category)
	}
	return b
}
