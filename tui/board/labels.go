package board

import (
	"cmp"
	"slices"
	"strings"

	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
)

// Relabel labels the runs with their names, or with their differing settings if they have no names. Equal
// runs, and runs without a snapshot, are labelled with the end of their IDs, and a single run with its
// family.
func (b *Board) Relabel() {
	var known []*Run
	for _, r := range b.Runs {
		r.Label = shortID(r.ID)
		if r.Snapshot != nil {
			known = append(known, r)
		}
	}
	differences := differencesOf(known)
	short := labelsOf(known, slices.DeleteFunc(slices.Clone(differences), func(f config.Difference) bool {
		return bookkeeping[f.Field]
	}))
	long := labelsOf(known, differences)
	for i, r := range known {
		switch {
		case short[i] != "" && !repeated(short, i):
			r.Label = short[i]
		case long[i] != "" && !repeated(long, i):
			r.Label = long[i]
		default:
			r.Label = strings.TrimSpace(long[i] + " " + shortID(r.ID))
		}
	}
	if len(b.Runs) == 1 && len(known) == 1 {
		known[0].Label = known[0].Snapshot.Family
	}
	b.useNames()
	b.abbreviate(known, differences)
	b.group()
	b.chooseXAxis()
}

// differencesOf returns the informative fields in which runs with snapshots differ.
func differencesOf(runs []*Run) []config.Difference {
	var infos []rundir.Info
	for _, r := range runs {
		infos = append(infos, r.info())
	}
	return config.InformativeDifferences(infos)
}

// legendRoom is the width for the names of all runs in the legend of a panel that is half as wide
// as the screen.
const legendRoom = 40

// abbreviate shortens labels unless a legend has room for all of them. It does not shorten names.
func (b *Board) abbreviate(known []*Run, differences []config.Difference) {
	var labels []string
	for _, r := range b.Runs {
		r.Brief = r.Label
		labels = append(labels, r.Label)
	}
	if fitLegend(labels) || len(differences) == 0 {
		return
	}
	for i, text := range briefs(known, differences) {
		if known[i].Name == "" && text != "" {
			known[i].Brief = text
		}
	}
}

// fitLegend reports whether a legend has room for all names.
func fitLegend(names []string) bool {
	all := 0
	for _, name := range names {
		all += canvas.Width(name)
	}
	return all <= legendRoom
}

// briefs returns short labels: the value of the first differing field of a run, and the few other fields that
// distinguish it from all other runs. A label is empty if even all fields do not distinguish the run.
func briefs(runs []*Run, fields []config.Difference) []string {
	texts := make([][]string, len(fields)) // by field and run
	for f, field := range fields {
		for i := range runs {
			texts[f] = append(texts[f], fieldText(field.Field, field.Values[i]))
		}
	}
	return joinFields(runs, fields, func(i int) []bool { return distinguishing(texts, i) })
}

// distinguishing returns fields that distinguish run i from all others, or nil if even all fields do not. It
// starts with the first field and greedily adds the field that distinguishes run i from most of the remaining
// runs.
func distinguishing(texts [][]string, i int) []bool {
	var alike []int
	for k := range texts[0] {
		if k != i {
			alike = append(alike, k)
		}
	}
	tells, next := make([]bool, len(texts)), 0
	for next >= 0 {
		tells[next] = true
		alike = slices.DeleteFunc(alike, func(k int) bool { return texts[next][k] != texts[next][i] })
		most := 0
		next = -1
		for f := range texts {
			different := 0
			for _, k := range alike {
				if texts[f][k] != texts[f][i] {
					different++
				}
			}
			if different > most {
				next, most = f, different
			}
		}
	}
	if len(alike) > 0 {
		return nil
	}
	return tells
}

// useNames replaces labels with the names of the runs. If runs share a name, it is followed by the label.
func (b *Board) useNames() {
	count := map[string]int{}
	for _, r := range b.Runs {
		count[r.Name]++
	}
	for _, r := range b.Runs {
		switch {
		case r.Name == "":
		case count[r.Name] > 1:
			r.Label = r.Name + " " + r.Label
		default:
			r.Label = r.Name
		}
	}
}

// bookkeeping holds the fields that do not affect the trained model. Labels omit them if other fields
// distinguish the runs.
var bookkeeping = map[string]bool{
	"metrics_every": true, "checkpoint_every": true, "checkpoint_seconds": true,
	"validation_every": true, "validation_samples": true, "validation_points": true, "test_samples": true,
}

// labelsOf joins all fields of each run.
func labelsOf(runs []*Run, fields []config.Difference) []string {
	all := slices.Repeat([]bool{true}, len(fields))
	return joinFields(runs, fields, func(int) []bool { return all })
}

// joinFields joins the chosen fields of each run.
func joinFields(runs []*Run, fields []config.Difference, chosen func(run int) []bool) []string {
	labels := make([]string, len(runs))
	for i := range runs {
		var words []string
		for k, is := range chosen(i) {
			if text := fieldText(fields[k].Field, fields[k].Values[i]); is && text != "" {
				words = append(words, text)
			}
		}
		labels[i] = strings.Join(words, " ")
	}
	return labels
}

// GroupLabels returns labels of groups: their differing settings and their number of runs.
func (b *Board) GroupLabels() []string {
	labels := b.groupNames(labelsOf)
	for i, g := range b.Groups {
		of := b.memberNoun(g)
		labels[i] += " " + report.Plural(len(g), strings.TrimSuffix(of, "s"), of)
	}
	return labels
}

// mostNames is the maximum number of groups with names in a legend. The header lists all groups.
const mostNames = 6

// groupBriefs returns the names of groups in legends. On the screen they are shortened if they are too long,
// and empty if there are too many groups.
func (b *Board) groupBriefs() []string {
	if len(b.Groups) > mostNames && !b.inFiles {
		return make([]string, len(b.Groups))
	}
	names := b.groupNames(labelsOf)
	if !fitLegend(names) && !b.inFiles {
		return b.groupNames(briefs)
	}
	return names
}

// groupNames returns the differing settings of groups, joined by write.
func (b *Board) groupNames(write func(runs []*Run, fields []config.Difference) []string) []string {
	names := make([]string, len(b.Groups))
	var known []*Run
	for i, g := range b.Groups {
		r := b.Runs[g[0]]
		names[i] = r.Label
		if r.Snapshot != nil {
			known = append(known, r)
			names[i] = r.Snapshot.Family
		}
	}
	fields := slices.DeleteFunc(differencesOf(known), func(f config.Difference) bool {
		return b.variesInGroup(f.Field)
	})
	if len(fields) == 0 {
		return names
	}
	for k, text := range write(known, fields) {
		i := slices.IndexFunc(b.Groups, func(g []int) bool { return b.Runs[g[0]] == known[k] })
		names[i] = cmp.Or(text, names[i])
	}
	return names
}

// repeated reports whether another run has the same label as run i.
func repeated(labels []string, i int) bool {
	return slices.Contains(labels[:i], labels[i]) || slices.Contains(labels[i+1:], labels[i])
}

// fieldText returns the value of a field, preceded by the name of the field unless the value is clear without
// it.
func fieldText(field, value string) string {
	switch field {
	case "dataset", "split", "family":
		return metric.DatasetName(value)
	}
	if value == "" {
		return ""
	}
	return field + " " + value
}

// shortID returns the last part of the identifier of a run, which is random.
func shortID(id string) string {
	return id[strings.LastIndexByte(id, '-')+1:]
}
