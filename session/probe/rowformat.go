package probe

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"dgplab/datasets/table"
	"dgplab/session/npz"
)

// Format is the format of a table of predictions; see FORMAT.md.
type Format string

// The formats. JSON has an object for each row, and NPZ and Parquet hold columns.
const (
	CSV     Format = "csv"
	JSON    Format = "json"
	NPZ     Format = "npz"
	Parquet Format = "parquet"
)

// Formats lists all formats.
var Formats = []Format{CSV, JSON, NPZ, Parquet}

// Text reports whether the format is text, in which numbers can be rounded.
func (f Format) Text() bool { return f == "" || f == CSV || f == JSON }

// kindOfCell is the kind of the cells of a column.
type kindOfCell int

const (
	predictedNumber kindOfCell = iota // rounded to the chosen number of digits
	givenNumber                       // from the file, never rounded
	rowNumber
	textCell
)

// rowColumn is a column of a table of predictions.
type rowColumn struct {
	name string
	kind kindOfCell
}

// rowCell is a cell: a text, or a number, which is NaN if it is missing.
type rowCell struct {
	text   string
	number float64
}

// missing reports whether the cell is empty.
func (c rowCell) missing(kind kindOfCell) bool {
	if kind == textCell {
		return c.text == ""
	}
	return math.IsNaN(c.number)
}

// rowFormat writes a table in a format. head is called first, and end last.
type rowFormat interface {
	head(columns []rowColumn) error
	row(cells []rowCell) error
	end() error
}

// newRowFormat returns a writer of a format. digits is the number of significant digits of text, or 0 for
// all.
func newRowFormat(out io.Writer, f Format, digits int) rowFormat {
	if digits == 0 {
		digits = -1
	}
	switch f {
	case JSON:
		return &jsonRows{out: bufio.NewWriter(out), digits: digits}
	case NPZ:
		return &npzRows{out: out}
	case Parquet:
		return &parquetRows{out: out}
	}
	return &csvRows{out: csv.NewWriter(out), digits: digits}
}

// cellText returns a cell as text, which is "" if the cell is missing.
func cellText(c rowCell, kind kindOfCell, digits int) string {
	switch {
	case kind == textCell:
		return c.text
	case c.missing(kind):
		return ""
	case kind == rowNumber:
		return strconv.FormatFloat(c.number, 'f', -1, 64)
	case kind == givenNumber:
		digits = -1
	}
	return strconv.FormatFloat(c.number, 'g', digits, 64)
}

// csvRows writes comma-separated values.
type csvRows struct {
	out     *csv.Writer
	digits  int
	columns []rowColumn
	cells   []string
}

func (w *csvRows) head(columns []rowColumn) error {
	w.columns = columns
	for _, c := range columns {
		w.cells = append(w.cells, c.name)
	}
	return w.out.Write(table.PlainCells(w.cells))
}

func (w *csvRows) row(cells []rowCell) error {
	for k, c := range cells {
		w.cells[k] = cellText(c, w.columns[k].kind, w.digits)
	}
	return w.out.Write(table.PlainCells(w.cells))
}

func (w *csvRows) end() error {
	w.out.Flush()
	return w.out.Error()
}

// jsonRows writes a JSON object for each row.
type jsonRows struct {
	out     *bufio.Writer
	digits  int
	columns []rowColumn
	names   [][]byte // in JSON
}

func (w *jsonRows) head(columns []rowColumn) error {
	w.columns = columns
	for _, c := range columns {
		w.names = append(w.names, quoted(c.name))
	}
	return nil
}

// quoted returns a text in JSON.
func quoted(text string) []byte {
	value, _ := json.Marshal(text) // A string has no error.
	return value
}

func (w *jsonRows) row(cells []rowCell) error {
	w.out.WriteString(`{"event":"row"`) // The last write returns the error.
	for k, c := range cells {
		kind := w.columns[k].kind
		value := []byte("null")
		switch {
		case c.missing(kind):
		case kind == textCell:
			value = quoted(c.text)
		case !math.IsInf(c.number, 0):
			value = []byte(cellText(c, kind, w.digits))
		}
		w.out.WriteByte(',')
		w.out.Write(w.names[k])
		w.out.WriteByte(':')
		w.out.Write(value)
	}
	_, err := w.out.WriteString("}\n")
	return err
}

func (w *jsonRows) end() error { return w.out.Flush() }

// npzRows collects the columns and writes them as arrays.
type npzRows struct {
	out     io.Writer
	columns []rowColumn
	arrays  []npz.Array
}

func (w *npzRows) head(columns []rowColumn) error {
	w.columns = columns
	for _, c := range columns {
		a := npz.Array{Name: c.name, Shape: []int{0}}
		if c.kind == textCell {
			a = npz.Array{Name: c.name, Text: []string{}}
		}
		w.arrays = append(w.arrays, a)
	}
	return nil
}

func (w *npzRows) row(cells []rowCell) error {
	for k, c := range cells {
		a := &w.arrays[k]
		if w.columns[k].kind == textCell {
			a.Text = append(a.Text, c.text)
			continue
		}
		a.Data = append(a.Data, c.number)
		a.Shape[0]++
	}
	return nil
}

func (w *npzRows) end() error { return npz.Write(w.out, w.arrays) }

// parquetGroup is the number of rows that are written at once.
const parquetGroup = 1 << 16

// parquetRows writes a Parquet file. All columns but the row number are optional, because cells may be
// missing.
type parquetRows struct {
	out     io.Writer
	columns []rowColumn
	file    *parquet.GenericWriter[any]
	written int
}

// orderedColumns is a Parquet group that keeps the order of its columns, which parquet.Group sorts by name.
type orderedColumns struct {
	parquet.Group
	columns []rowColumn
}

// Fields implements parquet.Node.
func (o orderedColumns) Fields() []parquet.Field {
	named := map[string]parquet.Field{}
	for _, f := range o.Group.Fields() {
		named[f.Name()] = f
	}
	var list []parquet.Field
	for _, c := range o.columns {
		list = append(list, named[c.name])
	}
	return list
}

func (w *parquetRows) head(columns []rowColumn) error {
	w.columns = columns
	group := parquet.Group{}
	for _, c := range columns {
		switch c.kind {
		case rowNumber:
			group[c.name] = parquet.Int(64)
		case textCell:
			group[c.name] = parquet.Optional(parquet.String())
		default:
			group[c.name] = parquet.Optional(parquet.Leaf(parquet.DoubleType))
		}
	}
	if len(group) != len(columns) {
		return errors.New("two columns have the same name")
	}
	schema := parquet.NewSchema("predictions", orderedColumns{group, columns})
	w.file = parquet.NewGenericWriter[any](w.out, schema, parquet.Compression(&parquet.Snappy))
	return nil
}

func (w *parquetRows) row(cells []rowCell) error {
	row := make(parquet.Row, len(cells))
	for k, c := range cells {
		kind := w.columns[k].kind
		switch {
		case c.missing(kind):
			row[k] = parquet.NullValue().Level(0, 0, k)
		case kind == rowNumber:
			row[k] = parquet.Int64Value(int64(c.number)).Level(0, 0, k)
		case kind == textCell:
			row[k] = parquet.ByteArrayValue([]byte(c.text)).Level(0, 1, k)
		default:
			row[k] = parquet.DoubleValue(c.number).Level(0, 1, k)
		}
	}
	if _, err := w.file.WriteRows([]parquet.Row{row}); err != nil {
		return err
	}
	w.written++
	if w.written%parquetGroup == 0 {
		return w.file.Flush()
	}
	return nil
}

func (w *parquetRows) end() error { return w.file.Close() }
