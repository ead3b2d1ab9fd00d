package dash

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// groupRows draws a row for each group and, if there is one more line, a line about the selected run.
func (d *Dash) groupRows(w, h int) (lines []string) {
	labels, label, standing := d.GroupLabels(), 0, 0
	for i, g := range d.Groups {
		label = max(label, kit.Cells(labels[i]))
		standing = max(standing, kit.Cells(d.standings(g)))
	}
	label = min(label, max(w*2/5, 4))
	first, shown := d.groupWindow(h)
	for i, g := range d.Groups[first : first+shown] {
		lines = append(lines, d.groupRow(g, d.Theme.Fit(canvas.Shorten(labels[first+i], label), label),
			standing, w))
	}
	if more := len(d.Groups) - shown; more > 0 && h > shown {
		lines = append(lines,
			d.Theme.Dim.Render("   "+d.Theme.Glyphs.Ellipsis+" "+
				report.Plural(more, "more group", "more groups")))
	}
	if h > len(d.Groups) && w >= 40 {
		lead := ""
		if d.alarmLine(w-2) == "" { // An alarm line names its run.
			lead = d.Theme.Dim.Render(canvas.Shorten(d.Current().Label, w/4) + ": ")
		}
		lines = append(lines, " "+lead+d.detail(w-2-kit.Cells(lead)))
	}
	return lines
}

// groupWindow returns the groups with a row in h lines. They include the group of the selected run.
// If some groups have no row, one line is kept for their number.
func (d *Dash) groupWindow(h int) (first, shown int) {
	n := len(d.Groups)
	if n > h && h > 1 {
		h--
	}
	at := slices.IndexFunc(d.Groups, func(g []int) bool { return slices.Contains(g, d.Chosen) })
	return tables.Window(n, at, h)
}

// groupRow returns the row of a group: the focus symbol, the marker, the label, the number of runs
// in each state, and the mean of the test scores with its standard error.
func (d *Dash) groupRow(g []int, label string, standing, w int) string {
	th := d.Theme
	name, sign := th.Text, " "
	if slices.Contains(g, d.Chosen) {
		name, sign = th.Title, th.FocusTitle.Render(th.Glyphs.Focus)
	}
	line := sign + d.Marker(d.Runs[g[0]]) + " " + name.Render(label) + "  "
	var parts []string
	for _, key := range []string{"log_lik", "val.best"} {
		if text := d.meanOf(g, key); text != "" {
			parts = append(parts, th.Title.Render(text))
			break
		}
	}
	return line + kit.JoinFitting(w-kit.Cells(line), "  ",
		append([]string{th.Fit(d.standings(g), standing)}, parts...)...)
}

// standings returns a text with the number of runs of a group in each state and the number of runs with
// alarms.
func (d *Dash) standings(g []int) string {
	th := d.Theme
	type standing struct {
		glyph, word string
		tone        kit.Tone
	}
	var list []standing
	var count []int
	alarms := 0
	for _, i := range g {
		glyph, word, tone := d.standing(d.watched[i])
		at := slices.Index(list, standing{glyph, word, tone})
		if at < 0 {
			at = len(list)
			list = append(list, standing{glyph, word, tone})
			count = append(count, 0)
		}
		count[at]++
		if alarm, _ := d.alarm(d.watched[i]); alarm != "" {
			alarms++
		}
	}
	var parts []string
	for k, s := range list {
		parts = append(parts, th.Tone(s.tone).Render(fmt.Sprintf("%s %d %s", s.glyph, count[k], s.word)))
	}
	if alarms > 0 {
		parts = append(parts, th.Warn.Render(fmt.Sprintf("! %d", alarms)))
	}
	return strings.Join(parts, "  ")
}

// meanOf formats the mean of a metric over the runs of a group that have it, with its standard error. If
// there are several splits, it is the mean over splits, as in the tables of a sweep. meanOf returns "" if no
// run has the metric.
func (d *Dash) meanOf(g []int, key string) string {
	m := metric.Get(key)
	score := compare.ScoreOf(compare.Grouped(g, func(i int) (split string, x float64, ok bool) {
		s := d.Runs[i].Snapshot
		if s == nil {
			return "", 0, false
		}
		x, ok = m.Of(metric.OfSnapshot(s))
		return s.Split, x, ok && !math.IsNaN(x) && !math.IsInf(x, 0)
	}))
	if score.Runs == 0 {
		return ""
	}
	text := m.Short + " " + report.WithError(float64(score.Mean), float64(score.SE))
	if score.Runs < len(g) {
		text += fmt.Sprintf(", %d of %d", score.Runs, len(g))
	}
	return text
}
