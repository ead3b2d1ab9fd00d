package panel

import (
	"dgplab/tui/kit"
)

// Direct draws the direct comparison of the chosen run's method (A) with each other
// one (B) on the same test points, as in tables 2 and S4 of Lindinger et al., 2020,
// arXiv:2005.11110: the share of points of which A has the higher log-likelihood,
// the mean difference, and a paired test. Runs of a method on several splits are
// taken together and standard errors are over splits. On one split, with one seed,
// they are over points, which is said, and there is no verdict but "~".
//
// Where the chosen run has no run on its data the first that has is in its place, which is
// said.
//
// evaluate is the label of the key that evaluates the chosen run on its test part
// now, "" if there is none: it is named where a run was not. Direct is exactly h
// lines of w cells.
func Direct(th *kit.Theme, runs []Run, evaluate string, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	if len(runs) < 2 {
		return th.Centred("a direct comparison needs a second run", w, h)
	}
	list, not := againstSome(runs, evaluate)
	if not != "" && h > 3 {
		head := kit.Paragraph(th.Dim, clean(th, not), w)
		return th.Box(append(head, direct(th, list, w, h-len(head))...), w, h)
	}
	return direct(th, list, w, h)
}

// direct draws comparisons.
func direct(th *kit.Theme, list []match, w, h int) []string {
	if len(list) == 1 && list[0].why != "" {
		return th.Centred(clean(th, list[0].why), w, h)
	}
	for _, write := range []func(*kit.Theme, match, int) []string{fullMatch, briefMatch} {
		if lines := oneByOne(th, list, w, write); len(lines) <= h {
			return th.Box(lines, w, h)
		}
	}
	lines := oneByOne(th, list, w, terseMatch)
	if hidden := len(list) - h; hidden > 0 && h > 1 {
		lines[h-1] = th.Dim.Render(kit.Plural(hidden+1, "comparison", "comparisons") + " not shown")
	}
	return th.Box(lines, w, h)
}

// oneByOne writes several comparisons, with a blank line between those that take
// more than one.
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
