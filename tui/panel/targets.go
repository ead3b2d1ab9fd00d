package panel

import (
	"slices"

	"dgplab/session/rundir"
)

// Targets returns the names of the targets that a picture of these runs can be of: of all
// that some run was tested on, those of the run with most first. Where every run was tested
// on one, they are drawn together, by the name of the first. Without an evaluated run there
// are none.
func Targets(runs []Run) (names []string) {
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
			if name := p.Name(k); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// HasSeveral says whether the predictions of any run are of several targets.
func HasSeveral(runs []Run) bool {
	return slices.ContainsFunc(runs, func(r Run) bool { p := r.predictions(); return p != nil && p.P > 1 })
}

// columnOf returns the column of p that is of a target, counted in Targets modulo their
// number, from 0; -1 if there is none.
func columnOf(p *rundir.Predictions, names []string, target int) int {
	tested := p.Tested()
	if len(tested) == 1 && (len(names) == 1 || len(p.Names) == 0) {
		return tested[0]
	}
	name := names[(target%len(names)+len(names))%len(names)]
	for _, k := range tested {
		if p.Name(k) == name {
			return k
		}
	}
	return -1
}
