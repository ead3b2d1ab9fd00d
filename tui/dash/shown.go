package dash

import (
	"slices"
	"strings"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/panel"
)

// mostShown is how many runs are on the screen at most, each for itself (see mostCrowd).
const mostShown = 4

// shown is a run on the screen: one of this program (run), or a run directory that
// is only read (record).
type shown struct {
	id string
	// index picks colour and marker, the same for as long as the run is shown.
	index int
	// gen is of the commands that read the run directory: messages of another one
	// are dropped.
	gen    int
	run    kit.Run
	record Record // nil while it is being opened

	snap *session.Snapshot // nil before the first
	// taken is the snapshot that snap was made of: the same unless the checkpoint was looked
	// into. looking says that this goes on, looked is what was seen.
	taken   *session.Snapshot
	looking bool
	looked  *rundir.Diagnostics
	// over says that nothing will change any more.
	over bool
	// err says why the directory can no longer be read.
	err error
	// name is what people call the run, "" if they do not.
	name string
	// label tells the run from the others: its name, or the fields in which they differ.
	label string
	// curves are those of the panels of curves.
	curves [numQuantities]points
}

// take shows a snapshot and reports whether it is a new one.
func (r *shown) take(s *session.Snapshot) bool {
	if s == nil || s == r.taken {
		return false
	}
	r.taken, r.snap = s, r.withLook(s)
	return true
}

// ended reports whether the run is not going, here or anywhere else.
func (r *shown) ended() bool {
	return r.over || r.run == nil && r.snap != nil && r.snap.State == session.Ended
}

// info returns the run as package session compares configurations.
func (r *shown) info() rundir.Info {
	i := rundir.Info{ID: r.id}
	if r.snap != nil {
		i.Config, i.Values = r.snap.Config, r.snap.Values
	}
	return i
}

// add puts a run on the screen with the first colour that is free, and chooses it.
func (d *Dash) add(r *shown) {
	taken := func(index int) bool {
		return slices.ContainsFunc(d.runs, func(o *shown) bool { return o.index == index })
	}
	for r.index = 0; taken(r.index); {
		r.index++
	}
	d.gen++
	r.gen = d.gen
	d.runs = append(d.runs, r)
	d.chosen = len(d.runs) - 1
	d.relabel()
}

// remove takes the run at a place from the screen. It goes on.
func (d *Dash) remove(i int) {
	d.runs = slices.Delete(slices.Clone(d.runs), i, i+1)
	if d.chosen > i || d.chosen == len(d.runs) {
		d.chosen = max(d.chosen-1, 0)
	}
	d.relabel()
}

// place returns where a run is on the screen, -1 if it is not.
func (d *Dash) place(id string) int {
	return slices.IndexFunc(d.runs, func(r *shown) bool { return r.id == id })
}

// current returns the chosen run, nil if there is none.
func (d *Dash) current() *shown {
	if len(d.runs) == 0 {
		return nil
	}
	return d.runs[d.chosen]
}

// snap returns the chosen run's newest snapshot, nil if there is none.
func (d *Dash) snap() *session.Snapshot {
	if r := d.current(); r != nil {
		return r.snap
	}
	return nil
}

// relabel calls the runs what people call them, or else by the fields in which they
// differ; those that do not, and runs that nothing is known of yet, by the end of
// their identifiers, and a single run by its family.
func (d *Dash) relabel() {
	var infos []rundir.Info
	var known []*shown
	for _, r := range d.runs {
		r.label = shortID(r.id)
		if r.snap != nil {
			infos, known = append(infos, r.info()), append(known, r)
		}
	}
	differences := session.Telling(infos)
	short := labelsOf(known, slices.DeleteFunc(slices.Clone(differences), func(f session.Difference) bool { return bookkeeping[f.Field] }))
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
	d.group()
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

// labelsOf writes the fields of each run one after the other.
func labelsOf(runs []*shown, fields []session.Difference) []string {
	labels := make([]string, len(runs))
	for i := range runs {
		var words []string
		for _, f := range fields {
			if text := fieldText(f.Field, f.Values[i]); text != "" {
				words = append(words, text)
			}
		}
		labels[i] = strings.Join(words, " ")
	}
	return labels
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

// group finds the runs that differ in nothing but the seed, or of many the split: groups
// holds places, the first run's group first. A run that is alone is a group of one.
func (d *Dash) group() {
	d.groups = d.groups[:0:0]
	for i, r := range d.runs {
		g := slices.IndexFunc(d.groups, func(g []int) bool { return d.alike(d.runs[g[0]], r) })
		if g < 0 {
			d.groups = append(d.groups, []int{i})
		} else {
			d.groups[g] = append(d.groups[g], i)
		}
	}
	d.color()
}

// panelRuns returns the runs as package panel draws them.
func (d *Dash) panelRuns() []panel.Run {
	list := make([]panel.Run, len(d.runs))
	for i, r := range d.runs {
		list[i] = panel.Run{Snapshot: r.snap, Index: r.index, Label: r.label, Chosen: i == d.chosen}
	}
	return list
}
