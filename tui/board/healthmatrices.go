package board

import (
	"slices"
	"strconv"
	"strings"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// harmful reports whether the condition of a matrix matters. It does not for a posterior covariance, which is
// given by its factor (view.PosteriorMatrix).
func harmful(m view.Matrix) bool {
	return m.Kind == view.PriorMatrix || m.Kind == view.PointMatrix
}

// suspicious reports whether a matrix is marked with "!".
func suspicious(m view.Matrix) bool {
	return m.Rescues > 0 || harmful(m) && (m.Condition > badCondition || m.SmallestPivot <= 0)
}

// worstOfLayers merges the matrices of the GPs of a layer. It keeps the worst of their numbers and the sum of
// their rescues.
func worstOfLayers(matrices []view.Matrix) (list []view.Matrix) {
	type group struct {
		kind  view.MatrixKind
		layer int
	}
	at, count := map[group]int{}, map[int]int{}
	for _, m := range matrices {
		key := group{m.Kind, m.Layer}
		i, ok := at[key]
		if !ok || m.GP < 0 {
			if m.GP >= 0 {
				at[key] = len(list)
			}
			count[len(list)] = 1
			list = append(list, m)
			continue
		}
		w := &list[i]
		w.Condition = larger(w.Condition, m.Condition)
		w.SmallestPivot = smaller(w.SmallestPivot, m.SmallestPivot)
		w.Jitter, w.Rescues = larger(w.Jitter, m.Jitter), w.Rescues+m.Rescues
		count[i]++
	}
	for i := range list {
		if n := count[i]; n > 1 {
			name, _, _ := strings.Cut(list[i].Name, ", GP")
			list[i].Name = name + ", " + report.Plural(n, "GP", "GPs")
		}
	}
	return list
}

// matrixTable draws a table of matrices.
func matrixTable(th *kit.Theme, title string, matrices []view.Matrix, w int) []string {
	if len(matrices) == 0 {
		return nil
	}
	t := tables.Table{Columns: []tables.Column{
		{Title: title, Least: 21}, {Title: "condition", Right: true},
		{Title: "least pivot", Right: true, Drop: 1},
		{Title: "jitter", Right: true, Drop: 2}, {Title: "rescues", Right: true},
	}}
	for _, m := range matrices {
		name := m.Name
		if suspicious(m) {
			name = "! " + name
		}
		t.Rows = append(t.Rows, []string{name, conditionText(m.Condition), knownText(m.SmallestPivot),
			knownText(m.Jitter), report.Grouped(m.Rescues)})
	}
	return t.Render(th.VizStyle(), w, len(t.Rows)+1)
}

// conditionText formats an estimated condition number, or returns "-" if there is none. Little more than its
// power of ten is certain.
func conditionText(x rundir.Number) string {
	if x != x {
		return "-"
	}
	return "~" + strconv.FormatFloat(float64(x), 'g', 2, 64)
}

// knownText formats a number, or returns "-" if it is unknown.
func knownText(x rundir.Number) string {
	if x != x {
		return "-"
	}
	return report.Number(float64(x))
}

// inducingByLayer returns the number of inducing points of each layer, or nil if it is not known.
func inducingByLayer(s *session.Snapshot, layers int) []int {
	list := make([]int, layers)
	if d := s.Diagnostics; d != nil && d.Blocks != nil {
		for _, p := range d.Blocks.Parts {
			if p.Group < layers {
				list[p.Group] = p.Size
			}
		}
	} else if given := strings.Split(s.Values["inducing"], ","); len(given) == 1 || len(given) == layers {
		for l := range list {
			list[l], _ = strconv.Atoi(strings.TrimSpace(given[l%len(given)])) // 0 if it is not a number
			if s.Data.N > 0 {
				list[l] = min(list[l], s.Data.N)
			}
		}
	}
	if slices.Contains(list, 0) {
		return nil
	}
	return list
}
