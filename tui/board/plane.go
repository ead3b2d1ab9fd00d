package board

import (
	"fmt"
	"slices"

	"dgplab/models/view"
	"dgplab/tui/report"
	"dgplab/viz/figure"
	"dgplab/viz/heatmap"
)

// newPlanePanel returns the panel with the predictions of all runs over their two inputs on one colour scale.
func newPlanePanel() *Panel {
	find := finderOf(func(v view.Views) *view.Plane { return v.Plane },
		func(p *view.Plane) int { return len(p.Fields) })
	quantity := &Choice{
		name: "quantity", position: new(position), arrows: anyArrow,
		action: ActPlaneField,
		Count:  find.count(func(p *view.Plane) int { return len(p.Fields) }),
		label:  func(b *Board, i int) string { return find.in(b).Fields[i].Name },
	}
	// maps returns the planes of all runs with the same inputs as the selected run, for the same
	// quantity.
	maps := func(b *Board) (list heatmap.PlaneMaps) {
		chosen := find.in(b)
		if chosen == nil {
			return nil
		}
		name := chosen.Fields[b.Value(quantity)].Name
		for _, r := range b.Runs {
			v, _ := r.views()
			p := find(v)
			if p == nil || p.Inputs != chosen.Inputs || !sameLevels(p.XCategory, chosen.XCategory) ||
				!sameLevels(p.YCategory, chosen.YCategory) {
				continue
			}
			k := slices.IndexFunc(p.Fields, func(f view.Field) bool { return f.Name == name })
			if k < 0 {
				continue
			}
			m := report.Plane(p, k)
			m.Title = r.Brief
			m.Step = "at step " + report.Grouped(p.Step)
			m.Run = r.Index
			if f := v.Fit; f != nil && len(f.Lines) == 2 && len(f.Inputs) == 2 && len(f.Categories) == 0 {
				m.Marks = heatmap.Points{Label: "inducing", X: f.Lines[0].Inducing, Y: f.Lines[1].Inducing}
			}
			list = append(list, m)
		}
		return list
	}
	return modelPanel(find, "this run does not have two inputs", Panel{
		Name: "Plane", short: "Plane", title: "Predictions",
		Guide:   planeGuide,
		Choices: []*Choice{quantity},
		heading: func(b *Board) (title string, notes []string) {
			p := find.in(b)
			field := p.Fields[b.Value(quantity)]
			title = "Predictions: "
			if field.Function {
				return "Functions of the posterior: " + report.Printable(field.Name),
					append(notes, "standardised")
			}
			if p.Others > 0 {
				others := report.Plural(p.Others, "other input", "other inputs")
				switch p.Categories {
				case 0:
					others += " at the median"
				case p.Others:
					others += " at the most frequent level"
				default:
					others += " at medians and most frequent levels"
				}
				notes = append(notes, others)
			}
			if rarer := rarerLevels(p); rarer > 0 {
				notes = append(notes, report.Plural(rarer, "rarer level", "rarer levels")+" not shown")
			}
			if p.Samples > 1 {
				notes = append(notes, fmt.Sprintf("%d samples", p.Samples))
			}
			if len(maps(b)) > 1 && !b.comparison().sameData {
				notes = append(notes, mixedData)
			}
			return title + report.Printable(field.Name), notes
		},
		draw: func(b *Board, w, h int) []string { return maps(b).Render(b.Theme.VizStyle(), w, h) },
		lead: func(b *Board) []string {
			p := find.in(b)
			switch {
			case p == nil:
				return []string{b.whichRun()}
			case len(maps(b)) > 1: // The title of each has its step.
				return nil
			}
			return []string{b.whichRun(), "at step " + report.Grouped(p.Step)}
		},
		All: true,
		figures: func(b *Board) (list []report.Figure) {
			for i, m := range maps(b).Ranged() {
				name := "plane"
				if m.Run != b.Current().Index {
					name = fmt.Sprintf("plane-run-%d", i+1)
				}
				o := figure.Options{Title: m.Name + ", " + m.Title + " " + m.Step}
				list = append(list, report.NewFigure(name, m, o))
			}
			return list
		},
	})
}

// rarerLevels returns the number of levels of the inputs that a plane omits.
func rarerLevels(p *view.Plane) (n int) {
	for _, c := range []*view.Category{p.XCategory, p.YCategory} {
		if c != nil {
			n += c.More
		}
	}
	return n
}
