package dash

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// newRelevancePanel returns the panel of the lengthscales of the inputs in the kernels of the first
// layer of all runs.
func newRelevancePanel() *panel {
	kernel := &choice{name: "kernel", position: new(position), arrows: anyArrow,
		count: func(s scene) int { return len(s.leadingLengthscales()) },
		label: func(s scene, i int) string { return s.leadingLengthscales()[i].kernel },
	}
	kernel.note = func(s scene) string {
		list := s.leadingLengthscales()
		k := s.value(kernel)
		return fmt.Sprintf("%s, %d of %d", list[k].kernel, k+1, len(list))
	}
	draw := func(s scene) plots.Relevance { return relevancePicture(s, s.value(kernel)) }
	return &panel{
		name: "Relevance", short: "Rel", title: "Relevance of the inputs",
		guide: relevanceGuide,
		applies: func(d *Dash) bool {
			return d.anyRun(func(s *session.Snapshot) bool { return len(lengthscalesOf(s)) > 0 })
		},
		lines: func(s scene, _ int) int {
			p := draw(s)
			return 1 + len(p.Inputs)*len(p.List)
		},
		choices: []*choice{kernel},
		lead: func(s scene) []string {
			if snap := s.snap(); snap != nil && len(s.runs) == 1 {
				return []string{"at step " + report.Grouped(snap.Step)}
			}
			return nil
		},
		picture: func(s scene) viz.Picture { return draw(s) },
		depends: func(s scene, r *watchedRun) any {
			v, _ := r.views()
			return struct {
				run wholeRun
				fit *view.Fit // has the names of the inputs
			}{wholeRun{r.snap, r == s.current()}, v.Fit}
		},
		figures: func(s scene) []report.Figure {
			p := draw(s)
			if len(p.List) == 0 {
				return nil
			}
			return []report.Figure{report.NewFigure("relevance", p,
				figure.Options{Title: "Relevance of the inputs, " + s.exportTitle()})}
		},
	}
}

// lengthscales holds the lengthscales of all inputs in a kernel.
type lengthscales struct {
	kernel string
	values []float64
}

// lengthscalesOf returns the lengthscales of the kernels over the inputs of the data. There are
// none for a single input, or if a kernel has one lengthscale for all inputs.
func lengthscalesOf(s *session.Snapshot) (list []lengthscales) {
	if s.Data.D < 2 {
		return nil
	}
	for _, q := range s.Hyper {
		layer, rest, deep := strings.Cut(q.Name, "layer.")
		deeper := deep && !strings.HasPrefix(rest, "0.")
		if !strings.Contains(q.Name, "lengthscale") || deeper || layer != "" && deep ||
			len(q.Value) == 0 || len(q.Value)%s.Data.D != 0 {
			continue
		}
		name := q.Name
		if deep {
			name = strings.TrimPrefix(rest, "0.")
		}
		for _, what := range []string{"kernel.lengthscale", "lengthscale"} {
			name, _, _ = strings.Cut(name, what)
		}
		name = strings.ReplaceAll(strings.Trim(name, "."), ".", " ")
		n := len(q.Value) / s.Data.D
		for k := range n {
			one := lengthscales{strings.TrimSpace(name), q.Value[k*s.Data.D : (k+1)*s.Data.D]}
			if n > 1 {
				one.kernel = strings.TrimSpace(fmt.Sprintf("%s GP %d", one.kernel, k+1))
			}
			list = append(list, one)
		}
	}
	return list
}

// leadingLengthscales returns the kernels of the chosen run, or else of the first run that has any.
func (s scene) leadingLengthscales() []lengthscales {
	for k := range len(s.runs) + 1 {
		r := s.current()
		if k > 0 {
			r = s.runs[k-1]
		}
		if r == nil || r.snap == nil {
			continue
		}
		if list := lengthscalesOf(r.snap); len(list) > 0 {
			return list
		}
	}
	return nil
}

// relevancePicture returns the lengthscales of all runs with the same number of inputs as the
// leading one. Inputs are in the order of relevance to the chosen run.
func relevancePicture(s scene, kernel int) (p plots.Relevance) {
	first := s.leadingLengthscales()
	if len(first) == 0 {
		return p
	}
	n := len(first[0].values)
	for k := range n {
		p.Inputs = append(p.Inputs, fmt.Sprintf("input %d", k+1))
	}
	for _, r := range s.runs {
		if v, _ := r.views(); v.Fit != nil && len(v.Fit.Inputs) == n {
			for k, name := range v.Fit.Inputs {
				p.Inputs[k] = report.Printable(name)
			}
			break
		}
	}
	representatives := s.representatives()
	for i := range s.runs {
		at := (s.chosen + i) % len(s.runs)
		r := s.runs[at]
		if r.snap == nil || r.snap.Data.D != n || !slices.Contains(representatives, at) {
			continue
		}
		if list := lengthscalesOf(r.snap); len(list) > 0 {
			l := plots.Lengths{Run: r.index, Values: list[kernel%len(list)].values}
			if len(s.runs) > 1 {
				l.Label = s.label(r)
			}
			p.List = append(p.List, l)
		}
	}
	return p
}
