package panel

import (
	"io"
	"strconv"

	"dgplab/tui/kit"
	"dgplab/viz/figure"
)

// TableCSV writes what Table has of all runs, in their order there, with every column and
// all digits; what was not measured is empty.
func TableCSV(w io.Writer, th *kit.Theme, runs []Run, s Sort) error {
	list := columns(th, runs)
	head := []string{"run", "label"}
	for _, c := range list {
		head = append(head, c.title)
	}
	t := figure.NewTable(w, head...)
	for _, k := range Order(runs, s) {
		r := runs[k]
		row := []string{runID(r), r.Label}
		for _, c := range list {
			v := c.value(r)
			if v.finite() {
				v.text = figure.Exact(v.number)
			}
			row = append(row, v.text)
		}
		t.Row(row...)
	}
	return t.Close()
}

func runID(r Run) string {
	if r.Snapshot == nil {
		return ""
	}
	return r.Snapshot.ID
}

// DirectCSV writes the comparisons of Direct: of B with the chosen run's method, A.
func DirectCSV(w io.Writer, runs []Run) error {
	t := figure.NewTable(w, "a", "b", "over", "n", "share", "share_se", "difference", "difference_se", "t_p",
		"t_p_holm", "verdict", "remark", "not_compared")
	for _, m := range matches(runs, "") {
		row := []string{m.a.Label, m.b.Label}
		if m.why != "" {
			t.Row(append(row, "", "", "", "", "", "", "", "", "", "", m.why)...)
			continue
		}
		row = append(row, string(m.Over), strconv.Itoa(m.N))
		for _, v := range []float64{float64(m.Share), m.shareError(), float64(m.Difference),
			float64(m.DifferenceSE), float64(m.TP), float64(m.HolmP)} {
			row = append(row, figure.Exact(v))
		}
		t.Row(append(row, m.Verdict, m.Remark, "")...)
	}
	return t.Close()
}

// HealthCSV writes the matrices of the chosen run.
func HealthCSV(w io.Writer, runs []Run) error {
	t := figure.NewTable(w, "name", "kind", "layer", "gp", "condition", "smallest_pivot", "jitter", "rescues")
	for _, r := range runs {
		if !r.Chosen || r.Snapshot == nil || r.Snapshot.Diagnostics == nil ||
			r.Snapshot.Diagnostics.Matrices == nil {
			continue
		}
		for _, m := range r.Snapshot.Diagnostics.Matrices.Matrices {
			t.Row(m.Name, string(m.Kind), counted(m.Layer), counted(m.GP), figure.Exact(float64(m.Condition)),
				figure.Exact(float64(m.SmallestPivot)), figure.Exact(float64(m.Jitter)),
				strconv.Itoa(m.Rescues))
		}
	}
	return t.Close()
}

// counted writes a number that counts from 0, and is -1 for all, from 1.
func counted(k int) string {
	if k < 0 {
		return ""
	}
	return strconv.Itoa(k + 1)
}
