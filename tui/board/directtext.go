package board

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"dgplab/models"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// nameWidth is the width of the names in front of the numbers of a comparison. fullWidth is the minimum width
// at which names and numbers are side by side.
const nameWidth, fullWidth = 16, 46

// fullMatch returns a comparison with all details.
func fullMatch(th *kit.Theme, m match, w int) []string {
	if w < fullWidth {
		return briefMatch(th, m, w)
	}
	lines := []string{matchTitle(th, m, w)}
	row := func(name string, look lipgloss.Style, text, note string) {
		lines = append(lines, kit.JoinFitting(w, "  ", th.Dim.Render(th.Fit(name, nameWidth)),
			look.Render(text), th.Dim.Render(note)))
	}
	row("test set", th.Text, cleanText(th, dataName(m.a)+" "+strings.Join(m.splits(), ", ")), m.extent())
	se, of := m.shareError(), "of the points"
	if !math.IsNaN(se) {
		of += " (s.e. over " + m.over() + ")"
	}
	row("A is better on", th.Text, shareText(th, m), of)
	if line := shareLine(th, float64(m.Share), se, min(w-nameWidth-2, 63)); line != "" {
		row("", th.Text, line, "")
	}
	row("difference A-B", th.Text, differenceText(th, m), "nats per point (s.e. over "+m.over()+")")
	if !math.IsNaN(float64(m.KL)) {
		row("distance A to B", th.Text, fmt.Sprintf("KL %.3g nats, Wasserstein %.3g", m.KL, m.Wasserstein),
			"means over points, taken as Gaussians")
	}
	row("paired tests", th.Text, m.testsText(), "over "+m.count())
	sign, words := verdict(m)
	row("verdict", th.Title, sign, words)
	for _, remark := range m.remarks() {
		for _, text := range kit.Wrap(remark, w-nameWidth-2) {
			row("", th.Dim, text, "")
		}
	}
	for _, text := range kit.Wrap(cleanText(th, m.notYet()), w-nameWidth-2) {
		row("", th.Warn, text, "")
	}
	return lines
}

// briefMatch returns a comparison in about three lines.
func briefMatch(th *kit.Theme, m match, w int) []string {
	lines := []string{matchTitle(th, m, w)}
	sign, words := verdict(m)
	text := fmt.Sprintf("%s  A better on %s, difference %s (s.e. over %s; %s); %s",
		sign, shareText(th, m), differenceText(th, m), m.over(), testText("t", m.TP), words)
	if more := m.notYet(); more != "" {
		text += "; " + cleanText(th, more)
	}
	return append(lines, kit.Paragraph(th.Text, text, w)...)
}

// terseMatch returns a comparison in one line.
func terseMatch(th *kit.Theme, m match, w int) []string {
	sign, words := verdict(m)
	line := kit.JoinFitting(w, " ", th.Marker(m.a.Index)+th.Marker(m.b.Index), th.Title.Render(sign),
		th.Text.Render(shareText(th, m)))
	if m.Single && kit.Cells(line)+1+len(words) > w {
		words = "one split, one seed"
	}
	return []string{kit.JoinFitting(w, " ", line, th.Dim.Render(words))}
}

// matchTitle names A and B.
func matchTitle(th *kit.Theme, m match, w int) string {
	room := max((w-8)/2, 3)
	return th.Dim.Render("A: ") + runName(th, m.a, room) + th.Dim.Render("  B: ") + runName(th, m.b, room)
}

// dataName returns the name of the data set of a run with a snapshot.
func dataName(r *Run) string { return metric.DatasetName(r.Snapshot.Dataset) }

// extent returns the numbers of test points and splits.
func (m match) extent() string {
	n, of := m.points()
	text := report.Plural(n, "test point", "test points")
	if of > n {
		text = report.Grouped(n) + " of " + report.Grouped(of) + " test points"
	}
	splits := len(m.splits())
	if splits > 1 {
		text += " of " + report.Plural(splits, "split", "splits")
	}
	return text
}

// repeats returns the singular and the plural noun for the unit over which standard errors are taken.
func (m match) repeats() (one, many string) {
	switch m.Over {
	case compare.OverSplits:
		return "split", "splits"
	case compare.OverSeeds:
		return "seed", "seeds"
	}
	return "point", "points"
}

// over returns the plural noun for the unit over which standard errors are taken.
func (m match) over() string {
	_, many := m.repeats()
	return many
}

// count returns the number of repeats with their noun.
func (m match) count() string {
	one, many := m.repeats()
	return report.Plural(m.N, one, many)
}

// verdict returns the symbol of the verdict and its meaning.
func verdict(m match) (sign, words string) {
	over := ", over " + m.count()
	if m.Over == compare.OverSeeds {
		over += " of one split" // Another split may lead to another result.
	}
	switch {
	case m.Decaying != "":
		return "~", strings.ReplaceAll(m.Decaying, " and ", ", ") + " before decay: expected to rise"
	case m.Single:
		return "~", "one split, one seed: no verdict"
	case m.Inconclusive != "":
		return "~", m.Inconclusive + " had not settled: no verdict"
	case m.Verdict == "A", m.Verdict == "B":
		return m.Verdict, "is better" + over
	}
	return "~", "not distinguishable" + over
}

// testsText returns the p-values of the tests. The t-test also has a p-value corrected for the comparisons on
// the screen by Holm's method.
func (m match) testsText() string {
	text := testText("t", m.TP)
	if m.HolmP != m.TP && !math.IsNaN(float64(m.HolmP)) {
		text += ", " + testText("by Holm", m.HolmP)
	}
	return text + ", " + testText("Wilcoxon", m.WilcoxonP)
}

// remarks returns the limitations of the tests and of the verdict.
func (m match) remarks() (list []string) {
	if m.Over == compare.OverSplits && m.Ratio > 0 {
		list = append(list, "splits share rows: the t-test is corrected for this, Wilcoxon's test is not")
	}
	if m.Remark != "" && !m.Single {
		list = append(list, m.Remark)
	}
	for _, c := range []struct {
		base, other *Run
		name        string
		loses       bool
	}{{m.b, m.a, "A", m.Difference < 0}, {m.a, m.b, "B", m.Difference > 0}} {
		if c.loses && c.base.isBaseline() && !c.other.isBaseline() {
			list = append(list, c.name+" is worse than the baseline "+models.BaselineFamily)
		}
	}
	return list
}

// notYet names the runs that are still training.
func (m match) notYet() string {
	var parts []string
	for i, r := range []*Run{m.a, m.b} {
		if r.running() {
			parts = append(parts, fmt.Sprintf("%c as of step %s", 'A'+i, report.Grouped(r.Snapshot.TestStep)))
		}
	}
	switch {
	case len(parts) > 0:
		return "so far: " + strings.Join(parts, ", ")
	case m.live():
		return "so far: a run is still training"
	}
	return ""
}

// withError formats a value with its standard error if there is one.
func withError(th *kit.Theme, value, se string) string {
	if se == "" {
		return value
	}
	return value + " " + th.Glyphs.PlusMinus + " " + se
}

func shareText(th *kit.Theme, m match) string {
	text, se := metric.WithError(100*float64(m.Share), 100*m.shareError())
	if se == "" {
		return report.Share(float64(m.Share))
	}
	return withError(th, text+"%", se+"%")
}

func differenceText(th *kit.Theme, m match) string {
	text, se := metric.WithError(float64(m.Difference), float64(m.DifferenceSE))
	if se == "" {
		text = report.Number(float64(m.Difference))
	}
	if m.Difference > 0 {
		text = "+" + text
	}
	return withError(th, text, se)
}

// testText formats a p-value, at least "< 0.001".
func testText(name string, p rundir.Number) string {
	switch {
	case math.IsNaN(float64(p)):
		return name + " p -"
	case p < 0.001:
		return name + " p < 0.001"
	}
	return fmt.Sprintf("%s p %.3f", name, p)
}

// shareLine draws a share between 0 and 1 and its standard error on a line of w cells with a mark at one
// half. It returns "" if there is no room.
func shareLine(th *kit.Theme, share, se float64, w int) string {
	n := w - len("B 0%") - len("100% A") - 2
	if n < 11 || math.IsNaN(share) {
		return ""
	}
	signs := []string{"-", "|", "=", "o"}
	if th.Glyphs.Unicode {
		signs = []string{"─", "┼", "━", "●"}
	}
	at := func(x float64) int { return int(math.Round(math.Max(0, math.Min(1, x)) * float64(n-1))) }
	cells := make([]string, n)
	for i := range cells {
		cells[i] = th.Dim.Render(signs[0])
	}
	cells[at(0.5)] = th.Dim.Render(signs[1])
	if !math.IsNaN(se) {
		for i := at(share - se); i <= at(share+se); i++ {
			cells[i] = th.Accent.Render(signs[2])
		}
	}
	cells[at(share)] = th.Title.Render(signs[3])
	return th.Dim.Render("B 0% ") + strings.Join(cells, "") + th.Dim.Render(" 100% A")
}
