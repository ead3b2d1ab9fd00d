package probe

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"dgplab/datasets"
	"dgplab/models/predictive"
	"dgplab/session/rundir"
)

// rowWriter writes predictions of new rows as a table; see FORMAT.md.
type rowWriter struct {
	out     rowFormat
	event   bool     // whether each row has the member "event"
	unknown bool     // whether to write the inputs with unknown levels
	kept    []string // names of the kept columns
	targets []string // names
	classes []string // nil for real targets
	levels  []float64
	limits  []float64 // in original units
	has     []bool    // for each target, whether the new rows have it
	any     bool      // whether the new rows have any target
	renamed []string  // columns of the file that have another name in the table
	cells   []rowCell
	at      []float64 // quantiles of a batch, [levels][N][P]
	above   []float64 // probabilities above the limits of a batch, [limits][N][P]
	draws   *rowDraws // nil for none
	written int       // rows
	drawn   []float64 // the draws at a row
}

func newRowWriter(
	out io.Writer, targets []string, p *datasets.Prepared, rows *datasets.Rows, o RowOptions,
) *rowWriter {
	w := &rowWriter{
		out:     newRowFormat(out, o.Format, o.Digits),
		event:   o.Format == JSON,
		targets: targets,
		kept:    rows.Kept(),
		unknown: o.IgnoreUnknown,
		levels:  o.Quantiles,
		limits:  o.Above,
		has:     rows.Targets(),
		any:     rows.HasTarget(),
	}
	if p.Task.Classes() {
		w.classes, w.levels = p.Classes, nil
	}
	return w
}

// origin is the origin of a column. If names are equal, the earlier origin keeps its name.
type origin int

const (
	ofPrediction origin = iota
	ofTarget            // a target of the file
	ofCopy              // a column to keep
)

// head writes the column names of a table.
func (w *rowWriter) head() error {
	var columns []rowColumn
	var origins []origin
	add := func(name string, kind kindOfCell, from origin) {
		columns = append(columns, rowColumn{name, kind})
		origins = append(origins, from)
	}
	add("row", rowNumber, ofPrediction)
	for _, name := range w.kept {
		add(name, textCell, ofCopy)
	}
	for k, target := range w.targets {
		if w.has[k] {
			kind := givenNumber
			if w.classes != nil {
				kind = textCell
			}
			add(target, kind, ofTarget)
		}
		if w.classes == nil {
			add(target+"_mean", predictedNumber, ofPrediction)
			add(target+"_sd", predictedNumber, ofPrediction)
		}
		for _, level := range w.levels {
			add(target+"_"+quantileName(level), predictedNumber, ofPrediction)
		}
		for _, limit := range w.limits {
			add(target+"_above_"+strconv.FormatFloat(limit, 'f', -1, 64), predictedNumber, ofPrediction)
		}
	}
	if w.classes != nil {
		add(w.targets[0]+"_class", textCell, ofPrediction)
		for _, class := range w.classes {
			add("p_"+class, predictedNumber, ofPrediction)
		}
	}
	if w.any {
		add("log_lik", predictedNumber, ofPrediction)
	}
	if w.draws != nil {
		for _, name := range w.draws.names {
			for c := range w.draws.values {
				add(name+"_draw"+strconv.Itoa(c+1), predictedNumber, ofPrediction)
			}
		}
	}
	add("outside", textCell, ofPrediction)
	if w.unknown {
		add("unknown", textCell, ofPrediction)
	}
	w.rename(columns, origins)
	return w.out.head(columns)
}

// rename makes the names of columns unique. Predictions keep their names, and columns of the file get the
// suffix _data, so that "row" is always the number of the row and "log_lik" never a column of the file.
func (w *rowWriter) rename(columns []rowColumn, origins []origin) {
	taken := map[string]bool{}
	unique := func(k int, suffix string) {
		name := columns[k].name
		for n := 1; taken[columns[k].name]; n++ {
			columns[k].name = name + suffix
			if n > 1 {
				columns[k].name += strconv.Itoa(n)
			}
		}
		taken[columns[k].name] = true
		if columns[k].name != name {
			w.renamed = append(w.renamed, name+" is "+columns[k].name)
		}
	}
	for _, from := range []origin{ofPrediction, ofTarget, ofCopy} {
		suffix := "_data"
		if from == ofPrediction {
			suffix = "_"
		}
		for k := range columns {
			if origins[k] == from {
				unique(k, suffix)
			}
		}
		taken["log_lik"], taken["unknown"] = true, true // Other tables have these columns.
		taken["event"] = taken["event"] || w.event
	}
}

// write writes the rows of a batch.
func (w *rowWriter) write(
	p *rundir.Predictions, b *datasets.Batch, predicted predictive.Predictive, u predictive.Units,
) error {
	if real, ok := predicted.(predictive.Regression); ok {
		size := p.N * p.P
		w.at = make([]float64, len(w.levels)*size)
		quantiles(w.at, real, u, w.levels)
		w.above = make([]float64, len(w.limits)*size)
		for l, limit := range w.limits {
			aboveLimit(w.above[l*size:(l+1)*size], real, u, limit)
		}
	}
	for i := range p.N {
		w.cells = append(w.cells[:0], rowCell{number: float64(b.Rows[i] + 1)})
		for k := range w.kept {
			w.text(b.Kept[i][k])
		}
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
		w.text(strings.Join(b.Outside[i], "; "))
		if w.unknown {
			w.text(strings.Join(b.Unknown[i], "; "))
		}
		if err := w.out.row(w.cells); err != nil {
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
		for l := range w.limits {
			sound = w.number(w.above[l*p.N*p.P+at]) && sound
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
		w.text(name)
	}
	probabilities, sound := p.Probabilities(nil, i), true
	w.text(w.classes[predictive.Top(probabilities)])
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
	w.number(math.NaN())
	return true
}

// number appends a number, which is missing if it is NaN. It returns false for NaN.
func (w *rowWriter) number(v float64) bool {
	w.cells = append(w.cells, rowCell{number: v})
	return !math.IsNaN(v)
}

// text appends a text.
func (w *rowWriter) text(text string) { w.cells = append(w.cells, rowCell{text: text}) }
