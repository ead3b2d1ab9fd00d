package reproduce

import (
	"strings"

	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// Entry describes an experiment in a list.
type Entry struct {
	*Experiment
	// Done is the number of finished runs.
	Done int
	// Seconds is the training time of the missing runs, estimated from finished runs of the same method
	// and data set. Unknown is the number of missing runs without such a run.
	Seconds float64
	Unknown int
}

// List returns all experiments and counts their finished runs among runs, which are sorted newest first.
func List(runs []rundir.Info) ([]Entry, error) {
	done := finished(runs)
	var list []Entry
	for _, id := range IDs() {
		e, err := Get(id)
		if err != nil {
			return nil, err
		}
		entry, err := e.entry(done)
		if err != nil {
			return nil, err
		}
		list = append(list, entry)
	}
	return list, nil
}

// entry counts the runs of an experiment and estimates the time of the missing ones.
func (e *Experiment) entry(done map[string]*rundir.Info) (Entry, error) {
	entry := Entry{Experiment: e}
	cells, err := e.planned()
	if err != nil {
		return entry, err
	}
	type total struct {
		seconds float64
		runs    int
	}
	spent := map[[2]string]total{} // by method and data set
	for _, p := range cells {
		if r := done[p.cell.Key]; r != nil {
			entry.Done++
			at := [2]string{p.method, p.cell.Dataset}
			spent[at] = total{spent[at].seconds + r.Results.Seconds, spent[at].runs + 1}
		}
	}
	entry.Unknown = e.Runs() - len(cells)
	for _, p := range cells {
		if done[p.cell.Key] != nil {
			continue
		}
		t, ok := spent[[2]string{p.method, p.cell.Dataset}]
		if !ok {
			entry.Unknown++
			continue
		}
		entry.Seconds += t.seconds / float64(t.runs)
	}
	return entry, nil
}

// SplitsNamed returns the splits of the experiment with the given names. The number of a split is
// enough.
func (e *Experiment) SplitsNamed(values []string) []string {
	var list []string
	for _, v := range values {
		name := v
		for _, split := range e.splits {
			if strings.HasSuffix(split, ":"+v) {
				name = split
			}
		}
		list = append(list, name)
	}
	return list
}

// SplitsText returns the splits of the experiment as a list.
func (e *Experiment) SplitsText() string { return sweep.Join(e.splits) }
