package table

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetRows iterates over the rows of a Parquet file, after a first row with the names of the columns.
// Null values are empty cells.
type parquetRows struct {
	file    *parquet.File
	columns []parquetColumn
	group   int
	rows    parquet.Rows
	buffer  [1]parquet.Row
	at      int
	cells   []string
}

// parquetColumn converts the values of a column to text.
type parquetColumn struct {
	name   string
	isText bool
	text   func(v parquet.Value) string
}

func newParquetRows(s *source) (*parquetRows, error) {
	at, ok := s.file.(io.ReaderAt)
	if !ok {
		return nil, errors.New("a Parquet file cannot be read from a pipe; name the file")
	}
	size, err := s.file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(at, size)
	if err != nil {
		return nil, fmt.Errorf("the Parquet file is damaged: %w", err)
	}
	p := &parquetRows{file: file}
	for _, field := range file.Schema().Fields() {
		if !field.Leaf() || field.Repeated() {
			return nil, fmt.Errorf("column %s holds lists or records; flatten it", Excerpt(field.Name()))
		}
		column, err := columnOf(field)
		if err != nil {
			return nil, err
		}
		p.columns = append(p.columns, column)
	}
	if len(p.columns) == 0 {
		return nil, errors.New("the Parquet file has no columns")
	}
	p.cells = make([]string, len(p.columns))
	return p, nil
}

func (p *parquetRows) next() ([]string, error) {
	p.at++
	if p.at == 1 {
		for c, column := range p.columns {
			p.cells[c] = column.name
		}
		return p.cells, nil
	}
	for {
		if p.rows == nil {
			groups := p.file.RowGroups()
			if p.group == len(groups) {
				return nil, io.EOF
			}
			p.rows = groups[p.group].Rows()
			p.group++
		}
		n, err := p.rows.ReadRows(p.buffer[:])
		if n == 1 {
			for _, v := range p.buffer[0] {
				cell := ""
				if !v.IsNull() {
					cell = p.columns[v.Column()].text(v)
				}
				p.cells[v.Column()] = cell
			}
			return p.cells, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("the Parquet file is damaged: %w", err)
		}
		if err := p.rows.Close(); err != nil {
			return nil, err
		}
		p.rows = nil
	}
}

func (p *parquetRows) line() int { return p.at }

// texts reports which columns hold strings.
func (p *parquetRows) texts() []bool {
	list := make([]bool, len(p.columns))
	for c, column := range p.columns {
		list[c] = column.isText
	}
	return list
}

// columnOf returns the conversion for the type of a field: its logical type if it has one, which
// github.com/apache/parquet-format/blob/master/LogicalTypes.md describes, otherwise its physical type.
func columnOf(field parquet.Field) (parquetColumn, error) {
	c := parquetColumn{name: field.Name()}
	kind := field.Type().Kind()
	var logical format.LogicalTypeValue
	if l := field.Type().LogicalType(); l != nil {
		logical = l.Value
	}
	switch l := logical.(type) {
	case *format.DateType:
		c.text = func(v parquet.Value) string {
			return time.Unix(secondsOfDay*int64(v.Int32()), 0).UTC().Format("2006-01-02")
		}
	case *format.TimestampType:
		per := int64(time.Second / l.Unit.Value.Duration())
		c.text = func(v parquet.Value) string {
			seconds := v.Int64() / per
			rest := v.Int64() % per
			when := time.Unix(seconds, rest*int64(time.Second)/per).UTC()
			return when.Format("2006-01-02 15:04:05.999999999")
		}
	case *format.TimeType:
		per := l.Unit.Value.Duration()
		c.text = func(v parquet.Value) string {
			return time.Time{}.Add(time.Duration(integer(v)) * per).Format("15:04:05.999999999")
		}
	case *format.DecimalType:
		if kind == parquet.Int32 || kind == parquet.Int64 {
			scale := math.Pow10(int(l.Scale))
			c.text = func(v parquet.Value) string { return formatNumber(float64(integer(v)) / scale) }
		}
	case *format.StringType, *format.EnumType, *format.JsonType:
		c.isText = true
		c.text = func(v parquet.Value) string { return string(v.ByteArray()) }
	case *format.IntType:
		if l.IsSigned {
			c.text = func(v parquet.Value) string { return strconv.FormatInt(integer(v), 10) }
		} else if kind == parquet.Int32 {
			c.text = func(v parquet.Value) string { return strconv.FormatUint(uint64(v.Uint32()), 10) }
		} else {
			c.text = func(v parquet.Value) string { return strconv.FormatUint(v.Uint64(), 10) }
		}
	case nil, *format.NullType:
		c.text, c.isText = plainText(kind)
	}
	if c.text == nil {
		return c, fmt.Errorf("column %s has the type %v, which is neither a number nor a text",
			Excerpt(field.Name()), field.Type())
	}
	return c, nil
}

// plainText returns the conversion of values without a logical type, or nil if there is none.
func plainText(kind parquet.Kind) (text func(v parquet.Value) string, isText bool) {
	switch kind {
	case parquet.Boolean:
		return func(v parquet.Value) string { return strconv.FormatBool(v.Boolean()) }, false
	case parquet.Int32, parquet.Int64:
		return func(v parquet.Value) string { return strconv.FormatInt(integer(v), 10) }, false
	case parquet.Float:
		return func(v parquet.Value) string { return formatNumber(float64(v.Float())) }, false
	case parquet.Double:
		return func(v parquet.Value) string { return formatNumber(v.Double()) }, false
	case parquet.ByteArray:
		return func(v parquet.Value) string { return string(v.ByteArray()) }, true
	}
	return nil, false
}

// integer returns a value of 32 or 64 bits.
func integer(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
