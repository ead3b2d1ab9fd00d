package dash

import (
	"io"
	"strconv"

	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

// newDirectPanel returns the panel that compares the method of the selected run with every other
// method, point by point.
func newDirectPanel() *panel {
	return &panel{
		name: "Direct", short: "Direct", title: "Direct comparison",
		guide:   directGuide,
		present: func(s scene) bool { return len(s.runs) > 1 },
		empty:   func(scene) string { return "a direct comparison needs a second run" },
		strip: func(s scene) bool {
			list, _ := s.matches()
			return isMessage(list)
		},
		lines: func(s scene, w int) int {
			list, not := s.matches()
			n := len(oneByOne(s.theme, list, w, fullMatch))
			if isMessage(list) {
				n = len(kit.Wrap(cleanText(s.theme, list[0].why), w))
			}
			if not != "" {
				n += len(kit.Wrap(not, w))
			}
			return n
		},
		draw: func(s scene, w, h int) []string {
			list, not := s.matches()
			return drawDirect(s.theme, list, not, w, h)
		},
		depends: predictionsOf,
		figures: func(s scene) []report.Figure {
			runs := s.comparedRuns()
			if len(runs) < 2 {
				return nil
			}
			return []report.Figure{{Name: "direct",
				CSV: func(w io.Writer) error { return directCSV(w, runs) }}}
		},
	}
}

// drawDirect draws the direct comparison of the method of the selected run (A) with every other
// method (B) on the same test points, as in tables 2 and S4 of Lindinger et al., 2020,
// arXiv:2005.11110: the share of points with a higher log-likelihood of A, the mean difference, and
// paired tests. Runs of a method on several splits are combined, and standard errors are over
// splits. With one split and one seed they are over points, and the verdict is always "~".
//
// If the selected run has no other run on its data, the first run with one replaces it. A line above
// the comparison explains this.
//
// The drawing has exactly h lines of w cells.
func drawDirect(th *kit.Theme, list []match, not string, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	if not != "" && h > 3 {
		head := kit.Paragraph(th.Dim, cleanText(th, not), w)
		return th.Box(append(head, drawMatches(th, list, w, h-len(head))...), w, h)
	}
	return drawMatches(th, list, w, h)
}

// drawMatches draws comparisons.
func drawMatches(th *kit.Theme, list []match, w, h int) []string {
	if isMessage(list) {
		return th.Centred(cleanText(th, list[0].why), w, h)
	}
	for _, write := range []func(*kit.Theme, match, int) []string{fullMatch, briefMatch} {
		if lines := oneByOne(th, list, w, write); len(lines) <= h {
			return th.Box(lines, w, h)
		}
	}
	lines := oneByOne(th, list, w, terseMatch)
	if hidden := len(list) - h; hidden > 0 && h > 1 {
		lines[h-1] = th.Dim.Render(report.Plural(hidden+1, "comparison", "comparisons") + " not shown")
	}
	return th.Box(lines, w, h)
}

// isMessage reports whether the only comparison cannot be made.
func isMessage(list []match) bool { return len(list) == 1 && list[0].why != "" }

// oneByOne stacks comparisons, with blank lines between comparisons of several lines.
func oneByOne(
	th *kit.Theme, list []match, w int, write func(*kit.Theme, match, int) []string,
) (lines []string) {
	for i, m := range list {
		text := write(th, m, w)
		if i > 0 && len(text) > 1 {
			lines = append(lines, "")
		}
		lines = append(lines, text...)
	}
	return lines
}

// directCSV writes the comparisons of the method of the selected run (A) with every other method (B).
func directCSV(w io.Writer, runs []comparedRun) error {
	t := figure.NewTable(w, "a", "b", "over", "n", "share", "share_se", "difference", "difference_se", "kl",
		"wasserstein", "t_p", "t_p_holm", "verdict", "remark", "not_compared")
	for _, m := range matches(runs, "") {
		row := []string{m.a.Label, m.b.Label}
		if m.why != "" {
			t.Row(append(row, "", "", "", "", "", "", "", "", "", "", "", "", m.why)...)
			continue
		}
		row = withNumbers(append(row, string(m.Over), strconv.Itoa(m.N)), figure.Exact, float64(m.Share),
			m.shareError(), float64(m.Difference), float64(m.DifferenceSE), float64(m.KL),
			float64(m.Wasserstein), float64(m.TP), float64(m.HolmP))
		t.Row(append(row, m.Verdict, m.Remark, "")...)
	}
	return t.Close()
}
