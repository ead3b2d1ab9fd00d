package table

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// readReference reads the rows of a string with encoding/csv. It returns the numbers (NaN for other
// cells), the text of the other cells, and the lines on which the rows start.
func readReference(text string, delimiter rune) (grid []float64, texts []string, lines []int, err error) {
	records := newRecords(bufio.NewReader(strings.NewReader(text)), delimiter)
	p := &plan{notation: PlainNotation}
	width := -1
	for {
		cells, err := records.next()
		if errors.Is(err, io.EOF) {
			return grid, texts, lines, nil
		}
		if err != nil {
			return grid, texts, lines, recordError("f.csv", err)
		}
		if width < 0 {
			width = len(cells)
			if isHeader(cells, false) {
				continue
			}
		}
		if len(cells) != width {
			return grid, texts, lines,
				&Error{File: "f.csv", Line: records.line(), Column: min(len(cells), width) + 1,
					Problem: fmt.Sprintf("the row has %s, the first row has %d",
						Plural(len(cells), "cell"), width)}
		}
		p.modes = make([]mode, width)
		for c, cell := range cells {
			cell = strings.TrimSpace(cell)
			v, wrong := p.cell(&findings{tallies: make([]tally, width)}, 0, c, cell)
			text := ""
			if wrong != noProblem {
				text = printableText(cell)
			}
			grid = append(grid, v)
			texts = append(texts, text)
		}
		lines = append(lines, records.line())
	}
}

// FuzzRowParser checks that rowParser agrees with encoding/csv to the last bit, in chunks of any
// size and with the same errors.
func FuzzRowParser(f *testing.F) {
	for _, text := range []string{
		"1,2\n3,4\n", "a,b\r\n1,2\r\n\r\n3,x\r\n", "\"a\",\"b\nc\"\n1,\"2\"\"3\"\n4,\"5\n6\"\n",
		"# \"\n1,2\n#,,\n3,4", " 1 ,\t2 \n3, \n", "1,2\n3\n", "1,\"2\n3,4\n", "1,2\"\n",
		"1 2\n \"3\" 4\n5\" 6\n", "1\n\n2\n\" \"\n3\n", "0x1p-2,1_0\n1e400,-inf\n1.,.5\n+1,-0\n.,e\n",
		"\u00a01,2\u2003\n3,4\n", "1,2,\n,,\n", "1\r2,3\n", "1,2\r", "a\n\"b\"x\n",
		"12345678901234567890,0.000000000000000000000000012345\n9007199254740993,1e-23\n",
		"1,2\n,\n\"\",\" 3\"\n",
	} {
		for _, delimiter := range []byte{',', ';', '\t', ' '} {
			f.Add(text, delimiter, byte(7))
		}
	}
	f.Fuzz(func(t *testing.T, text string, delimiter, size byte) {
		if !slices.Contains([]byte{',', ';', '\t', ' ', '|'}, delimiter) {
			return
		}
		grid, texts, lines, wantErr := readReference(text, rune(delimiter))
		opt := ReadOptions{Labels: true, Delimiter: rune(delimiter), chunk: int(size) + 1}
		table := newTable("f.csv", opt, standardLimits)
		err := table.readRows(context.Background(), strings.NewReader(text), opt)
		if wantErr != nil {
			if err == nil || err.Error() != wantErr.Error() {
				t.Errorf("error %v, want %v", err, wantErr)
			}
			return
		}
		if len(lines) == 0 {
			if err == nil {
				t.Error("no rows, no error")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if table.Rows() != len(lines) {
			t.Fatalf("%d rows, want %d", table.Rows(), len(lines))
		}
		for i, line := range lines {
			if table.lines.at(i) != line {
				t.Errorf("row %d is on line %d, want %d", i, table.lines.at(i), line)
			}
			for c := range table.Width {
				want, text := grid[i*table.Width+c], ""
				if w := table.words[c]; w != nil {
					text = w.at(i)
				}
				if math.Float64bits(table.at(i, c)) != math.Float64bits(want) &&
					!(math.IsNaN(want) && math.IsNaN(table.at(i, c))) || text != texts[i*table.Width+c] {
					t.Errorf("row %d, column %d: %v, %q, want %v, %q",
						i, c, table.at(i, c), text, want, texts[i*table.Width+c])
				}
			}
		}
	})
}

// FuzzScanNumber checks that numbers are parsed as by strconv.
func FuzzScanNumber(f *testing.F) {
	for _, text := range []string{"1", "-0", "+.5", "5.", "1e22", "1e-22", "123456789012345678901",
		"9007199254740993", "1.7976931348623157e308", "2e-324", "0.1e-400", "1e5000",
		"00000000000000000000001.5", "3e", "-", ".", "", "0,"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, ok := scanNumber([]byte(text), '.')
		if !ok {
			return
		}
		want, err := strconv.ParseFloat(text[:s.length], 64)
		if err != nil || math.Float64bits(want) != math.Float64bits(s.v) {
			t.Errorf("%q: %v of %d bytes, want %v, %v", text, s.v, s.length, want, err)
		}
		if strings.Contains(text, ",") {
			return // replacing points with commas would mix them with the existing commas
		}
		comma, ok := scanNumber([]byte(strings.ReplaceAll(text, ".", ",")), ',')
		if ok && (comma.length != s.length || math.Float64bits(want) != math.Float64bits(comma.v)) {
			t.Errorf("%q with a comma: %v of %d bytes", text, comma.v, comma.length)
		}
	})
}

// The fast path handles exact mantissas and powers of ten. Other numbers are only parsed with a point as the
// decimal sign.
func TestExactNumbers(t *testing.T) {
	for text, exact := range map[string]bool{
		"9007199254740991": true, "9007199254740992": false, "-9007199254740991e-22": true,
		"3e22": true, "3e23": false, "3e-22": true, "3e-23": false, "30,5e23": true, "30,5e-22": false,
		"0000000000000000001": true, "00000000000000000001": false, "1e0022": true,
	} {
		want, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", "."), 64)
		if err != nil {
			t.Fatal(err)
		}
		s, ok := scanNumber([]byte(text), ',')
		if ok != exact || ok && (s.v != want || s.length != len(text)) {
			t.Errorf("%s with a comma: %+v, %v; want %v, %v", text, s, ok, want, exact)
		}
		s, ok = scanNumber([]byte(strings.ReplaceAll(text, ",", ".")), '.')
		if !ok || s.v != want || s.length != len(text) {
			t.Errorf("%s with a point: %+v, %v; want %v", text, s, ok, want)
		}
	}
	if _, ok := scanNumber([]byte("1e00022"), '.'); ok {
		t.Error("an exponent of five digits was parsed")
	}
}

// Printed numbers are parsed exactly.
func TestScanNumberRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for range 200_000 {
		v := math.Float64frombits(rng.Uint64())
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		for _, text := range []string{strconv.FormatFloat(v, 'g', -1, 64),
			strconv.FormatFloat(rng.NormFloat64(), 'f', 6, 64)} {
			want, _ := strconv.ParseFloat(text, 64)
			if s, ok := scanNumber([]byte(text), '.'); !ok || s.v != want || s.length != len(text) {
				t.Fatalf("%s: %v", text, s)
			}
		}
	}
}

// The result does not depend on the number of processors.
func TestReadingOnAnyCores(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,colour,when,b\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "%d.5,%s,2020-01-%02d,%d\n", i,
			[]string{"red", "blue", "", "green"}[i*i%4], i%28+1, i*i%1000)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var first *mat.Dense
	for _, cores := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(cores)
		read, err := Read(t.Context(), "f.csv", strings.NewReader(text.String()), ReadOptions{
			Labels:  true,
			Choices: Choices{Missing: MissingMean},
		})
		if err != nil {
			t.Fatal(err)
		}
		use, err := read.Describe(nil)
		if err != nil || use.Trouble != nil {
			t.Fatal(err, use.Trouble)
		}
		all := slices.Concat(use.Inputs, use.Targets)
		rows := make([]int, read.Rows())
		for i := range rows {
			rows[i] = i
		}
		got := read.Matrix(use, all, rows, use.D+use.P)
		if first == nil {
			first = got
			continue
		}
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !slices.EqualFunc(got.RawMatrix().Data, first.RawMatrix().Data, same) {
			t.Errorf("the numbers differ on %d cores", cores)
		}
	}
}

// Commas are decimal signs only if white space splits all lines evenly and each comma is in a number.
func TestDecimalCommas(t *testing.T) {
	for text, want := range map[string]bool{
		"1,5 2,5\n3 4,0": true, "1,5 2\n3": false, "1,5\n2,5": false, "1 2\n3 4": false,
		"a,b 1,5\n2 3": false,
	} {
		if got := decimalCommas(strings.Split(text, "\n")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Words have one number each, lists have no duplicates, and booleans come from a single pair.
func TestWords(t *testing.T) {
	w := words{number: map[string]int32{}}
	for i, text := range []string{"ab", "c", "ab", ""} {
		if got, want := w.intern(text), []int32{1, 2, 1, 3}[i]; got != want {
			t.Errorf("%q has the number %d, want %d", text, got, want)
		}
	}
	if !slices.Equal(w.texts, []string{"ab", "c", ""}) || len(w.counts) != 3 || w.bytes != 3 {
		t.Errorf("%+v", w)
	}
	if got := unique([]string{"a", "b", "a", "b"}); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("unique strings are %q", got)
	}
	for want, n := range map[string]int{
		"a, b, c, d, e, f, ...": 7, "a, b, c, d, e and f": 6, "a and b": 2, "a": 1,
	} {
		if got := shortened(strings.Split("abcdefg"[:n], ""), " and "); got != want {
			t.Errorf("%d words: %q, want %q", n, got, want)
		}
	}
	for text, want := range map[string]string{"No YES": "no yes", "ja": "nein ja", "no ja": "", "": ""} {
		pair, ok := booleanPair(strings.Fields(text))
		if got := strings.TrimSpace(pair[0] + " " + pair[1]); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v", text, pair, ok)
		}
	}
}

// The first number of each ambiguous shape is kept.
func TestFindings(t *testing.T) {
	var f findings
	f.note(MaybePoint, 1, 2, "1.000")
	f.note(MaybePoint, 3, 4, "2.000")
	f.note(CommaDecimal, 5, 6, "1,5")
	first := cellPosition{1, 2, "1.000"}
	if f.shown != MaybePoint|CommaDecimal || *f.unsure[0] != first || f.unsure[1] != nil {
		t.Errorf("%+v", f)
	}
	f.note(MaybeComma, 7, 8, "1,000")
	if f.unsure[0].text != "1.000" || *f.unsure[1] != (cellPosition{7, 8, "1,000"}) {
		t.Errorf("%+v, %+v", *f.unsure[0], *f.unsure[1])
	}
}

// A column of numbers has its range, its mean and a histogram.
func TestMeasuredColumns(t *testing.T) {
	text := "a,y\n0,1\n5,2\n10,3\n10,4\n"
	read, err := Read(t.Context(), "f", strings.NewReader(text), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := read.Describe([]string{"y"})
	if err != nil {
		t.Fatal(err)
	}
	read.Measure(&d.Description)
	c := d.Columns[0]
	bins := make([]int, Bins)
	bins[0], bins[Bins/2], bins[Bins-1] = 1, 1, 2
	if c.Min != 0 || c.Max != 10 || c.Mean != 6.25 || c.Distinct != 3 || !slices.Equal(c.Spark, bins) {
		t.Errorf("%+v, histogram %v", c, c.Spark)
	}
}
