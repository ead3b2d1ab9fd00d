package panel

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/viz/canvas"
	"dgplab/viz/spark"
	"dgplab/viz/tables"
)

// From wideHealth cells on the parts of the report stand in two columns, the left
// one as wide as a table of matrices.
const wideHealth, leftHealth, healthGap = 116, 64, 3

// body draws the report of the chosen run.
func body(th *kit.Theme, r Run, w int) []string {
	s, h := r.Snapshot, r.matrices()
	if w < wideHealth {
		var lines []string
		for _, part := range [][]string{
			matrixTable(th, "matrix (worst GP)", worstOfLayers(h.Matrices), w), layerTable(th, s, h, w), gradient(th, r, w), times(th, h, w),
		} {
			lines = append(lines, "")
			lines = append(lines, part...)
		}
		return append(lines, "")
	}
	rest := w - leftHealth - healthGap
	left := append(matrixTable(th, "matrix (worst GP)", worstOfLayers(h.Matrices), leftHealth), "")
	left = append(left, gradient(th, r, leftHealth)...)
	right := append(layerTable(th, s, h, rest), "")
	right = append(right, times(th, h, rest)...)
	n := max(len(left), len(right))
	left, right = th.Box(left, leftHealth, n), th.Box(right, rest, n)
	lines := []string{""}
	for i := range left {
		lines = append(lines, left[i]+strings.Repeat(" ", healthGap)+right[i])
	}
	return append(lines, "")
}

// barWidth is the width of a bar in a table, with its percentage.
const barWidth = 13

// layerTable draws a row for each layer: its share of the divergence (given the
// layers below, where layers are coupled), how many inducing points the data
// determine in the mean of its GPs, its rescues and its share of the time.
func layerTable(th *kit.Theme, s *session.Snapshot, h *view.Matrices, w int) []string {
	m := inducing(s)
	total := sum(h.KLByLayer)
	style := canvas.Style{ASCII: !th.Glyphs.Unicode}
	of := "effective points"
	if m > 0 {
		of = fmt.Sprintf("effective of %d", m)
	}
	t := tables.Table{Columns: []tables.Column{
		{Title: "layer"}, {Title: "KL", Right: true}, {Title: "of all KL", Drop: 3}, {Title: of, Right: true},
		{Title: "", Drop: 4}, {Title: "rescues", Right: true, Drop: 1}, {Title: "time", Right: true, Drop: 2},
	}}
	layers := max(len(h.KLByLayer), len(h.Effective))
	for l := range layers {
		row := []string{strconv.Itoa(l + 1), "-", "", "-", "", kit.Grouped(rescuesOf(h, l)), "-"}
		if l < len(h.KLByLayer) {
			row[1], row[2] = kit.Number(float64(h.KLByLayer[l])), spark.Progress(style, float64(h.KLByLayer[l])/total, barWidth)
		}
		if l < len(h.Effective) {
			row[3] = kit.Number(float64(h.Effective[l]))
			if m > 0 {
				row[4] = spark.Progress(style, float64(h.Effective[l])/float64(m), barWidth)
			}
		}
		if l < len(h.ShareByLayer) {
			row[6] = kit.Share(float64(h.ShareByLayer[l]))
		}
		t.Rows = append(t.Rows, row)
	}
	rest := []string{"shared", "", "", "", "", kit.Grouped(rescuesOf(h, -1)), "-"}
	if len(h.ShareByLayer) > 0 {
		rest[6] = kit.Share(math.Max(0, 1-sum(h.ShareByLayer)))
	}
	t.Rows = append(t.Rows, rest)
	note := "KL: given layers below; effective: mean over GPs"
	return append(kit.Lines(t.Render(th.VizStyle(), w, len(t.Rows)+1)), th.Dim.Render(note))
}

// rescuesOf adds up the rescues of a layer; -1 are those of none alone.
func rescuesOf(h *view.Matrices, layer int) (n int) {
	for _, m := range h.Matrices {
		if m.Layer == layer {
			n += m.Rescues
		}
	}
	return n
}

// gradient draws the course of the gradient's norm, on a logarithmic scale.
func gradient(th *kit.Theme, r Run, w int) []string {
	var logs []float64
	last := math.NaN()
	least, most := math.Inf(1), math.Inf(-1)
	for _, p := range r.Snapshot.Curve {
		g := p.Reading(family.GradientNorm.Key)
		if math.IsNaN(g) && !math.IsNaN(p.Objective) || g == 0 {
			continue // Not measured, or without a logarithm.
		}
		if !math.IsNaN(g) && !math.IsInf(g, 0) {
			least, most = math.Min(least, g), math.Max(most, g)
		}
		last, logs = g, append(logs, math.Log10(g))
	}
	head := th.Dim.Render("gradient norm ")
	if len(logs) == 0 {
		return []string{head + th.Dim.Render("not measured")}
	}
	text := kit.Number(last) + " "
	room := w - kit.Cells(head) - kit.Cells(text)
	note := ""
	if least <= most {
		note = fmt.Sprintf(" log, %s to %s", kit.Number(least), kit.Number(most))
	}
	if room-kit.Cells(note) < 12 {
		note = ""
	}
	return []string{head + th.Text.Render(text) + spark.Line(th.VizStyle(), logs, min(room-kit.Cells(note), len(logs))) + th.Dim.Render(note)}
}

// times draws where the time of a step goes, the parts in the order of a step.
func times(th *kit.Theme, h *view.Matrices, w int) []string {
	if len(h.Shares) == 0 {
		return []string{th.Dim.Render("time of a step: not measured yet")}
	}
	widest := 0
	for _, s := range h.Shares {
		widest = max(widest, kit.Cells(s.Name))
	}
	widest = min(widest, max(w-barWidth-2, 4))
	lines := []string{th.Dim.Render("time of a step, ~ measured on " + kit.Plural(h.TimedSteps, "step", "steps"))}
	for _, s := range h.Shares {
		lines = append(lines, th.Text.Render(th.Fit(clean(th, s.Name), widest))+"  "+spark.Progress(th.VizStyle(), float64(s.Share), min(w-widest-2, 32)))
	}
	return lines
}
