package probe

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/models/predictive"
	"dgplab/session/rundir"
)

// rowWriter writes predictions of new rows as a table; see FORMAT.md.
type rowWriter struct {
	csv     *csv.Writer
	json    *bufio.Writer // nil for a table
	names   [][]byte      // column names as JSON
	text    []bool        // for each column, whether its cells are text
	unknown bool          // whether to write the inputs with unknown levels
	targets []string      // names
	classes []string      // nil for real targets
	levels  []float64
	has     []bool // for each target, whether the new rows have it
	any     bool   // whether the new rows have any target
	cells   []string
	at      []float64 // quantiles of a batch, [levels][N][P]
	draws   *rowDraws // nil for none
	written int       // rows
	drawn   []float64 // the draws at a row
}

func newRowWriter(
	out io.Writer, targets []string, p *datasets.Prepared, rows *datasets.Rows, o RowOptions,
) *rowWriter {
	w := &rowWriter{
		csv:     csv.NewWriter(out),
		targets: targets,
		unknown: o.IgnoreUnknown,
		levels:  o.Quantiles,
		has:     rows.Targets(),
		any:     rows.HasTarget(),
	}
	if p.Task.Classes() {
		w.classes, w.levels = p.Classes, nil
	}
	if o.JSON {
		w.json = bufio.NewWriter(out)
	}
	return w
}

// head writes the column names of a table.
func (w *rowWriter) head() error {
	var names []string
	add := func(name string, text bool) {
		names = append(names, name)
		w.text = append(w.text, text)
	}
	add("row", false)
	for k, target := range w.targets {
		if w.has[k] {
			add(target, w.classes != nil)
		}
		if w.classes == nil {
			add(target+"_mean", false)
			add(target+"_sd", false)
		}
		for _, level := range w.levels {
			add(target+"_"+quantileName(level), false)
		}
	}
	if w.classes != nil {
		add(w.targets[0]+"_class", true)
		for _, class := range w.classes {
			add("p_"+class, false)
		}
	}
	if w.any {
		add("log_lik", false)
	}
	if w.draws != nil {
		for _, name := range w.draws.names {
			for c := range w.draws.values {
				add(name+"_draw"+strconv.Itoa(c+1), false)
			}
		}
	}
	if w.unknown {
		add("unknown", true)
	}
	if w.json == nil {
		return w.csv.Write(table.PlainCells(names))
	}
	for _, name := range names {
		w.names = append(w.names, quoted(name))
	}
	return nil
}

// quoted returns a text in JSON.
func quoted(text string) []byte {
	value, _ := json.Marshal(text) // A string has no error.
	return value
}

// line writes the cells of a row.
func (w *rowWriter) line() error {
	if w.json == nil {
		return w.csv.Write(table.PlainCells(w.cells))
	}
	w.json.WriteString(`{"event":"row"`) // The last write returns the error.
	for i, cell := range w.cells {
		value := []byte(cell)
		switch {
		case cell == "" || !w.text[i] && strings.HasSuffix(cell, "Inf"):
			value = []byte("null")
		case w.text[i]:
			value = quoted(cell)
		}
		w.json.WriteByte(',')
		w.json.Write(w.names[i])
		w.json.WriteByte(':')
		w.json.Write(value)
	}
	_, err := w.json.WriteString("}\n")
	return err
}

// write writes the rows of a batch.
func (w *rowWriter) write(
	p *rundir.Predictions, b *datasets.Batch, predicted predictive.Predictive, u predictive.Units,
) error {
	if real, ok := predicted.(predictive.Regression); ok {
		w.at = make([]float64, len(w.levels)*p.N*p.P)
		quantiles(w.at, real, u, w.levels)
	}
	for i := range p.N {
		w.cells = append(w.cells[:0], strconv.Itoa(b.Rows[i]+1))
		sound := w.row(p, i)
		if w.any {
			sound = w.logLik(p, i) && sound
		}
		w.drawn = w.draws.append(w.drawn[:0], w.written)
		w.written++
		for _, v := range w.drawn {
			sound = w.number(v) && sound
		}
		if !sound {
			return fmt.Errorf("the prediction of row %d is NaN", b.Rows[i]+1)
		}
		if w.unknown {
			w.cells = append(w.cells, strings.Join(b.Unknown[i], "; "))
		}
		if err := w.line(); err != nil {
			return err
		}
	}
	return nil
}

// row appends the cells of a point. It returns false if a prediction is NaN.
func (w *rowWriter) row(p *rundir.Predictions, i int) bool {
	if w.classes != nil {
		return w.classRow(p, i)
	}
	sound := true
	for k := range p.P {
		at := i*p.P + k
		if w.has[k] {
			w.number(p.Target[at])
		}
		sound = w.number(p.Mean[at]) && w.number(math.Sqrt(p.Variance[at])) && sound
		for l := range w.levels {
			sound = w.number(w.at[l*p.N*p.P+at]) && sound
		}
	}
	return sound
}

// classRow is row for classes.
func (w *rowWriter) classRow(p *rundir.Predictions, i int) bool {
	if w.has[0] {
		name := ""
		if k, known := p.ClassOf(i); known {
			name = w.classes[k]
		}
		w.cells = append(w.cells, name)
	}
	probabilities, sound := p.Probabilities(nil, i), true
	w.cells = append(w.cells, w.classes[predictive.Top(probabilities)])
	for _, v := range probabilities {
		sound = w.number(v) && sound
	}
	return sound
}

// logLik appends the log-likelihood of a point, or an empty cell if the point has no target. It
// returns false if the log-likelihood is NaN.
func (w *rowWriter) logLik(p *rundir.Predictions, i int) bool {
	for _, y := range p.Target[i*p.P : (i+1)*p.P] {
		if !math.IsNaN(y) {
			return w.number(p.LogLik[i])
		}
	}
	w.cells = append(w.cells, "")
	return true
}

// number appends a number, or an empty cell for NaN. It returns false for NaN.
func (w *rowWriter) number(v float64) bool {
	if math.IsNaN(v) {
		w.cells = append(w.cells, "")
		return false
	}
	w.cells = append(w.cells, strconv.FormatFloat(v, 'g', -1, 64))
	return true
}

func (w *rowWriter) flush() error {
	if w.json != nil {
		return w.json.Flush()
	}
	w.csv.Flush()
	return w.csv.Error()
}
