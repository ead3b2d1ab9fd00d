package dash

import (
	"slices"

	"dgplab/session/rundir"
)

// targetsOf returns the names of all tested targets, beginning with the run with most targets. If
// every run was tested on one target, they are drawn together under the name of the first. Without
// an evaluated run there are none.
func targetsOf(runs []comparedRun) (names []string) {
	var list []*rundir.Predictions
	for _, r := range runs {
		if p := r.predictions(); p != nil && p.P > 0 {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *rundir.Predictions) int {
		return len(b.Tested()) - len(a.Tested())
	})
	for i, p := range list {
		if i > 0 && len(list[0].Tested()) == 1 {
			break
		}
		for _, k := range p.Tested() {
			if name := p.Names[k]; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// haveSeveralTargets reports whether a run predicts several targets.
func haveSeveralTargets(runs []comparedRun) bool {
	return slices.ContainsFunc(runs, func(r comparedRun) bool {
		p := r.predictions()
		return p != nil && p.P > 1
	})
}

// columnOf returns the column in p of the target at a place in targetsOf, or -1 if p does not have
// it.
func columnOf(p *rundir.Predictions, names []string, target int) int {
	tested := p.Tested()
	if len(tested) == 1 && len(names) == 1 {
		return tested[0]
	}
	for _, k := range tested {
		if p.Names[k] == names[target] {
			return k
		}
	}
	return -1
}
