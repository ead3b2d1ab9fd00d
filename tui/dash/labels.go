package dash

import (
	"cmp"
	"slices"
	"strings"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/viz/canvas"
)

// relabel calls the runs what people call them, or else by the fields in which they
// differ; those that do not, and runs that nothing is known of yet, by the end of
// their identifiers, and a single run by its family.
func (d *Dash) relabel() {
	var infos []rundir.Info
	var known []*watchedRun
	for _, r := range d.runs {
		r.label = shortID(r.id)
		if r.snap != nil {
			infos = append(infos, r.info())
			known = append(known, r)
		}
	}
	differences := session.InformativeDifferences(infos)
	short := labelsOf(known, slices.DeleteFunc(slices.Clone(differences), func(f session.Difference) bool {
		return bookkeeping[f.Field]
	}))
	long := labelsOf(known, differences)
	for i, r := range known {
		switch {
		case short[i] != "" && !repeated(short, i):
			r.label = short[i]
		case long[i] != "" && !repeated(long, i):
			r.label = long[i]
		default:
			r.label = strings.TrimSpace(long[i] + " " + shortID(r.id))
		}
	}
	if len(d.runs) == 1 && len(known) == 1 {
		known[0].label = known[0].snap.Family
	}
	d.callByName()
	d.abbreviate(known, differences)
	d.group()
}

// legendRoom is how many cells a legend of half a screen has for the names of all runs.
const legendRoom = 40

// abbreviate makes labels brief, unless a legend has room for all of them. A name stays whole.
func (d *Dash) abbreviate(known []*watchedRun, differences []session.Difference) {
	var labels []string
	for _, r := range d.runs {
		r.brief = r.label
		labels = append(labels, r.label)
	}
	if fitLegend(labels) || len(differences) == 0 {
		return
	}
	for i, text := range briefs(known, differences) {
		if known[i].name == "" && text != "" {
			known[i].brief = text
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

// briefs returns for each run its value of the first field in which runs differ, and of few
// more that tell it from all others; "" where nothing does.
func briefs(runs []*watchedRun, fields []session.Difference) []string {
	texts := make([][]string, len(fields)) // by field and run
	for f, field := range fields {
		for i := range runs {
			texts[f] = append(texts[f], fieldText(field.Field, field.Values[i]))
		}
	}
	return written(runs, fields, func(i int) []bool { return telling(texts, i) })
}

// telling returns which fields tell run i from all others, nil if even all do not: the first
// one, and then always the field in which the most of those are different that are still alike.
func telling(texts [][]string, i int) []bool {
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

// callByName makes names labels; runs of the same name keep what tells them apart.
func (d *Dash) callByName() {
	count := map[string]int{}
	for _, r := range d.runs {
		count[r.name]++
	}
	for _, r := range d.runs {
		switch {
		case r.name == "":
		case count[r.name] > 1:
			r.label = r.name + " " + r.label
		default:
			r.label = r.name
		}
	}
}

// bookkeeping are the fields that change nothing of what is learned: a label has them
// only where others do not tell runs apart.
var bookkeeping = map[string]bool{
	"metrics_every": true, "checkpoint_every": true, "checkpoint_seconds": true,
	"validation_every": true, "validation_samples": true, "validation_points": true, "test_samples": true,
}

// labelsOf writes all fields of each run one after the other.
func labelsOf(runs []*watchedRun, fields []session.Difference) []string {
	all := slices.Repeat([]bool{true}, len(fields))
	return written(runs, fields, func(int) []bool { return all })
}

// written writes the fields of each run that are chosen for it one after the other.
func written(runs []*watchedRun, fields []session.Difference, chosen func(run int) []bool) []string {
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

// groupLabels name runs that differ in the seed by what they have in common, as against the
// other groups, and say how many they are.
func (d *Dash) groupLabels() []string {
	labels := d.groupNames(labelsOf)
	for i, g := range d.groups {
		of := d.membersOf(g)
		labels[i] += " " + kit.Plural(len(g), strings.TrimSuffix(of, "s"), of)
	}
	return labels
}

// mostNames is how many groups a legend has names for: the header lists them all.
const mostNames = 6

// groupBriefs are the names of groups in legends, as much of them as tells them apart where all
// of them are too long; "" where they are too many.
func (d *Dash) groupBriefs() []string {
	if len(d.groups) > mostNames {
		return make([]string, len(d.groups))
	}
	names := d.groupNames(labelsOf)
	if !fitLegend(names) {
		return d.groupNames(briefs)
	}
	return names
}

// groupNames names groups by the fields in which they differ, as written by a function.
func (d *Dash) groupNames(write func(runs []*watchedRun, fields []session.Difference) []string) []string {
	names := make([]string, len(d.groups))
	var infos []rundir.Info
	var known []*watchedRun
	for i, g := range d.groups {
		r := d.runs[g[0]]
		names[i] = r.label
		if r.snap != nil {
			infos = append(infos, r.info())
			known = append(known, r)
			names[i] = r.snap.Family
		}
	}
	fields := slices.DeleteFunc(session.InformativeDifferences(infos), func(f session.Difference) bool {
		return d.ofGroup(f.Field)
	})
	if len(fields) == 0 {
		return names
	}
	for k, text := range write(known, fields) {
		i := slices.IndexFunc(d.groups, func(g []int) bool { return d.runs[g[0]] == known[k] })
		names[i] = cmp.Or(text, names[i])
	}
	return names
}

// repeated reports whether label i is that of another run too.
func repeated(labels []string, i int) bool {
	return slices.Contains(labels[:i], labels[i]) || slices.Contains(labels[i+1:], labels[i])
}

// fieldText writes the value of a field as short as it is still clear.
func fieldText(field, value string) string {
	switch field {
	case "dataset", "split", "family":
		return kit.Dataset(value)
	}
	if value == "" {
		return ""
	}
	return field + " " + value
}

// shortID returns the last part of a run's identifier, which is random.
func shortID(id string) string {
	return id[strings.LastIndexByte(id, '-')+1:]
}
