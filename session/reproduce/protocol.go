package reproduce

import (
	"cmp"
	"fmt"
	"strings"

	"dgplab/session/compare"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// Protocol returns a table of the settings of all methods that are trained. Its notes give the metric, the
// data sets, the splits, the seeds, and the differences from the paper.
func (e *Experiment) Protocol() (compare.Sheet, error) {
	columns := []string{"layers", "width", "inducing", "samples", "batch"}
	s := compare.Sheet{Title: fmt.Sprintf("Protocol of %s", e.ID), Names: 2,
		Columns: append([]string{"method", "family"}, append(columns, "length")...)}
	for i := range e.Methods {
		m := &e.Methods[i]
		if m.Family == "" {
			continue
		}
		r, err := m.resolved()
		if err != nil {
			return s, fmt.Errorf("method %s: %w", m.Name, err)
		}
		row := []compare.Entry{{Text: m.Name}, {Text: m.Family}}
		for _, name := range columns {
			value := cmp.Or(r.Values[name], r.Values["hidden_"+name]) // of networks
			row = append(row, compare.Entry{Text: value, Number: true})
		}
		length := fmt.Sprintf("%d steps", r.Steps)
		if epochs := r.Values[rundir.EpochsSetting]; cmp.Or(epochs, "0") != "0" {
			length = epochs + " epochs"
		}
		s.Rows = append(s.Rows, append(row, compare.Entry{Text: length, Number: true}))
	}
	s.Notes = append([]string{"data sets: " + strings.Join(e.datasets(), ", "),
		"splits: " + e.SplitsText() + "; seeds: " + e.Seeds,
		"metric: " + strings.Join(strings.Fields(e.metric.Name+" "+bracketed(e.metric.Note)), " ")},
		e.notes()...)
	return s, nil
}

// notes returns the notes on the experiment: data sets that are not trained, differences from the paper,
// overridden settings, and the source.
func (e *Experiment) notes() (notes []string) {
	for i := range e.Data {
		if d := &e.Data[i]; d.Skipped != "" {
			notes = append(notes, d.Name+" is not trained: "+d.Skipped)
		}
	}
	for _, text := range e.Differs {
		notes = append(notes, "differs from the paper: "+text)
	}
	if len(e.overrides) > 0 {
		notes = append(notes, "changed by this command: "+strings.Join(e.overrides, ", "))
	}
	return append(notes, "source: "+e.Source)
}

// bracketed returns text in brackets, or "".
func bracketed(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}

// resolved returns the complete settings of a method. It does not need the data sets.
func (m *Method) resolved() (*config.Resolved, error) {
	g := sweep.Grid{Datasets: []string{probe}, Seeds: []uint64{0},
		Methods: []sweep.Method{{Family: m.Family, Preset: m.Preset, Set: m.Set}}}
	cells, err := g.Cells()
	if err != nil {
		return nil, err
	}
	return config.DefaultRegistry().Resolve(cells[0].Config)
}
