package datasets

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/columns"
)

// cells returns the statistics of a column.
func (t *table) cells(column int) *columns.Cells {
	tally := t.found.tallies[column]
	out := &columns.Cells{Dates: tally.dates, Missing: tally.missing, Seen: tally.seen}
	texts := 0
	if w := t.words[column]; w != nil {
		out.Texts, out.Counts, out.Many = w.texts, w.counts, w.many
		texts = w.cells
	}
	if !t.plan.modes[column].skip {
		out.Numbers = t.rows() - out.Missing - out.Dates - texts
	}
	return out
}

// present reports whether a cell has a value.
func (t *table) present(row, column int) bool {
	if !math.IsNaN(t.at(row, column)) {
		return true
	}
	w := t.words[column]
	return w != nil && w.at(row) != ""
}

// complete returns the rows that have values in all chosen columns.
func (t *table) complete(chosen []int) []int {
	rows := make([]int, 0, t.rows())
	for i := range t.rows() {
		whole := true
		for _, c := range chosen {
			whole = whole && t.present(i, c)
		}
		if whole {
			rows = append(rows, i)
		}
	}
	return rows
}

// firstMissing returns a *CSVError for the first missing cell of the chosen columns.
func (t *table) firstMissing(chosen []int) error {
	missing := 0
	for _, c := range chosen {
		missing += t.found.tallies[c].missing
	}
	if missing == 0 && !t.plan.strict {
		return nil
	}
	for i := range t.rows() {
		for _, c := range chosen {
			if t.present(i, c) {
				continue
			}
			missing := &CSVError{
				File:    t.name,
				Line:    t.lines.at(i),
				Column:  c + 1,
				Name:    t.nameOf(c),
				Problem: "the number is missing; only targets may be missing",
			}
			if !t.plan.strict {
				missing.Problem = "the cell is missing; only targets may be missing"
				missing.Remedies = []columns.Answer{
					columns.Choose("missing", columns.MissingDrop, "omits such rows"),
					columns.Choose("missing", columns.MissingMean, "uses the mean")}
			}
			return missing
		}
	}
	return nil
}

// filler converts the cells of a column to inputs or to a target.
type filler struct {
	*columns.Column
	words  *words
	levels []int // by text
	unit   float64
	plain  bool // numbers are copied unchanged
}

func (t *table) filler(c *columns.Column) filler {
	f := filler{Column: c, words: t.words[c.Index], unit: c.Seconds()}
	if f.words != nil && (c.Kind == columns.Category || c.Kind == columns.Boolean) {
		for _, text := range f.words.texts {
			f.levels = append(f.levels, c.Level(text))
		}
	}
	f.plain = c.Kind == columns.Number && !(c.Log && c.Role == columns.Input)
	return f
}

// fill writes the values of a row, or NaN if they are missing.
func (f *filler) fill(dst []float64, row int, v float64) {
	level := -1
	if f.levels != nil {
		if id := f.words.id(row); id > 0 {
			level = f.levels[id-1]
		}
	}
	put(dst, f.Column, level, v/f.unit)
}

// put writes the values of a level or a number of a column.
func put(dst []float64, c *columns.Column, level int, v float64) {
	switch {
	case c.Kind == columns.Category || c.Kind == columns.Boolean:
		c.Encode(dst, level)
	case c.Log && c.Role == columns.Input: // Prepare takes the logarithms of targets.
		dst[0] = math.Log(v)
	default:
		dst[0] = v
	}
}

// matrix returns the values of the chosen columns and rows, [len(rows), width].
func (t *table) matrix(d *described, chosen, rows []int, width int) *mat.Dense {
	fillers := make([]filler, len(chosen))
	for k, c := range chosen {
		fillers[k] = t.filler(&d.Columns[c])
	}
	m := mat.NewDense(len(rows), width, nil)
	var at work
	for range runtime.GOMAXPROCS(0) {
		at.Go(func() {
			for from, to := at.next(len(rows)); from < to; from, to = at.next(len(rows)) {
				t.fillRows(m, fillers, rows, from, to)
			}
		})
	}
	at.Wait()
	return m
}

// work distributes ranges of rows.
type work struct {
	sync.WaitGroup
	taken atomic.Int64
}

// next returns the next range of n rows, an empty one at the end.
func (w *work) next(n int) (from, to int) {
	const part = 1 << 14
	to = int(w.taken.Add(part))
	return to - part, min(to, n)
}

// fillRows writes the rows [from, to) of a matrix.
func (t *table) fillRows(m *mat.Dense, fillers []filler, rows []int, from, to int) {
	for i := from; i < to; i++ {
		dst := m.RawRowView(i)
		cells := t.row(rows[i])
		for k := range fillers {
			f := &fillers[k]
			if f.plain {
				dst[0] = cells[f.Index]
				dst = dst[1:]
				continue
			}
			f.fill(dst, rows[i], cells[f.Index])
			dst = dst[f.Width():]
		}
	}
}

// checkLogs returns a *CSVError for the first input without a logarithm.
func (t *table) checkLogs(d *described, rows []int) error {
	for _, c := range d.inputs {
		if !d.Columns[c].Log {
			continue
		}
		for _, i := range rows {
			if v := t.at(i, c); v <= 0 {
				return &CSVError{
					File:    t.name,
					Line:    t.lines.at(i),
					Column:  c + 1,
					Name:    t.nameOf(c),
					Problem: fmt.Sprintf("%v has no logarithm", v),
				}
			}
		}
	}
	return nil
}
