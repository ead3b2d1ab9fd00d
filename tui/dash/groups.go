package dash

import (
	"slices"

	"dgplab/session/config"
	"dgplab/session/rundir"
)

// manyRuns reports whether there are more runs than are shown individually. Runs that differ only in seed and
// split then form a group, with one line (mean and band), one row in the header and one colour. Pictures of
// single runs show one run of each group.
func (b *Board) manyRuns() bool { return len(b.runs) > mostShown }

// rows returns the number of header lines about runs.
func (b *Board) rows() int {
	if b.manyRuns() {
		return len(b.groups)
	}
	return len(b.runs)
}

// grouped reports whether curves are drawn by groups.
func (b *Board) grouped() bool { return b.curves.Grouped || b.manyRuns() }

// variesInGroup reports whether runs of a group may differ in a field.
func (b *Board) variesInGroup(field string) bool {
	return field == "seed" || b.manyRuns() && field == "split"
}

// colorGroups gives all runs of a group the same colour. If there are few runs again, each gets its own
// colour.
func (b *Board) colorGroups() {
	if !b.manyRuns() && !b.mixed {
		return
	}
	for i, r := range b.runs {
		r.index = i
	}
	b.mixed = b.manyRuns()
	if b.mixed {
		for g, members := range b.groups {
			for _, i := range members {
				b.runs[i].index = g
			}
		}
	}
}

// representatives returns the indices of the runs that pictures of single runs show: all runs or,
// of each group, the selected run or else the first one that has begun.
func (b *Board) representatives() (list []int) {
	if !b.manyRuns() {
		for i := range b.runs {
			list = append(list, i)
		}
		return list
	}
	for _, g := range b.groups {
		at := max(slices.IndexFunc(g, func(i int) bool { return b.runs[i].snap != nil }), 0)
		if k := slices.Index(g, b.chosen); k >= 0 {
			at = k
		}
		list = append(list, g[at])
	}
	return list
}

// comparedRuns returns the runs for reports about several runs.
func (b *Board) comparedRuns() []comparedRun {
	list := make([]comparedRun, len(b.runs))
	for i, r := range b.runs {
		list[i] = comparedRun{Snapshot: r.snap, Index: r.index, Label: b.label(r), Chosen: i == b.chosen}
	}
	return list
}

// representativeRuns is comparedRuns for the representatives.
func (b *Board) representativeRuns() (list []comparedRun) {
	all := b.comparedRuns()
	for _, i := range b.representatives() {
		list = append(list, all[i])
	}
	return list
}

// memberNoun returns "seeds", "splits" or "runs", depending on the differences within a group.
func (b *Board) memberNoun(g []int) string {
	var splits []string
	for _, i := range g {
		if s := b.runs[i].snap; s != nil && !slices.Contains(splits, s.Split) {
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
func (d *Board) sameGroup(a, b *watchedRun) bool {
	if a.snap == nil || b.snap == nil {
		return false
	}
	for _, diff := range config.Differences([]rundir.Info{a.info(), b.info()}) {
		if !d.variesInGroup(diff.Field) {
			return false
		}
	}
	return true
}
