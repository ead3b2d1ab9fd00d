package board

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"dgplab/datasets"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/tui/report"
	"dgplab/viz"
	"dgplab/viz/figure"
	"dgplab/viz/plots"
)

// newRelevancePanel returns the panel with the lengthscales of the inputs in the first-layer kernels of all
// runs.
func newRelevancePanel() *Panel {
	kernel := &Choice{name: "kernel", position: new(position), arrows: anyArrow,
		Count: func(b *Board) int { return len(b.leadingLengthscales()) },
		label: func(b *Board, i int) string { return b.leadingLengthscales()[i].kernel },
	}
	kernel.note = func(b *Board) string {
		list := b.leadingLengthscales()
		k := b.Value(kernel)
		return fmt.Sprintf("%s, %d of %d", list[k].kernel, k+1, len(list))
	}
	draw := func(b *Board) plots.Relevance { return relevancePicture(b, b.Value(kernel)) }
	return &Panel{
		Name: "Relevance", short: "Rel", title: "Relevance of the inputs",
		Guide: relevanceGuide,
		applies: func(b *Board) bool {
			return b.anyRun(func(s *session.Snapshot) bool { return len(lengthscalesOf(s)) > 0 })
		},
		lines: func(b *Board, _ int) int {
			p := draw(b)
			return 1 + len(p.Inputs)*len(p.List)
		},
		Choices: []*Choice{kernel},
		lead: func(b *Board) []string {
			if snap := b.Snapshot(); snap != nil && len(b.Runs) == 1 {
				return []string{"at step " + report.Grouped(snap.Step)}
			}
			return nil
		},
		picture: func(b *Board) viz.Picture { return draw(b) },
		All:     true,
		figures: func(b *Board) []report.Figure {
			p := draw(b)
			if len(p.List) == 0 {
				return nil
			}
			return []report.Figure{report.NewFigure("relevance", p,
				figure.Options{Title: "Relevance of the inputs, " + b.shownTitle()})}
		},
	}
}

// lengthscales holds the lengthscales of all inputs in a kernel.
type lengthscales struct {
	kernel string
	values []float64
}

// lengthscalesOf returns the lengthscales of the kernels over the inputs of the data. It returns nil for a
// single input, or if a kernel has one lengthscale for all inputs.
func lengthscalesOf(s *session.Snapshot) (list []lengthscales) {
	if s.Data.D < 2 {
		return nil
	}
	for _, q := range s.Hyper {
		layer, rest, deep := strings.Cut(q.Name, "layer.")
		deeper := deep && !strings.HasPrefix(rest, "0.")
		parts := strings.Split(q.Name, ".")
		if k := slices.Index(parts, "kernel"); k >= 0 && k < len(parts)-2 {
			continue // a function in an expression may use only some columns
		}
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

// leadingLengthscales returns the kernels of the selected run, or else of the first run that has any.
func (b *Board) leadingLengthscales() []lengthscales {
	_, list := b.leadingKernels()
	return list
}

// leadingKernels returns the selected run, or else the first run, that has lengthscales, with its
// kernels.
func (b *Board) leadingKernels() (*Run, []lengthscales) {
	for k := range len(b.Runs) + 1 {
		r := b.Current()
		if k > 0 {
			r = b.Runs[k-1]
		}
		if r == nil || r.Snapshot == nil {
			continue
		}
		if list := lengthscalesOf(r.Snapshot); len(list) > 0 {
			return r, list
		}
	}
	return nil, nil
}

// inputColumns returns the columns that the inputs of a run encode. If the run does not record them, each
// input is a column. Names come from the fit of the run if there is one.
func inputColumns(r *Run) []datasets.InputColumn {
	data := r.Snapshot.Data
	if data.Columns != nil {
		return data.Columns
	}
	names := make([]string, data.D)
	for k := range names {
		names[k] = fmt.Sprintf("input %d", k+1)
	}
	if v, _ := r.views(); v.Fit != nil && len(v.Fit.Inputs) == data.D {
		names = v.Fit.Inputs
	}
	return datasets.NumberColumns(names)
}

// byColumn returns the lengthscale of each column. For a category it is (sum 1/l_d^2)^-1/2 over the
// indicators d that vary in the training set. Because all inputs are standardised, the mean squared distance
// of two training rows by their levels is then the same as by a number with this lengthscale. It is NaN if no
// indicator varies.
func (l lengthscales) byColumn(columns []datasets.InputColumn, constant []int) []float64 {
	out := make([]float64, len(columns))
	for k, c := range columns {
		if !c.Category() {
			out[k] = l.values[c.First]
			continue
		}
		sum := 0.0
		for j := c.First; j < c.First+c.Width; j++ {
			if !slices.Contains(constant, j) {
				sum += 1 / (l.values[j] * l.values[j])
			}
		}
		out[k] = math.NaN()
		if sum > 0 {
			out[k] = 1 / math.Sqrt(sum)
		}
	}
	return out
}

// relevancePicture returns the picture of the lengthscales of all runs with the same input columns as the
// leading run. Inputs are sorted by relevance to the leading run.
func relevancePicture(b *Board, kernel int) (p plots.Relevance) {
	leading, _ := b.leadingKernels()
	if leading == nil {
		return p
	}
	columns := inputColumns(leading)
	if leading.Snapshot.Data.Columns == nil { // The fit of another run may contain the names.
		for _, r := range b.Runs {
			if v, _ := r.views(); v.Fit != nil && len(v.Fit.Inputs) == len(columns) {
				columns = datasets.NumberColumns(v.Fit.Inputs)
				break
			}
		}
	}
	for _, c := range columns {
		p.Inputs = append(p.Inputs, report.Printable(c.Name))
	}
	for _, i := range b.representatives() {
		r := b.Runs[i]
		if r.Snapshot == nil || r.Snapshot.Data.D != leading.Snapshot.Data.D {
			continue
		}
		if c := r.Snapshot.Data.Columns; c != nil && !reflect.DeepEqual(c, leading.Snapshot.Data.Columns) {
			continue
		}
		list := lengthscalesOf(r.Snapshot)
		if len(list) == 0 {
			continue
		}
		if r == leading {
			p.Lead = len(p.List)
		}
		l := plots.Lengths{Run: r.Index}
		l.Values = list[kernel%len(list)].byColumn(columns, r.Snapshot.Data.Constant)
		if len(b.Runs) > 1 {
			l.Label = r.Brief
		}
		p.List = append(p.List, l)
	}
	return p
}

// relevantLine returns the line of a fit along the most relevant input. It has the shortest lengthscale in
// the first kernel of the run or, without lengthscales, the widest partial dependence of the first target.
func relevantLine(r *Run, fit *view.Fit) (most int) {
	var columns []datasets.InputColumn
	var lengths []float64
	if r.Snapshot != nil {
		if list := lengthscalesOf(r.Snapshot); len(list) > 0 {
			columns = inputColumns(r)
			lengths = list[0].byColumn(columns, r.Snapshot.Data.Constant)
		}
	}
	best := math.Inf(-1)
	for i, l := range fit.Lines {
		v := math.Inf(-1)
		switch {
		case l.Input < len(columns) && columns[l.Input].Name == l.Name:
			v = 1 / lengths[l.Input]
		case columns == nil && len(l.Dependence) > 0 && len(l.Coarse) > 0:
			mean := l.Dependence[0].Mean
			v = slices.Max(mean) - slices.Min(mean)
		}
		if v > best {
			best, most = v, i
		}
	}
	return most
}
