package board

import (
	"slices"

	"dgplab/session/config"
	"dgplab/session/rundir"
)

// MostShown is the maximum number of runs that are shown individually. More runs are shown in
// groups (see kit.MostWatched).
const MostShown = 4

// ManyRuns reports whether there are more runs than are shown individually. Runs that differ only in seed and
// split then form a group, with one line (mean and band), one row in the header and one colour. Pictures of
// single runs show one run of each group.
func (b *Board) ManyRuns() bool { return len(b.Runs) > MostShown }

// Rows returns the number of lines of a list of the runs or their groups.
func (b *Board) Rows() int {
	if b.ManyRuns() {
		return len(b.Groups)
	}
	return len(b.Runs)
}

// grouped reports whether curves are drawn by groups.
func (b *Board) grouped() bool { return b.curves.Grouped || b.ManyRuns() }

// variesInGroup reports whether runs of a group may differ in a field.
func (b *Board) variesInGroup(field string) bool {
	return field == "seed" || b.ManyRuns() && field == "split"
}

// group groups runs that differ only in the seed or, if there are many runs, in the seed and the split. The
// group of the first run comes first. A group may have a single run.
func (b *Board) group() {
	b.Groups = b.Groups[:0:0]
	for i, r := range b.Runs {
		g := slices.IndexFunc(b.Groups, func(g []int) bool { return b.sameGroup(b.Runs[g[0]], r) })
		if g < 0 {
			b.Groups = append(b.Groups, []int{i})
		} else {
			b.Groups[g] = append(b.Groups[g], i)
		}
	}
	b.colorGroups()
}

// colorGroups gives all runs of a group the same colour. If there are few runs again, each gets its own
// colour.
func (b *Board) colorGroups() {
	if !b.ManyRuns() && !b.mixed {
		return
	}
	for i, r := range b.Runs {
		r.Index = i
	}
	b.mixed = b.ManyRuns()
	if b.mixed {
		for g, members := range b.Groups {
			for _, i := range members {
				b.Runs[i].Index = g
			}
		}
	}
}

// representatives returns the indices of the runs that pictures of single runs show: all runs or,
// of each group, the selected run or else the first one that has begun.
func (b *Board) representatives() (list []int) {
	if !b.ManyRuns() {
		for i := range b.Runs {
			list = append(list, i)
		}
		return list
	}
	for _, g := range b.Groups {
		at := max(slices.IndexFunc(g, func(i int) bool { return b.Runs[i].Snapshot != nil }), 0)
		if k := slices.Index(g, b.Chosen); k >= 0 {
			at = k
		}
		list = append(list, g[at])
	}
	return list
}

// representativeRuns returns the runs that pictures of single runs show.
func (b *Board) representativeRuns() (list []*Run) {
	for _, i := range b.representatives() {
		list = append(list, b.Runs[i])
	}
	return list
}

// memberNoun returns "seeds", "splits" or "runs", depending on the differences within a group.
func (b *Board) memberNoun(g []int) string {
	var splits []string
	for _, i := range g {
		if s := b.Runs[i].Snapshot; s != nil && !slices.Contains(splits, s.Split) {
			splits = append(splits, s.Split)
		}
	}
	switch {
	case len(splits) == len(g):
		return "splits"
	case len(splits) > 1:
		return "runs"
	}
	return "seeds"
}

// sameGroup reports whether two runs belong to the same group.
func (d *Board) sameGroup(a, b *Run) bool {
	if a.Snapshot == nil || b.Snapshot == nil {
		return false
	}
	for _, diff := range config.Differences([]rundir.Info{a.info(), b.info()}) {
		if !d.variesInGroup(diff.Field) {
			return false
		}
	}
	return true
}
