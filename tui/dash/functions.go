package dash

import (
	"fmt"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// manyFunctions is the smallest number of functions of which the panel shows only the first until
// the user chooses all.
const manyFunctions = 4

// newFunctionsPanel returns the panel of the posterior functions of the chosen run along one input.
func newFunctionsPanel() *panel {
	find := finderOf(func(v view.Views) *view.Functions { return v.Functions },
		func(f *view.Functions) int { return len(f.Items) })
	// The last value of the choice selects all functions together.
	function := &choice{
		name: "function", position: new(position), arrows: upDown, wheel: true,
		count: find.count(func(f *view.Functions) int {
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
	function.note = func(s scene) string {
		items := find.in(s).Items
		k := s.value(function)
		if k == len(items) {
			return "all functions"
		}
		name := report.Printable(items[k].Name)
		if share := items[k].Share; share > 0 {
			name += fmt.Sprintf(", %.0f%% of the prior variance", 100*share)
		}
		return fmt.Sprintf("%s, %d of %d", name, k+1, len(items))
	}
	input := &choice{
		name: "input", position: new(position), arrows: leftRight,
		count: find.count(func(f *view.Functions) int { return len(f.Lines()) }),
	}
	return modelPanel(find, "this model has no functions to show", panel{
		name: "Functions", short: "Func", title: "Functions of the posterior",
		guide:   functionsGuide,
		choices: []*choice{function, input},
		heading: func(s scene) (title string, notes []string) {
			notes = []string{"without noise"}
			switch data := s.snap().Data; {
			case data.Columns != nil:
				notes = append(notes, "other inputs at their means, categories between levels")
			case data.D > 1:
				notes = append(notes, "other inputs at their means")
			}
			return "Functions of the posterior", notes
		},
		picture: func(s scene) viz.Picture {
			return functionsPicture(find.in(s).Lines()[s.value(input)], s.value(function))
		},
		figures: func(s scene) (list []report.Figure) {
			f := find.in(s)
			o := figure.Options{Title: "Functions of the posterior, " + s.diagnosedStep()}
			for k, l := range f.Lines() {
				name := "functions"
				if k > 0 {
					name = fmt.Sprintf("functions-input-%d", l.Input+1)
				}
				list = append(list, report.NewFigure(name, functionsPicture(l, len(l.Items)), o))
			}
			return list
		},
	})
}

// functionsPicture returns the functions of a posterior along one input: the chosen one, or all if
// chosen is their number.
func functionsPicture(f *view.Functions, chosen int) plots.Bands {
	name := f.Name
	if name == "" {
		name = fmt.Sprintf("input %d", f.Input+1)
	}
	b := plots.Bands{X: f.Grid, XName: name + ", standardised", YName: "f, standardised"}
	for i, item := range f.Items {
		if chosen == len(f.Items) || i == chosen {
			b.Bands = append(b.Bands, plots.Band{Label: item.Name, Run: i, Mean: item.Mean, SD: item.SD})
		}
	}
	return b
}
