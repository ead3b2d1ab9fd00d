package cli

import (
	"fmt"
	"strings"

	"dgplab/session/compare"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// sheets returns all tables of a comparison.
func (r *compared) sheets() []compare.Sheet {
	var list []compare.Sheet
	for _, t := range r.Tables {
		list = append(list, t.Sheet())
	}
	if len(r.Direct) > 0 {
		list = append(list, compare.DirectSheet(r.Direct))
	}
	if r.Accuracy != nil {
		list = append(list, r.Accuracy.Sheet())
	}
	return list
}

// comparedText returns the comparison as text.
func (c *console) comparedText(r *compared) string {
	var rows facts
	rows.add("compared", "%s", report.Extent(r.Report))
	parts := []string{rows.String()}
	for _, t := range r.Tables {
		parts = append(parts, c.sheetText(t.Sheet()))
		if t.Ranking != nil {
			parts = append(parts, c.rankText(t))
		}
	}
	if len(r.Direct) > 0 {
		parts = append(parts, c.sheetText(compare.DirectSheet(r.Direct)))
	}
	if r.Accuracy != nil {
		parts = append(parts, c.sheetText(r.Accuracy.Sheet()))
	}
	if j := r.Joint; j != nil {
		text := fmt.Sprintf("Joint predictions at %s: KL(A||B) %.3g nats per point; the covariances of the "+
			"functions differ by %.3g (Frobenius norm relative to B)", plural(j.Points, "test point"), j.KL,
			j.Covariance)
		if j.Draws > 0 {
			text += fmt.Sprintf("; estimated from %d draws", j.Draws)
		}
		a, b := r.jointRuns()
		text += ". A is " + r.jointName(a) + ", B is " + r.jointName(b) + "."
		parts = append(parts, strings.Join(kit.Wrap(text, min(pictureWidth, c.width())), "\n")+"\n")
	}
	if list := r.remarks(); len(list) > 0 {
		parts = append(parts, strings.Join(list, "\n")+"\n")
	}
	return strings.Join(parts, "\n")
}

// jointName returns the name of a run in a comparison of two runs: its method, or its identifier if both have
// the same method.
func (r *compared) jointName(i int) string {
	if len(r.Methods) == 1 {
		return r.Runs[i].ID
	}
	return r.Methods[r.Runs[i].Method].Label
}

// remarks returns the runs that were left out, and notes on the others.
func (r *compared) remarks() []string { return report.Remarks(r.Report, r.failed) }

// rankText returns the diagram of a ranking.
func (c *console) rankText(t *compare.Table) string {
	picture, _ := report.Ranks(t)
	w := min(pictureWidth, c.width())
	h := len(picture.Labels) + 4
	caption := kit.Wrap("Average ranks by "+t.Metric.Name+"; "+report.RanksCaption, w)
	return strings.Join(caption, "\n") + "\n" + trimLines(strings.Join(picture.Render(c.style(), w, h), "\n"))
}

// sheetText formats a sheet as text, with the best marked * and ties marked ~. A sheet wider than the
// terminal is split into several tables.
func (c *console) sheetText(s compare.Sheet) string {
	lines := append([]string{report.Capitalised(s.Title)}, report.SheetLines(c.style(), s, c.width())...)
	for _, note := range report.SheetNotes(s) {
		lines = append(lines, kit.Wrap(note, max(c.width(), 40))...)
	}
	return trimLines(strings.Join(lines, "\n"))
}

// sayLeftOut writes the remarks to standard error for formats that do not include them.
func (c *console) sayLeftOut(r *compared) {
	for _, line := range r.remarks() {
		c.say("%s", line)
	}
}
