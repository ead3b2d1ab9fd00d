package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"dgplab/datasets/table"
)

// Hexadecimal numbers and underscores between digits are names.
func TestNotationsOfLanguagesAreText(t *testing.T) {
	ds, err := readWith(t, "a,y\n0x1p-3,1\n1_000,2\n0x1p-3,3\n1_000,4\n0x10,5\n")
	if err != nil {
		t.Fatal(err)
	}
	column := ds.InputColumns()[0]
	if want := "0x10 0x1p-3 1_000"; strings.Join(column.Levels, " ") != want {
		t.Errorf("the levels of a are %q, want %s", column.Levels, want)
	}
	_, err = readWith(t, "a,y\n1,0.5\n2,1_000\n3,2\n", "target=y:number")
	if err == nil || !strings.Contains(err.Error(), `line 3, column 2 (y): "1_000" is not a number`) {
		t.Errorf("1_000 in a column of numbers: %v", err)
	}
}

// A text whose lines end with carriage returns alone has the rows of one with line feeds.
func TestCarriageReturnsEndLines(t *testing.T) {
	text := "a,y\n1,0.5\n2,1.5\n3,2\n"
	for name, end := range map[string]string{"CR": "\r", "CR LF": "\r\n"} {
		ds, err := readWith(t, strings.ReplaceAll(text, "\n", end))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n, d := ds.X.Dims(); n != 3 || d != 1 || ds.X.At(2, 0) != 3 || ds.Y.At(1, 0) != 1.5 {
			t.Errorf("%s: %d rows with %d inputs; want 3 rows with 1 input", name, n, d)
		}
	}
}

// New rows are found in a table that guards its cells from spreadsheets, as suggestions and predictions are
// written.
func TestGuardedNamesAreFound(t *testing.T) {
	ds, err := readWith(t, "=z,@kind,y\n1,+a,1\n2,-b,2\n3,+a,3\n4,c,4\n")
	if err != nil {
		t.Fatal(err)
	}
	p := mustPrepare(t, ds, Split{Kind: Interpolation}, 0, 0)
	cells := table.PlainCells([]string{"=z", "@kind", "5", "-b"})
	text := strings.Join(cells[:2], ",") + "\n" + strings.Join(cells[2:], ",") + "\n"
	rows, err := NewRows(ds, p.Scaling, "new.csv", strings.NewReader(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	batch, err := rows.Next(t.Context(), 9)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	kind := ds.InputColumns()[1]
	given := batch.Inputs.RawRowView(0)
	level := kind.Level(given[kind.First : kind.First+kind.Width])
	if given[0] != 5 || level < 0 || kind.Levels[level] != "-b" {
		t.Errorf("%q: the inputs are %v", text, given)
	}
}

// latin1 writes a text in ISO 8859-1.
func latin1(text string) string {
	var out []byte
	for _, r := range text {
		out = append(out, byte(r))
	}
	return string(out)
}

// utf16le writes a text in UTF-16 with the low byte first.
func utf16le(text string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

// cities is a table whose first 64 KB are ASCII and whose cities differ in one letter.
func cities() string {
	return "a,city,y\n" + strings.Repeat("1,Bonn,2.5\n", 8000) +
		strings.Repeat("1,Köln,2.5\n2,Kåln,3.5\n3,Kèln,4.5\n", 2)
}

// Texts in any encoding are read whole, and what cannot be decoded is an error.
func TestEncodings(t *testing.T) {
	want := "Bonn Kåln Kèln Köln"
	for name, c := range map[string]struct {
		text  string
		items []string
	}{
		"UTF-8":               {cities(), nil},
		"ISO 8859-1":          {latin1(cities()), nil},
		"ISO 8859-1 by name":  {latin1(cities()), []string{"encoding=iso-8859-1"}},
		"UTF-16 with a mark":  {"\xff\xfe" + utf16le(cities()), nil},
		"UTF-16 by name":      {utf16le(cities()), []string{"encoding=utf-16le"}},
		"UTF-8 with a mark":   {"\xef\xbb\xbf" + cities(), nil},
		"ISO 8859-1 compress": {zipped(latin1(cities())), nil},
	} {
		ds, err := readWith(t, c.text, append(c.items, "target=y")...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(ds.InputColumns()[1].Levels, " "); got != want || ds.Inputs[0] != "a" {
			t.Errorf("%s: the cities are %s, want %s; the first input is %q", name, got, want, ds.Inputs[0])
		}
	}
	for text, want := range map[string]string{
		"# 20 °C\n" + latin1("a,city,y\n1,Köln,2\n2,Kåln,3\n"): `f.csv, line 3: the byte 0xf6 after "1,K" ` +
			"is not UTF-8, but other characters are; --encoding windows-1252 reads such bytes as " +
			"Western European",
		"a,y\nx,1.5\\0\n": "", // a backslash is text
		"a,y\n1,1.5\x00\n2,3\n4,5\n": "f.csv, line 2, column 2 (y): the cell has the invisible character " +
			"U+0000; if the text is UTF-16, use --encoding utf-16le; --ignore y ignores it",
		"a,y\nx\u200b,1.5\nx,2.5\nx,3\n": "f.csv, line 2, column 1 (a): the cell has the invisible " +
			"character U+200B; --ignore a ignores it",
		"a\u200b,a,y\n1,2,3\n": "f.csv, line 1, column 1: the name of the column has the invisible " +
			"character U+200B",
	} {
		_, err := readWith(t, text)
		if want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

// The first row is a header if it has names, whatever else it has, and otherwise if the other rows show it.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		name, text, inputs string
		rows               int
		items              []string
	}{
		{"pandas without names", "0,1,2\n0.5,1.5,2\n3,4.5,5\n", "0 1", 2, nil},
		{"pandas with an index", ",a,b\n0,1.5,2\n1,4.5,5\n2,3,4\n", "x1 a", 3, nil},
		{"quoted numbers", "\"1\",\"2\",\"3\"\n0.5,1.5,2\n3,4.5,5\n", "1 2", 2, nil},
		{"spectra", "protein,400,402,404\n1,0.5,0.25,7\n2,0.25,0.5,8\n", "protein 400 402", 2, nil},
		{"numbers are data", "7,1,2\n0.5,1.5,3\n3,4.5,5\n", "x1 x2", 3, nil},
		{"numpy.savetxt", "# x y z\n1 2 3\n4 5 6\n", "x y", 2, nil},
		{"numpy.savetxt with commas", "# x,y,z\n1,2,3\n4,5,6\n", "x y", 2, nil},
		{"another comment", "# made by hand\n1,2,3\n4,5,6\n", "x1 x2", 2, nil},
		{"write.table of R", "\"a\" \"b\"\n\"u\" 1 2.5\n\"v\" 3 4\n\"w\" 5 6\n", "a", 3, nil},
		{"said to be data", "0,1,2\n0.5,1.5,2\n3,4.5,5\n", "x1 x2", 3, []string{"header=no"}},
		{"said to be a header", "7,1,2\n0.5,1.5,3\n3,4.5,5\n", "7 1", 2, []string{"header=yes"}},
		{"a name twice", "x,x,y\n1,2,3\n4,5,6\n", "x x.1", 2, nil},
		{"a taken name", "x,x.1,x,y\n1,2,7,3\n4,5,8,6\n", "x x.1 x.2", 2, nil},
		{"an invented name", ",x1,y\n7,2,3\n4,5,6\n", "x1.1 x1", 2, nil},
		{"lines before", "made by\na lab\na;y\n1;2\n3;4\n", "a", 2, []string{"skip=2"}},
		{"the delimiter of spreadsheets", "sep=;\na;y\n1;2\n3;4\n", "a", 2, nil},
		{"other comments", "a,y\n% 1,2\n1,2\n3,4\n", "a", 2, []string{"comment=%"}},
		{"no comments", "#a,y\n#1,2\n#2,4\n#1,3\n#2,5\n", "#a=#2", 4, []string{"comment=none"}},
		{"lines that end with CR", "a,b,y\r1,2,3\r4,5,6\r", "a b", 2, nil},
	} {
		ds, err := readWith(t, c.text, c.items...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		n, _ := ds.X.Dims()
		if got := strings.Join(ds.Inputs, " "); got != c.inputs || n != c.rows {
			t.Errorf("%s: %d rows with the inputs %s; want %d rows with %s", c.name, n, got, c.rows, c.inputs)
		}
	}
	_, err := readWith(t, "a,1\n2,3\n4,5\n")
	var open *table.Error
	if !errors.As(err, &open) || open.Question == nil {
		t.Errorf("a name and a number: %v, want a question", err)
	}
}

// New rows have the columns of the model, by their unique names.
func TestNewRowsOfEqualNames(t *testing.T) {
	ds, err := readWith(t, "x,x,y\n1,2,3\n4,5,7\n2,2,2\n")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = rowsOf(ds, "x,y\n1,2\n", 5)
	if err == nil || !strings.HasSuffix(err.Error(), `the table lacks column "x.1", an input of the model`) {
		t.Errorf("a file with one x: %v", err)
	}
}

// A column is of one kind if nine in ten of its cells are, and the other cells are errors that say so.
func TestNearMisses(t *testing.T) {
	many := func(good, bad string) string {
		return "a;y\n" + strings.Repeat(good+";1,5\n"+good+";2,5\n", 15) + bad + ";3,5\n"
	}
	for _, c := range []struct {
		good, bad, kind string
	}{
		{"2021-02-03", "2021-02-30", "a date"}, {"07:45", "7.5", "a time of day"},
		{"1h30m", "2x", "a duration"},
		{"12 %", "12", "a number with the unit %"}, {"€ 1.200,5", "$ 3", "a number with the unit €"},
		{"5 kg", "5 lb", "a number with the unit kg"},
	} {
		_, err := readWith(t, many(c.good, c.bad))
		want := fmt.Sprintf(`f.csv, line 32, column 1 (a): "%s" is not %s, unlike the other cells of the `+
			"column; --na %[1]s makes it missing, --column a:class reads the column as a category",
			c.bad, c.kind)
		if err == nil || err.Error() != want {
			t.Errorf("%s and %s: %v\nwant %s", c.good, c.bad, err, want)
		}
		ds, err := readWith(t, many(c.good, c.bad), "na="+c.bad, "missing=drop")
		if err != nil || len(ds.Inputs) != 1 {
			t.Errorf("%s with %s as missing: %v", c.good, c.bad, err)
		}
	}
	for text, want := range map[string]float64{
		"12 %": 12, "€ 1.200": 1200, "1.200,5 €": 1200.5, "07:45": 27900, "1h30m": 5400, "36:00:01": 129601,
		"5 kg": 5, "2d 4h": 187200, "03.04.21": 18720, "1'200": 1200, "-3,5 °C": -3.5,
	} {
		ds, err := readWith(t, "a;y\n"+text+";1,5\n"+text+";2,5\n")
		if err != nil || ds.X.At(0, 0) != want {
			t.Errorf("%s: %v, %v; want %v", text, ds, err, want)
		}
	}
	ds, err := readWith(t, "zip,y\n01002,1.5\n90210,2.5\n", "column=zip:class")
	if err != nil || strings.Join(ds.Inputs, " ") != "zip=90210" {
		t.Errorf("01002 as a class: %v", err)
	}
	ds, err = readWith(t, "zip,y\n01002,1.5\n90210,2.5\n")
	if err != nil || !strings.Contains(ds.Notes[0].String(),
		"1 cell of column zip begin with a needless zero and are read as numbers; --column zip:class") {
		t.Errorf("01002 as a number: %v, %v", ds, err)
	}
}

// The user decides what a cell means.
func TestChosenKinds(t *testing.T) {
	for _, c := range []struct {
		name, text, inputs string
		items              []string
		first              float64
	}{
		{"a class named NA", "a,y\nNA,1\nUS,2\nNA,3\n", "a=US", []string{"na=none"}, 0},
		{"a missing number", "a,y\n-999,1\n2,2\n3,3\n", "a", []string{"na=-999", "missing=drop"}, 2},
		{"a class of numbers", "a,y\n1,1\n2,2\n1,3\n", "a=2", []string{"column=a:class"}, 0},
		{"an ignored column", "a,b,y\n1,2,3\n4,5,6\n", "b", []string{"column=a:ignore"}, 2},
		{"a date", "a,y\n2021-01-01,1\n2021-01-02,2\n", "a", []string{"column=a:date"}, 18628},
		{"a name with a colon", "a:b,c,y\n1,2,3\n4,5,6\n", "c", []string{"column=a:b:ignore"}, 2},
	} {
		ds, err := readWith(t, c.text, c.items...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.Join(ds.Inputs, " "); got != c.inputs || ds.X.At(0, 0) != c.first {
			t.Errorf("%s: inputs %s, the first cell is %v; want %s and %v", c.name, got, ds.X.At(0, 0),
				c.inputs, c.first)
		}
	}
	ds, err := readWith(t, "a,y\n1,NA\n2,US\n3,DE\n4,NA\n", "na=none")
	if err != nil || strings.Join(ds.Classes, " ") != "DE NA US" {
		t.Errorf("a class NA of the target: %v, %v", ds, err)
	}
}

// For a file that is not text, the error names its format and a way to convert it.
func TestOtherFormats(t *testing.T) {
	for content, want := range map[string]string{
		"PK\x03\x04........": "f.csv: this is a zip archive; unpack it with unzip",
		"BZh91AY&SY":         "f.csv: this is a bzip2 file; unpack it with bunzip2",
		"\xfd7zXZ\x00....":   "f.csv: this is an xz file; unpack it with unxz",
		"\x93NUMPY\x01\x00v...": "f.csv: this is a NumPy array; write it with numpy.savetxt(path, array, " +
			"delimiter=',')",
		"% c\n@RELATION a\n": "",
		"@RELATION a\n":      "f.csv: this is an ARFF file of Weka; write its data as CSV",
		"PAR1....PAR1":       "f.csv: the Parquet file is damaged: ",
	} {
		_, err := readWith(t, content)
		if want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v\nwant %s", content, err, want)
		}
	}
}

// A workbook is read by its stored numbers, with dates by their style.
func TestWorkbooks(t *testing.T) {
	book := excelize.NewFile()
	day, err := book.NewStyle(&excelize.Style{NumFmt: 14})
	if err != nil {
		t.Fatal(err)
	}
	for place, v := range map[string]any{"A1": "when", "B1": "kind", "C1": "y", "A2": 44197, "B2": "u",
		"C2": 0.1 + 0.2, "A3": 44198, "B3": "v", "C3": 2.5, "A4": 44199, "B4": "u"} {
		if err := book.SetCellValue("Sheet1", place, v); err != nil {
			t.Fatal(err)
		}
	}
	if err := book.SetCellStyle("Sheet1", "A2", "A4", day); err != nil {
		t.Fatal(err)
	}
	if _, err := book.NewSheet("Other"); err != nil {
		t.Fatal(err)
	}
	content, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	ds, err := readWith(t, content.String())
	if err != nil {
		t.Fatal(err)
	}
	x, y := ds.X.RawMatrix().Data, ds.Y.RawMatrix().Data
	if !slices.Equal(x, []float64{18628, 0, 18629, 1, 18630, 0}) || y[0] != 0.1+0.2 || !math.IsNaN(y[2]) ||
		ds.Inputs[1] != "kind=v" {
		t.Errorf("inputs %s: %v, targets %v", ds.Inputs, x, y)
	}
	if ds.Columns.Format != "an Excel workbook" || ds.Columns.Delimiter != "" {
		t.Errorf("described as %q with the delimiter %q", ds.Columns.Format, ds.Columns.Delimiter)
	}
	if ds.Notes[0].String() != `sheet "Sheet1" of Sheet1, Other is read; --sheet NAME reads another` {
		t.Errorf("the notes are %v", ds.Notes)
	}
	if _, err := readWith(t, content.String(), "sheet=None"); err == nil || !strings.HasSuffix(err.Error(),
		`the workbook has no sheet "None"; the sheets are Sheet1, Other`) {
		t.Errorf("another sheet: %v", err)
	}
}

// The columns of a Parquet file have the kinds of its types.
func TestParquetFiles(t *testing.T) {
	type record struct {
		Count int32     `parquet:"count"`
		Code  string    `parquet:"code"`
		When  time.Time `parquet:"when,timestamp"`
		Old   bool      `parquet:"old"`
		Size  *float64  `parquet:"size,optional"`
		Y     float64   `parquet:"y"`
	}
	half := 0.5
	start := time.Date(2021, 1, 1, 12, 0, 0, 0, time.UTC)
	rows := []record{{1, "01", start, true, &half, 0.1}, {2, "1", start, false, nil, 0.2},
		{3, "NA", start, true, &half, 0.3}, {4, "01", start.Add(time.Second), true, &half, 0.4}}
	var content bytes.Buffer
	if err := parquet.Write(&content, rows); err != nil {
		t.Fatal(err)
	}
	ds, err := readWith(t, content.String(), "missing=mean")
	if err != nil {
		t.Fatal(err)
	}
	if ds.Columns.Format != "a Parquet file" || ds.Columns.Delimiter != "" {
		t.Errorf("described as %q with the delimiter %q", ds.Columns.Format, ds.Columns.Delimiter)
	}
	if got := strings.Join(ds.Inputs, " "); got != "count code=01 code=1 code=NA when old size" {
		t.Errorf("the inputs are %s", got)
	}
	want := []float64{2, 0, 1, 0, float64(start.Unix()), 0, math.NaN()}
	if got := ds.X.RawRowView(1); !slices.EqualFunc(got, want, same) || ds.Y.At(2, 0) != 0.3 {
		t.Errorf("the second row is %v, want %v", got, want)
	}
	_, batches, err := rowsOf(ds, content.String(), 10)
	if err != nil || batches[0].Targets.At(3, 0) != 0.4 {
		t.Errorf("new rows of the same file: %v", err)
	}
}
