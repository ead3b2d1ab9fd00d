package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// reportLine is a line as this program writes it.
const reportLine = `{"step":10,"seconds":0.5,"objective":-0.3333333333333333,"expected_log_lik":null,` +
	`"kl":1e-300,"gradient_norm":2.5,"val_log_lik":null,"rescues":3}`

// Report lines are read as JSON: members in any order, with unknown ones, and no others than numbers
// where numbers must be.
func TestPoints(t *testing.T) {
	const rest = `"seconds":null,"objective":null,"val_log_lik":null,"rescues":0`
	for _, c := range []struct{ line, want string }{
		{reportLine, reportLine},
		{`{"step":1,"seconds":0,"objective":null,"val_log_lik":-1E+5,"rescues":0,"phase":"warm-up"}`,
			`{"step":1,"seconds":0,"objective":null,"val_log_lik":-100000,"rescues":0,"phase":"warm-up"}`},
		{`{ "rescues" : null, "step" : 1e3 }`, `{"step":1000,` + rest + `}`},
		{`{"step":1,"kl":-0,"phase":"kl"}`, `{"step":1,"seconds":null,"objective":null,"kl":-0,` +
			`"val_log_lik":null,"rescues":0,"phase":"kl"}`},
		{`{"step":1,"a":[2],"b":{"c":2},"d":"step","e":true,"phase":3}`, `{"step":1,` + rest + `}`},
		{`{"step":9007199254740992}`, `{"step":9007199254740992,` + rest + `}`},
		{`{"step":9007199254740994}`, errNoStep.Error()},
		{`{"step":1.5}`, errNoStep.Error()},
		{`{"step":-1}`, errNoStep.Error()},
		{`{"step":null}`, errNoStep.Error()},
		{`{}`, errNoStep.Error()},
		{`null`, errNoStep.Error()},
		{`["step",1]`, errNoStep.Error()},
		{`{"step":1,"rescues":"2"}`, `rescues is "2", want a number`},
		{`{"step":01}`, `invalid character '1' after object key:value pair`},
		{`{"step":1`, `unexpected end of JSON input`},
	} {
		var p Point
		err := json.Unmarshal([]byte(c.line), &p)
		got := string(p.AppendJSON(nil, ""))
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\nis read as %s\nwant       %s", c.line, got, c.want)
		}
	}
}

// Lines beyond the limit are rejected; lines longer than a buffer are read.
func TestLongLines(t *testing.T) {
	step := 0
	line := func(n int) string {
		step++
		return fmt.Sprintf(`{"step":%d,"note":"%s"}`, step, strings.Repeat("x", n)) + "\n"
	}
	read := func(text string) (n int, err error) {
		_, err = parseLines(strings.NewReader(text), 0, func(Point, int64) bool { n++; return true })
		step = 0
		return n, err
	}
	if n, err := read(line(10) + line(1<<19) + line(10)); n != 3 || err != nil {
		t.Errorf("%d lines, %v", n, err)
	}
	if n, err := read(line(10) + line(2<<20)); n != 1 || err == nil ||
		err.Error() != "damaged at byte 31: a line is longer than 1 MB" {
		t.Errorf("%d lines, %v", n, err)
	}
	if n, err := read(line(10) + line(1 << 18)[:1<<18]); n != 1 || err != nil {
		t.Errorf("%d lines before a torn line, %v", n, err)
	}
}

// BenchmarkReadLines reads the report of a long run.
func BenchmarkReadLines(b *testing.B) {
	var lines strings.Builder
	for step := 10; step <= 10000; step += 10 {
		lines.WriteString(strings.Replace(reportLine, `"step":10`, fmt.Sprintf(`"step":%d`, step), 1) +
			"\n")
	}
	text := lines.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseLines(strings.NewReader(text), 0, func(Point, int64) bool {
			return true
		}); err != nil {
			b.Fatal(err)
		}
	}
}

// A limited reader returns an error for a line beyond the limit, however it is divided into reads.
func TestLineLimiter(t *testing.T) {
	x := strings.Repeat("x", maxLine)
	for text, good := range map[string]bool{
		x + "\n" + x + "\n": true, x: true,
		x + "x\n": false, x + "x": false, "y\n" + x + "x\n": false,
	} {
		for _, size := range []int{1 << 12, 4 << 20} {
			limited := &lineLimiter{Reader: strings.NewReader(text)}
			_, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, limited, make([]byte, size))
			if good != (err == nil) || !good && !errors.Is(err, errLongLine) {
				t.Errorf("%d bytes, read by %d: %v", len(text), size, err)
			}
		}
	}
}

// The end of a report without a line break is damage. The log then keeps its state.
func TestLastLineOfDamagedReport(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("x", 3*maxLine)
	_, _, err := lastLine(strings.NewReader(text), int64(len(text)), 2*maxLine)
	if !errors.Is(err, errLongLine) {
		t.Errorf("the last line: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, metricsName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := openMetrics(folder(t, dir), int64(2*len(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := log.sync(); !errors.Is(err, errLongLine) || len(log.notices) > 0 {
		t.Errorf("synced: %v, notices %q", err, log.notices)
	}
	log.file.Close()
	if err := os.Truncate(filepath.Join(dir, metricsName), 5); err != nil {
		t.Fatal(err)
	}
	log, err = openMetrics(folder(t, dir), 10)
	if err != nil {
		t.Fatal(err)
	}
	defer log.file.Close()
	if err := log.sync(); err != nil || !slices.Equal(log.notices,
		[]string{"metrics.jsonl was truncated; its lines after step 0 are lost"}) {
		t.Errorf("opened behind its end: %v, notices %q", err, log.notices)
	}
}

func TestStepsAreExactIntegers(t *testing.T) {
	for x, want := range map[float64]bool{
		0: true, 1: true, 1 << 53: true, 1<<53 + 2: false, -1: false, 0.5: false,
		math.NaN(): false, math.Inf(1): false,
	} {
		if got := isStep(x); got != want {
			t.Errorf("isStep(%v) is %v", x, got)
		}
	}
}
