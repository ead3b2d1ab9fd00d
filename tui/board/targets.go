package board

import (
	"slices"

	"dgplab/session/rundir"
)

// targetsOf returns the names of all tested targets, starting with the run that has the most targets. If
// every run was tested on a single target, the runs are drawn together under the name of the first target.
// Without an evaluated run there are no targets.
func targetsOf(runs []*Run) (names []string) {
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
func haveSeveralTargets(runs []*Run) bool {
	return slices.ContainsFunc(runs, func(r *Run) bool {
		p := r.predictions()
		return p != nil && p.P > 1
	})
}

// columnOf returns the column in p of the target with the given index in names, or -1 if p does not have it.
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
