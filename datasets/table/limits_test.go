package table

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
)

// endless repeats a string up to a total length without storing the result.
type endless struct {
	text string
	left int64
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && e.left > 0 {
		k := copy(p[n:min(len(p), n+int(min(e.left, 1<<20)))], e.text[e.at:])
		n = n + k
		e.at = (e.at + k) % len(e.text)
		e.left = e.left - int64(k)
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// repeated returns a string repeated to about size bytes.
func repeated(text string, size int64) io.Reader {
	const many = 1 << 12
	return &endless{text: strings.Repeat(text, many), left: size - size%int64(len(text))}
}

// packed compresses a string with the best compression.
func packed(t *testing.T, text io.Reader) io.Reader {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// readText reads a table with text cells.
func readText(text io.Reader) (*Table, error) {
	return Read(context.Background(), "f.csv", text, ReadOptions{Labels: true})
}

// TestBombs reads files that expand to far more data than their size suggests. Memory must stay
// bounded, and the error must give the position and explain how to raise the limit.
func TestBombs(t *testing.T) {
	const mega = 1 << 20
	wide := strings.Repeat("1,", 100_000) + "1\n"
	const long = "the line has more than 8M bytes; set DGPLAB_CSV_LIMITS=line=16M to allow twice as much"
	cases := map[string]struct {
		text io.Reader
		want string
	}{
		"line": {io.MultiReader(strings.NewReader("a,b\n1,2\n"), repeated("12345,", 100*mega)),
			"f.csv, line 3: " + long},
		"cell": {io.MultiReader(strings.NewReader("a,b\n1,2\n3,"), repeated("1", 100*mega)),
			"f.csv, line 3: " + long},
		"quoted cell": {io.MultiReader(strings.NewReader("a,b\n1,2\n3,\""), repeated("1\n", 100*mega)),
			"f.csv, line 3: " + long},
		"smaller cell": {strings.NewReader("a,b\n1,2\n3," + strings.Repeat("1", mega) + "\n"),
			"f.csv, line 3, column 2: the cell has more than 64K bytes; set DGPLAB_CSV_LIMITS=cell=128K to " +
				"allow twice as much"},
		"white space": {io.MultiReader(strings.NewReader("1 2\n3 4\n5"), repeated(" ", 100*mega)),
			"f.csv, line 3: " + long},
		"comment": {io.MultiReader(strings.NewReader("a,b\n1,2\n#"), repeated(",", 100*mega)),
			"f.csv, line 3: " + long},
		"columns": {strings.NewReader(wide + wide),
			"f.csv, line 1, column 100001: the row has more than 100000 columns; set " +
				"DGPLAB_CSV_LIMITS=columns=200000 to allow twice as much"},
		"compressed line": {packed(t, repeated("1", 100*mega)), "f.csv, line 1: " + long},
		"compressed blank": {packed(t,
			io.MultiReader(strings.NewReader("a,b\n1,2\n"), repeated("\n", 70*mega))),
			"f.csv: the file is compressed to less than 1/300 of its text, unlike any table of numbers; " +
				"set DGPLAB_CSV_LIMITS=ratio=600 to allow twice as much"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			peak := watchMemory(t)
			_, err := readText(c.text)
			if err == nil || err.Error() != c.want {
				t.Errorf("error %v\nwant  %s", err, c.want)
			}
			// Memory holds a line of 8 MB several times: as read, unquoted, and the place of each cell.
			if grown := peak(); grown > 192*mega {
				t.Errorf("it took %d MB", grown/mega)
			}
		})
	}
}

// TestLimitsAreRaised reads a file beyond a limit after an environment variable has raised the
// limit.
func TestLimitsAreRaised(t *testing.T) {
	text := strings.Repeat("x", 1<<17) + ",b\n1,2\n3,4\n"
	var trouble *Error
	if _, err := readText(strings.NewReader(text)); !errors.As(err, &trouble) || trouble.Line != 1 ||
		trouble.Column != 1 {
		t.Errorf("error %v", err)
	}
	t.Setenv(limitsVariable, "line=64M, cell=256K")
	if _, err := readText(strings.NewReader(text)); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"cell", "cell=", "cell=0", "cell=-1", "cell=1T", "cells=1",
		"cell=9999999999G", "=5"} {
		t.Setenv(limitsVariable, text)
		want := fmt.Sprintf("DGPLAB_CSV_LIMITS: %q: want a limit and a size, such as line=64M; the limits "+
			"are line, cell, columns, ratio, numbers, words, text", text)
		if _, err := readText(strings.NewReader("1,2\n3,4\n")); err == nil || err.Error() != want {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
}

// TestLimitsOfText checks the limits on text cells.
func TestLimitsOfText(t *testing.T) {
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "%d,word%d\n", i, i)
	}
	for limit, want := range map[string]string{
		"words=50": "f.csv, line 51, column 2: more than 50 cells of the table are not numbers; set " +
			"DGPLAB_CSV_LIMITS=words=100 to allow twice as much",
		"text=100": "f.csv, line 19, column 2: the column has more than 100 bytes of distinct text; set " +
			"DGPLAB_CSV_LIMITS=text=200 to allow twice as much",
		"numbers=60": "f.csv, line 31: the table is too large: more than 60 numbers; set " +
			"DGPLAB_CSV_LIMITS=numbers=120 to allow twice as much",
	} {
		t.Setenv(limitsVariable, limit)
		if _, err := readText(strings.NewReader(many.String())); err == nil || err.Error() != want {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
}

// TestLimitsLeaveTablesAlone reads rows just within the limits, in all formats.
func TestLimitsLeaveTablesAlone(t *testing.T) {
	t.Setenv(limitsVariable, "cell=5,columns=3")
	for _, text := range []string{
		"1,2,3333\n4,5,6\n", "1 2 3 \n4 5 6\n", "  1  2 3333\n4 5 6\n", "\"1\",2,\"33\"\n4,5,6\n",
		"1\t2\t3333\r\n4\t5\t6\r\n",
		"# a comment\n1,2,3\n# , , , ,\n4,5,6\n", "1;2;3\n\n\n4;5;6", "\"a\n\",b,c\n1,2,3\n4,5,6\n",
		"\"\"\"\",b,c\n1,2,3\n4,5,6\n", "a\" b c\n1 2 3\n4 5 6\n",
	} {
		if _, err := readText(strings.NewReader(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestLinesOfRows finds the lines of rows separated by blank lines.
func TestLinesOfRows(t *testing.T) {
	var lines lineNumbers
	want := []int{1, 2, 3, 7, 9, 11, 12, 20, 21, 22, 30}
	for _, line := range want {
		lines.add(line)
	}
	for row, line := range want {
		if got := lines.at(row); got != line {
			t.Errorf("row %d is on line %d, want %d", row, got, line)
		}
	}
}

// TestMemoryOfTables checks that reading takes at most three times the memory of the numbers.
func TestMemoryOfTables(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of megabytes")
	}
	for name, c := range map[string]struct {
		row     string
		columns int64
	}{
		"narrow": {"1,2\n", 2}, "wide": {strings.Repeat("1,", 999) + "2\n", 1000},
		"classes":     {"1,2,3,4,no\n4,5,6,7,yes\n", 10},
		"blank lines": {"1,2\n\n", 2},
	} {
		t.Run(name, func(t *testing.T) {
			const numbers = 3 << 20
			rows := numbers / c.columns
			peak := watchMemory(t)
			text := io.MultiReader(strings.NewReader(strings.ReplaceAll(c.row[:strings.IndexByte(c.row,
				'\n')], "2", "5")+"\n"), repeated(c.row, rows*int64(len(c.row))))
			read, err := readText(text)
			if err != nil {
				t.Fatal(err)
			}
			use, err := read.Describe(nil)
			if err != nil || use.Trouble != nil {
				t.Fatal(err, use.Trouble)
			}
			chosen := make([]int, read.Rows())
			for i := range chosen {
				chosen[i] = i
			}
			x := read.Matrix(use, use.Inputs, chosen, use.D)
			y := read.Matrix(use, use.Targets, chosen, use.P)
			times := float64(peak()) / (8 * numbers)
			t.Logf("%.2f times the memory of the numbers", times)
			if times > 3 {
				t.Errorf("%.2f times the memory of the numbers, want at most 3", times)
			}
			runtime.KeepAlive(x)
			runtime.KeepAlive(y)
		})
	}
}

// watchMemory returns a function that returns the maximum growth of the heap since the call,
// including uncollected garbage.
func watchMemory(t *testing.T) func() uint64 {
	t.Helper()
	heap := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	begin := heap()
	stop := make(chan struct{})
	sizes := make(chan uint64)
	go func() {
		seen := []uint64{begin}
		for {
			select {
			case <-stop:
				sizes <- slices.Max(seen) - begin
				return
			case <-time.After(100 * time.Microsecond):
				seen = append(seen[:0], max(seen[0], heap()))
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-sizes
	}
}

// FuzzLimits reads a string with low limits, which must either fail or give the same result as
// without limits.
func FuzzLimits(f *testing.F) {
	for _, text := range []string{
		"1,2\n3,4\n", "1 2\n3 4\n", "a b c\n1 2 3\n4 5 6\n", "\"a,\"\"b\",c\n1,2\n3,4\n",
		"\"a\nb\",c\n1,2\n3,4\n", "# c,,,,,,,,\n1,2\n3,4\n", "a\" b\n1 2\n3 4\n", "\"1\"2\n",
		"1\t\t2\n3\t\t4\n", "1;2;3;4;5;6;7;8;9\n", "123456789,1\n2,3\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		read := func(limits string) (*Table, error) {
			t.Setenv(limitsVariable, limits)
			return readText(bytes.NewReader(text))
		}
		free, freeErr := read("")
		low, err := read("line=60,cell=9,columns=6,numbers=40,words=9,text=40")
		if err != nil {
			var trouble *Error
			if !errors.As(err, &trouble) ||
				freeErr != nil && err.Error() != freeErr.Error() &&
					!strings.Contains(err.Error(), limitsVariable) {
				t.Errorf("error %v, without limits %v", err, freeErr)
			}
			return
		}
		if freeErr != nil || free.Rows() != low.Rows() || free.Width != low.Width ||
			!slices.Equal(free.header, low.header) {
			t.Fatalf("limits change the table: %v", freeErr)
		}
		for i := range free.Rows() {
			for c := range free.Width {
				a := free.Label(i, c)
				b := low.Label(i, c)
				if a != b {
					t.Errorf("row %d, column %d is %q, with limits %q", i, c, a, b)
				}
			}
		}
	})
}

// FuzzParseLimits checks that parsing gives positive limits or a one-line error.
func FuzzParseLimits(f *testing.F) {
	for _, text := range []string{"", "line=64M,ratio=1000", "cell=1", "cell=0", "cell=9999999999G",
		" text = 3K ", "=", ",,"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseLimits(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("error %q", err)
			}
			return
		}
		for k, n := range l {
			if back, ok := parseSize(formatSize(n)); n < 1 || 2*n < n || !ok || back != n {
				t.Errorf("limit %s is %d, written as %s", limitNames[k], n, formatSize(n))
			}
		}
	})
}
