package board

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

// newDirectPanel returns the panel that compares the method of the selected run with every other
// method, point by point.
func newDirectPanel() *Panel {
	return &Panel{
		Name: "Direct", short: "Direct", title: "Direct comparison",
		Guide: directGuide,
		absent: func(b *Board) string {
			return unless(len(b.Runs) > 1, "a direct comparison needs a second run")
		},
		row: func(b *Board) bool { return len(b.comparison().matches) == 0 },
		lines: func(b *Board, w int) int {
			head, body, foot := directParts(b.Theme, b.comparison(), w, fullMatch)
			return len(head) + len(body) + len(foot)
		},
		draw: func(b *Board, w, h int) []string { return drawDirect(b.Theme, b.comparison(), w, h) },
		All:  true,
		figures: func(b *Board) []report.Figure {
			if len(b.Runs) < 2 {
				return nil
			}
			return []report.Figure{{Name: "direct",
				CSV: func(w io.Writer) error { return directCSV(w, b) }}}
		},
	}
}

// drawDirect draws the direct comparison of the method of the selected run (A) with every other
// method (B) on the same test points, as in tables 2 and S4 of Lindinger et al., 2020,
// arXiv:2005.11110: the share of points with a higher log-likelihood of A, the mean difference, and
// paired tests. Runs of a method on several splits are combined, and standard errors are over
// splits. With one split and one seed they are over points, and the verdict is always "~".
//
// If the selected run cannot be compared, another one replaces it, as a line above the comparisons says. A
// paragraph below them lists what is not compared.
//
// The drawing has exactly h lines of w cells.
func drawDirect(th *kit.Theme, c *comparison, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	if len(c.matches) == 0 {
		return th.Centred(cleanText(th, c.notCompared()), w, h)
	}
	var head, body, foot []string
	for _, write := range []func(*kit.Theme, match, int) []string{fullMatch, briefMatch, terseMatch} {
		head, body, foot = directParts(th, c, w, write)
		if len(head)+len(body)+min(len(foot), 2) <= h {
			break
		}
	}
	if h <= 3 {
		head = nil
	}
	room := max(h-len(head), 1)
	hidden := len(body) - room
	if hidden > 0 && room > 1 {
		body[room-1] = th.Dim.Render(report.Plural(hidden+1, "comparison", "comparisons") + " not shown")
		body = body[:room]
	}
	return th.Box(slices.Concat(head, body, foot), w, h)
}

// directParts returns the lines above the comparisons, the comparisons, and the lines below.
func directParts(
	th *kit.Theme, c *comparison, w int, write func(*kit.Theme, match, int) []string,
) (head, body, foot []string) {
	if c.instead != "" {
		head = kit.Paragraph(th.Dim, cleanText(th, c.instead), w)
	}
	for i, m := range c.matches {
		text := write(th, m, w)
		if i > 0 && len(text) > 1 {
			body = append(body, "")
		}
		body = append(body, text...)
	}
	if len(c.missing) > 0 || len(c.matches) == 0 {
		foot = kit.Paragraph(th.Warn, cleanText(th, c.notCompared()), w)
	}
	return head, body, foot
}

// notCompared returns the runs and methods that are not compared, with the reasons.
func (c *comparison) notCompared() string {
	if len(c.missing) == 0 {
		return noPairs
	}
	return strings.Join(c.missing, "; ")
}

// noPairs is the text of panels that compare pairs of runs if there are none.
const noPairs = "no two runs have the same test points"

// directCSV writes the comparisons of the method of the selected run (A) with every other method (B).
func directCSV(w io.Writer, b *Board) error {
	t := figure.NewTable(w, "a", "b", "over", "n", "share", "share_se", "difference", "difference_se", "kl",
		"wasserstein", "t_p", "t_p_holm", "verdict", "remark", "not_compared")
	c := compareRuns(b, "")
	for _, m := range c.matches {
		row := []string{m.a.Brief, m.b.Brief}
		row = withNumbers(append(row, string(m.Over), strconv.Itoa(m.N)), figure.Exact, float64(m.Share),
			m.shareError(), float64(m.Difference), float64(m.DifferenceSE), float64(m.KL),
			float64(m.Wasserstein), float64(m.TP), float64(m.HolmP))
		t.Row(append(row, m.Verdict, m.Remark, "")...)
	}
	for _, why := range c.missing {
		t.Row("", "", "", "", "", "", "", "", "", "", "", "", "", "", why)
	}
	return t.Close()
}
