package reproduce

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/table"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// Sheet formats the table with three lines for each row: the published results, ours, and their
// difference in combined standard errors.
func (t *Table) Sheet() compare.Sheet {
	s := compare.Sheet{
		Title: fmt.Sprintf("%s (%s, %s)", t.Title, t.ID, t.Place), Names: 2,
		Columns: []string{"data set", ""},
		Notes:   t.Notes(),
	}
	for _, c := range t.Columns {
		s.Columns = append(s.Columns, c.Name)
	}
	for i := range t.Data {
		d := &t.Data[i]
		row := t.Results[i]
		if len(d.Published) == 0 && d.Name != AllDatasets && t.Columns[0].Quantity == Rank {
			continue // The ranks of the other rows are averaged in the last one.
		}
		published := []compare.Entry{{Text: d.Name}, {Text: "published"}}
		ours := []compare.Entry{{}, {Text: "ours"}}
		difference := []compare.Entry{{}, {Text: "difference"}}
		some := false
		for k := range row {
			r := &row[k]
			some = some || r.Ours.N > 0
			published = append(published, r.publishedEntry(t.Decimals))
			ours = append(ours, r.oursEntry())
			difference = append(difference, r.differenceEntry())
		}
		s.Rows = append(s.Rows, published)
		if some {
			s.Rows = append(s.Rows, ours, difference)
		}
	}
	return s
}

// publishedEntry formats the published result.
func (r *Result) publishedEntry(decimals int) compare.Entry {
	p := r.Published
	switch {
	case p == nil:
		return compare.Entry{}
	case p.Claim != 0:
		return compare.Entry{Text: string(p.Claim) + strconv.FormatFloat(p.Value, 'g', -1, 64)}
	}
	e := compare.Entry{Text: fixed(p.Value, decimals), Number: true}
	if !math.IsNaN(p.Error) {
		e.SE = fixed(p.Error, decimals)
	}
	return e
}

// oursEntry formats our result.
func (r *Result) oursEntry() compare.Entry {
	if r.Ours.N == 0 {
		return compare.Entry{}
	}
	e := compare.Entry{Number: true, Inconclusive: r.Inconclusive > 0}
	e.Text, e.SE = metric.WithError(float64(r.Ours.Mean), float64(r.Ours.SE))
	return e
}

// differenceEntry formats the difference in combined standard errors.
func (r *Result) differenceEntry() compare.Entry {
	switch {
	case r.Ours.N > 0 && r.Excluded != "":
		return compare.Entry{Text: "not comparable"}
	case math.IsNaN(r.Z):
		return compare.Entry{}
	}
	text := fmt.Sprintf("%+.1f", r.Z)
	if r.Undecided != "" {
		text += " ?"
	}
	return compare.Entry{Text: text, Number: true, Apart: r.Apart}
}

func fixed(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

// Notes returns the footnotes of the table: notes on its results, missing data sets, and notes on the
// experiment.
func (t *Table) Notes() []string {
	notes := t.ResultNotes()
	if missing := t.Missing(); len(missing) > 0 {
		notes = append(notes, "not downloaded: "+strings.Join(missing, ", "))
	}
	return append(notes, t.notes()...)
}

// ResultNotes returns the footnotes of the results.
func (t *Table) ResultNotes() []string {
	notes := []string{
		fmt.Sprintf("%d of %d runs done", t.Done, t.Runs()),
		"difference: ours minus published in combined standard errors; ! beyond two",
	}
	if t.Spread == "sd" {
		notes = append(notes, fmt.Sprintf("published errors are standard deviations of %d repetitions",
			t.Repetitions))
	}
	runs := map[string]*rundir.Info{} // Several results share a run.
	estimated := false
	var undecided []string
	for _, row := range t.Results {
		for _, r := range row {
			maps.Copy(runs, r.runs)
			estimated = estimated || r.Estimated
			if r.Undecided != "" && !math.IsNaN(r.Z) && !slices.Contains(undecided, r.Undecided) {
				undecided = append(undecided, r.Undecided)
			}
		}
	}
	if len(undecided) > 0 {
		notes = append(notes, "? decides nothing: "+strings.Join(undecided, "; "))
	}
	if estimated {
		notes = append(notes, "the error of a single run is estimated from the published error")
	}
	inconclusive, early := unsettled(runs)
	if inconclusive > 0 {
		notes = append(notes, fmt.Sprintf("^ %d of %d runs had not settled when they ended", inconclusive,
			t.Done))
	}
	if early > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d runs stopped early", early, t.Done))
	}
	for _, reason := range t.exclusions() {
		notes = append(notes, "not comparable: "+strings.TrimPrefix(reason, "not comparable: "))
	}
	return notes
}

// exclusions returns the reasons why results with a published number are not compared.
func (t *Table) exclusions() (reasons []string) {
	seen := map[string]bool{}
	for _, row := range t.Results {
		for _, r := range row {
			if r.Excluded != "" && !seen[r.Excluded] {
				seen[r.Excluded] = true
				reasons = append(reasons, r.Excluded)
			}
		}
	}
	return reasons
}

// Judged returns the number of results that are compared with a published one and decide something, and how
// many of them differ by more than two combined standard errors.
func (t *Table) Judged() (compared, apart int) {
	for _, row := range t.Results {
		for _, r := range row {
			if math.IsNaN(r.Z) || r.Undecided != "" {
				continue
			}
			compared++
			if r.Apart {
				apart++
			}
		}
	}
	return compared, apart
}

// Cell is a result in CSV and JSON. Missing numbers are NaN, or null in JSON.
type Cell struct {
	Experiment     string        `json:"experiment"`
	Dataset        string        `json:"dataset"`
	Column         string        `json:"column"`
	Quantity       Quantity      `json:"quantity"`
	Claim          string        `json:"claim,omitempty"`
	Published      rundir.Number `json:"published"`
	PublishedError rundir.Number `json:"published_error"`
	Ours           rundir.Number `json:"ours"`
	// OursError is the standard error of ours; see Result.Error.
	OursError    rundir.Number `json:"ours_error"`
	Estimated    bool          `json:"error_estimated,omitempty"`
	N            int           `json:"n"`
	Wanted       int           `json:"wanted"`
	Difference   rundir.Number `json:"difference"`
	Apart        bool          `json:"apart"`
	Undecided    string        `json:"undecided,omitempty"`
	Excluded     string        `json:"not_comparable,omitempty"`
	Inconclusive int           `json:"inconclusive,omitempty"`
	Early        int           `json:"stopped_early,omitempty"`
}

// Cells returns the results row by row. Cells with neither a published number nor one of ours are left out.
func (t *Table) Cells() (list []Cell) {
	nan := rundir.Number(math.NaN())
	for i, row := range t.Results {
		for k, r := range row {
			if r.Published == nil && r.Ours.N == 0 {
				continue
			}
			c := Cell{
				Experiment: t.ID, Dataset: t.Data[i].Name, Column: t.Columns[k].Name,
				Quantity: t.Columns[k].Quantity, Published: nan, PublishedError: nan, Ours: nan,
				OursError: rundir.Number(r.Error), Estimated: r.Estimated, N: r.Ours.N, Wanted: r.Wanted,
				Difference: rundir.Number(r.Z), Apart: r.Apart, Undecided: r.Undecided, Excluded: r.Excluded,
				Inconclusive: r.Inconclusive, Early: r.Early,
			}
			if p := r.Published; p != nil {
				c.Published = rundir.Number(p.Value)
				c.PublishedError = rundir.Number(p.Error)
				if p.Claim != 0 {
					c.Claim = string(p.Claim)
				}
			}
			if r.Ours.N > 0 {
				c.Ours = r.Ours.Mean
			}
			list = append(list, c)
		}
	}
	return list
}

// CSV writes one line for each result, in full precision.
func CSV(w io.Writer, tables []*Table) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"experiment", "dataset", "column", "quantity", "claim", "published",
		"published_error", "ours", "ours_error", "error_estimated", "n", "wanted", "difference", "apart",
		"undecided", "not_comparable", "inconclusive", "stopped_early"}}
	for _, t := range tables {
		for _, c := range t.Cells() {
			rows = append(rows, table.PlainCells([]string{c.Experiment, c.Dataset, c.Column,
				string(c.Quantity), c.Claim, plain(c.Published), plain(c.PublishedError), plain(c.Ours),
				plain(c.OursError), strconv.FormatBool(c.Estimated), strconv.Itoa(c.N),
				strconv.Itoa(c.Wanted), plain(c.Difference), strconv.FormatBool(c.Apart), c.Undecided,
				c.Excluded, strconv.Itoa(c.Inconclusive), strconv.Itoa(c.Early)}))
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

// plain formats a number in full precision, or "" if it is missing.
func plain(x rundir.Number) string {
	if math.IsNaN(float64(x)) {
		return ""
	}
	return strconv.FormatFloat(float64(x), 'g', -1, 64)
}
