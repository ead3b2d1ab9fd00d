package table

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"
)

// present reports whether a cell has a value.
func (t *Table) present(row, column int) bool {
	if !math.IsNaN(t.at(row, column)) {
		return true
	}
	return t.columns[column].at(row) != ""
}

// Complete returns the rows that have values in all chosen columns.
func (t *Table) Complete(chosen []int) []int {
	rows := make([]int, 0, t.Rows())
	for i := range t.Rows() {
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

// FirstMissing returns an *Error for the first missing cell in the chosen columns.
func (t *Table) FirstMissing(chosen []int) error {
	missing := 0
	for _, c := range chosen {
		missing += t.columns[c].missing
	}
	if missing == 0 && !t.plan.strict {
		return nil
	}
	for i := range t.Rows() {
		for _, c := range chosen {
			if t.present(i, c) {
				continue
			}
			missing := &Error{
				File:    t.Name,
				Line:    t.lines.at(i),
				Column:  c + 1,
				Name:    t.nameOf(c),
				Problem: "the number is missing; only targets may be missing",
			}
			if !t.plan.strict {
				missing.Problem = "the cell is missing; only targets may be missing"
				missing.Remedies = []Answer{
					Choose("missing", MissingDrop, "omits such rows"),
					Choose("missing", MissingMean, "uses the mean")}
			}
			return missing
		}
	}
	return nil
}

// filler converts the cells of a column to inputs or to a target.
type filler struct {
	*Column
	words  *words
	levels []int // by text
	plain  bool  // copy numbers unchanged
}

func (t *Table) filler(c *Column) filler {
	f := filler{Column: c, words: t.columns[c.Index].words}
	if f.words != nil && (c.Kind == Category || c.Kind == Boolean) {
		for _, text := range f.words.texts {
			f.levels = append(f.levels, c.Level(text))
		}
	}
	f.plain = (c.Kind == Number || c.Kind == Date) && !(c.Log && c.Role == Input)
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
	f.Put(dst, level, v)
}

// Matrix returns the values of the chosen columns and rows, [len(rows), width].
func (t *Table) Matrix(d *Use, chosen, rows []int, width int) *mat.Dense {
	m := mat.NewDense(len(rows), width, nil)
	t.fill(m, t.fillers(d, chosen), rows, 0, len(rows))
	return m
}

// TakeInputs moves the inputs of the given rows, which are ascending, to a matrix, [len(rows), D]. The
// numbers of the table are then no longer available. Those of a large table are freed on the way, so that
// memory holds them only once.
func (t *Table) TakeInputs(d *Use, rows []int) *mat.Dense {
	m := mat.NewDense(len(rows), d.D, nil)
	fillers := t.fillers(d, d.Inputs)
	part := max(1, gcCells/t.Width)
	for from := 0; from < len(rows); from += part {
		to := min(from+part, len(rows))
		t.fill(m, fillers, rows, from, to)
		t.release(rows[to-1] + 1)
		if t.Rows() > part {
			debug.FreeOSMemory()
		}
	}
	return m
}

func (t *Table) fillers(d *Use, chosen []int) []filler {
	fillers := make([]filler, len(chosen))
	for k, c := range chosen {
		fillers[k] = t.filler(&d.Columns[c])
	}
	return fillers
}

// fill writes the rows [from, to) of a matrix.
func (t *Table) fill(m *mat.Dense, fillers []filler, rows []int, from, to int) {
	at := work{end: to}
	at.taken.Store(int64(from))
	for range runtime.GOMAXPROCS(0) {
		at.Go(func() {
			for from, to := at.next(); from < to; from, to = at.next() {
				t.fillRows(m, fillers, rows, from, to)
			}
		})
	}
	at.Wait()
}

// work distributes ranges of rows among goroutines.
type work struct {
	sync.WaitGroup
	taken atomic.Int64
	end   int
}

// next returns the next range of rows, or an empty range at the end.
func (w *work) next() (from, to int) {
	const part = 1 << 14
	to = int(w.taken.Add(part))
	return to - part, min(to, w.end)
}

// fillRows writes the rows [from, to) of a matrix.
func (t *Table) fillRows(m *mat.Dense, fillers []filler, rows []int, from, to int) {
	for i := from; i < to; i++ {
		dst := m.RawRowView(i)
		cells := t.Row(rows[i])
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

// CheckLogs returns an *Error for the first input without a logarithm.
func (t *Table) CheckLogs(d *Use, rows []int) error {
	for _, c := range d.Inputs {
		if !d.Columns[c].Log {
			continue
		}
		for _, i := range rows {
			if v := t.at(i, c); v <= 0 {
				return &Error{
					File:    t.Name,
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
