package board

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// wideHealth is the minimum width for two columns. leftHealth is the width of the left column, which has the
// lights and the matrices. healthGap is the gap between them.
const wideHealth, leftHealth, healthGap = 116, 64, 3

// healthBody draws the report of a run: lights with the mark at the selected one, layers, matrices, gradient
// and times. each shows every matrix instead of the worst one of each layer.
func healthBody(th *kit.Theme, r *Run, selected, w int, each bool) []string {
	h := r.matrices()
	wide := w >= wideHealth && h != nil && len(h.KLByLayer)+len(h.Effective)+len(h.Shares) > 0
	room, rest := w, w
	if wide {
		room, rest = leftHealth, w-leftHealth-healthGap
	}
	lights := lightTable(th, lightsOf(r), selected, room)
	chains := chainLines(th, r, room)
	gradient := gradientLine(th, r, room)
	var layers, matrices, times []string
	if h != nil {
		layers = layerTable(th, r.Snapshot, h, rest)
		times = stepTimes(th, h, rest)
		if each {
			matrices = matrixTable(th, "every matrix", h.Matrices, room)
		} else {
			matrices = matrixTable(th, "matrix (worst GP)", worstOfLayers(h.Matrices), room)
		}
	}
	if !wide {
		return append(stacked(lights, chains, layers, gradient, matrices, times), "")
	}
	left := stacked(lights, chains, gradient, matrices)
	right := stacked(layers, times)
	n := max(len(left), len(right))
	left = th.Box(left, leftHealth, n)
	right = th.Box(right, rest, n)
	var lines []string
	for i := range left {
		lines = append(lines, left[i]+strings.Repeat(" ", healthGap)+right[i])
	}
	return append(lines, "")
}

// stacked joins the nonempty parts of the report, separated by blank lines.
func stacked(parts ...[]string) (lines []string) {
	for _, part := range parts {
		if len(lines) > 0 && len(part) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, part...)
	}
	return lines
}

// barWidth is the width of a bar in a table, including its percentage.
const barWidth = 13

// layerTable draws a row for each layer: its share of the divergence (given the layers below if layers are
// coupled), the effective number of inducing points as a mean over its GPs, its rescues and its share of the
// time. Columns without values are omitted, and a model without layers has no table. Parts of a model that
// are not layers have names, and there is no row for values that they share.
func layerTable(th *kit.Theme, s *session.Snapshot, h *view.Matrices, w int) []string {
	layers := max(len(h.KLByLayer), len(h.Effective))
	if layers == 0 {
		return nil
	}
	t := tables.Table{Rows: make([][]string, layers+1)}
	parts := len(h.Parts) == layers
	if parts {
		t.Rows = t.Rows[:layers]
	}
	add := func(c tables.Column, shared string, cell func(l int) string) {
		t.Columns = append(t.Columns, c)
		for l := range layers {
			t.Rows[l] = append(t.Rows[l], cell(l))
		}
		if !parts {
			t.Rows[layers] = append(t.Rows[layers], shared)
		}
	}
	t.Look = func(_, column int) (look canvas.Ink) {
		if column > 0 && !t.Columns[column].Right { // bar
			look.FG = th.VizStyle().RunColor(0)
		}
		return look
	}
	var notes []string
	if parts {
		add(tables.Column{Title: "part"}, "", func(l int) string { return cleanText(th, h.Parts[l]) })
	} else {
		add(tables.Column{Title: "layer"}, "shared", func(l int) string { return strconv.Itoa(l + 1) })
	}
	if len(h.KLByLayer) > 0 {
		addDivergences(th, add, h)
		if !parts {
			notes = append(notes, "KL: given layers below")
		}
	}
	if len(h.Effective) > 0 {
		addEffective(th, add, h, inducingByLayer(s, layers))
		note := "effective: mean over GPs"
		if slices.ContainsFunc(h.Effective, func(x rundir.Number) bool { return math.IsNaN(float64(x)) }) {
			note += ", none where q starts contracted"
		}
		notes = append(notes, note)
	}
	if parts {
		return t.Render(th.VizStyle(), w, len(t.Rows)+1)
	}
	add(tables.Column{Title: "rescues", Right: true, Drop: 1}, report.Grouped(rescuesOf(h, -1)),
		func(l int) string { return report.Grouped(rescuesOf(h, l)) })
	if len(h.ShareByLayer) > 0 {
		add(tables.Column{Title: "time", Right: true, Drop: 2},
			report.Share(math.Max(0, 1-sumOf(h.ShareByLayer))), func(l int) string {
				return numberAt(h.ShareByLayer, l, report.Share)
			})
	}
	return append(t.Render(th.VizStyle(), w, len(t.Rows)+1),
		kit.Paragraph(th.Dim, strings.Join(notes, "; "), w)...)
}

// adder adds a column to the table of layers, with a cell for each layer and a cell for shared parts.
type adder func(c tables.Column, shared string, cell func(l int) string)

// addDivergences adds the divergence of each layer and its share of the total.
func addDivergences(th *kit.Theme, add adder, h *view.Matrices) {
	total, style := sumOf(h.KLByLayer), canvas.Style{ASCII: !th.Glyphs.Unicode}
	add(tables.Column{Title: "KL", Right: true}, "", func(l int) string {
		return numberAt(h.KLByLayer, l, report.Number)
	})
	add(tables.Column{Title: "of all KL", Drop: 3}, "", func(l int) string {
		return numberAt(h.KLByLayer, l, func(x float64) string {
			return tables.ProgressBar(style, x/total, barWidth)
		})
	})
}

// addEffective adds the effective number of inducing points of each layer. inducing holds their numbers, or
// is nil if these are unknown.
func addEffective(th *kit.Theme, add adder, h *view.Matrices, inducing []int) {
	style := canvas.Style{ASCII: !th.Glyphs.Unicode}
	effective := func(write func(x float64, l int) string) func(l int) string {
		return func(l int) string {
			return numberAt(h.Effective, l, func(x float64) string {
				if math.IsNaN(x) {
					return "-"
				}
				return write(x, l)
			})
		}
	}
	title := "effective points"
	number := func(x float64, _ int) string { return report.Number(x) }
	switch {
	case inducing == nil:
	case slices.Min(inducing) == slices.Max(inducing):
		title = fmt.Sprintf("effective of %d", inducing[0])
	default:
		number = func(x float64, l int) string {
			return fmt.Sprintf("%s of %d", report.Number(x), inducing[l])
		}
	}
	add(tables.Column{Title: title, Right: true}, "", effective(number))
	if inducing != nil {
		add(tables.Column{Drop: 4}, "", effective(func(x float64, l int) string {
			return tables.ProgressBar(style, x/float64(inducing[l]), barWidth)
		}))
	}
}

// numberAt formats the number of a layer, or returns "-" if there is none.
func numberAt(list []rundir.Number, l int, write func(float64) string) string {
	if l >= len(list) {
		return "-"
	}
	return write(float64(list[l]))
}

// rescuesOf returns the number of rescues of a layer. Matrices that belong to no layer have layer -1.
func rescuesOf(h *view.Matrices, layer int) (n int) {
	for _, m := range h.Matrices {
		if m.Layer == layer {
			n += m.Rescues
		}
	}
	return n
}

// gradientNorms returns the gradient norms of a run during training, without those that are not finite or 0,
// and the last norm. It returns nil for a family that does not report them.
func gradientNorms(r *Run) (norms []float64, last float64) {
	last = math.NaN()
	if !hasGauge(r, family.GradientNorm.Key) {
		return nil, last
	}
	for _, p := range r.Snapshot.Curve {
		g := p.Reading(family.GradientNorm.Key)
		if math.IsNaN(g) && !math.IsNaN(p.Objective) || g == 0 {
			continue // The norm was not measured or has no logarithm.
		}
		last = g
		if !math.IsNaN(g) && !math.IsInf(g, 0) {
			norms = append(norms, g)
		}
	}
	return norms, last
}

// gradientLine draws the gradient norm during training on a logarithmic scale. It returns nil if there is
// none.
func gradientLine(th *kit.Theme, r *Run, w int) []string {
	norms, _ := gradientNorms(r)
	if len(norms) == 0 {
		return nil
	}
	logs := make([]float64, len(norms))
	for i, g := range norms {
		logs[i] = math.Log10(g)
	}
	head := "gradient norm "
	note := fmt.Sprintf(" log, %s to %s", report.Number(slices.Min(norms)), report.Number(slices.Max(norms)))
	if w-kit.Cells(head)-kit.Cells(note) < 12 {
		note = ""
	}
	room := w - kit.Cells(head) - kit.Cells(note)
	return []string{th.Dim.Render(head) + tables.Sparkline(th.VizStyle(), logs, min(room, len(logs))) +
		th.Dim.Render(note)}
}

// stepTimes draws the shares of the parts of a step in its time. It returns nil if no step was timed, and for
// a family that does not report times.
func stepTimes(th *kit.Theme, h *view.Matrices, w int) []string {
	if len(h.Shares) == 0 {
		return nil
	}
	widest := 0
	for _, s := range h.Shares {
		widest = max(widest, kit.Cells(s.Name))
	}
	widest = min(widest, max(w-barWidth-2, 4))
	lines := []string{th.Dim.Render("time of a step, ~ measured on " +
		report.Plural(h.TimedSteps, "step", "steps"))}
	for _, s := range h.Shares {
		lines = append(lines, th.Text.Render(th.Fit(cleanText(th, s.Name), widest))+"  "+
			tables.ProgressBar(th.VizStyle(), float64(s.Share), min(w-widest-2, 32)))
	}
	return lines
}
