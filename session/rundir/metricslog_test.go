package rundir

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestPointJSON(t *testing.T) {
	p := Point{Step: 10, Seconds: 0.5, Objective: -1.0 / 3, ValLogLik: math.NaN(), Rescues: 3,
		Readings: []Reading{{"expected_log_lik", math.Inf(-1)}, {"kl", 1e-300}, {"gradient_norm", 2.5}}}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"step":10,"seconds":0.5,"objective":-0.3333333333333333,"expected_log_lik":null,"kl":1e-300,` +
		`"gradient_norm":2.5,"val_log_lik":null,"rescues":3}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	var back Point
	if err := json.Unmarshal([]byte(`{"new_field":[1],`+want[1:]), &back); err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(back.ValLogLik) || !math.IsNaN(back.Reading("expected_log_lik")) ||
		back.Objective != p.Objective || back.Reading("gradient_norm") != 2.5 || back.Rescues != 3 {
		t.Errorf("read %+v", back)
	}
	if got := string(p.AppendJSON(nil, "step")); !strings.HasPrefix(got, `{"event":"step","step":10,`) ||
		!json.Valid([]byte(got)) {
		t.Errorf("event line %s", got)
	}
	if err := json.Unmarshal([]byte(`{"objective":1}`), &back); !errors.Is(err, errNoStep) {
		t.Errorf("a line without a step: %v", err)
	}
	if err := json.Unmarshal([]byte(`{"step":1,"seconds":"x"}`), &back); err == nil {
		t.Error("a time that is not a number was accepted")
	}
	if err := json.Unmarshal([]byte(`{"step":1,"rescues":null}`), &back); err != nil || back.Rescues != 0 {
		t.Errorf("null rescues were read as %d, %v", back.Rescues, err)
	}
}

func TestMetricsLogAndFollower(t *testing.T) {
	dir := t.TempDir()
	follower := Follow(dir)
	if points, restarted, err := follower.Next(); err != nil || restarted || len(points) != 0 {
		t.Fatalf("before the file exists: %v, %v, %v", points, restarted, err)
	}
	log, err := openMetrics(folder(t, dir), 0)
	if err != nil {
		t.Fatal(err)
	}
	add := func(step int) {
		t.Helper()
		if err := log.add(Point{Step: step, ValLogLik: math.NaN()}); err != nil {
			t.Fatal(err)
		}
	}
	next := func(wantRestart bool, want ...int) {
		t.Helper()
		points, restarted, err := follower.Next()
		if err != nil || restarted != wantRestart || len(points) != len(want) {
			t.Fatalf("got %v, %v, %v; want steps %v", points, restarted, err, want)
		}
		for i, p := range points {
			if p.Step != want[i] {
				t.Errorf("got step %d, want %d", p.Step, want[i])
			}
		}
	}
	add(10)
	add(20)
	next(false, 10, 20)
	next(false)
	add(30)
	if err := log.close(); err != nil {
		t.Fatal(err)
	}
	// A torn line is not returned until it is complete.
	path := filepath.Join(dir, metricsName)
	whole, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(whole, `{"step":40,"sec`...), 0o644); err != nil {
		t.Fatal(err)
	}
	next(false, 30)
	// A resumed run truncates the report.
	offset, err := ReadPoints(dir, func(p Point) bool { return p.Step <= 10 }, func(Point) {})
	if err != nil {
		t.Fatal(err)
	}
	log, err = openMetrics(folder(t, dir), offset)
	if err != nil {
		t.Fatal(err)
	}
	add(20)
	next(true, 10, 20)
	if err := log.close(); err != nil {
		t.Fatal(err)
	}
}

func TestMetricsDamageIsReported(t *testing.T) {
	dir := t.TempDir()
	text := "{\"step\":1}\nrubbish\n{\"step\":3}\n"
	if err := os.WriteFile(filepath.Join(dir, metricsName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var steps []int
	_, err := ReadPoints(dir, func(Point) bool { return true }, func(p Point) {
		steps = append(steps, p.Step)
	})
	if err == nil || !strings.Contains(err.Error(), "byte 11") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	if len(steps) != 1 {
		t.Errorf("steps %v", steps)
	}
}

// A read error in the middle of a report is reported, not treated as its end.
func TestReportReadErrors(t *testing.T) {
	broken := errors.New("input/output error")
	for _, text := range []string{"", "{\"step\":1}\n", "{\"step\":1}\n{\"st", "{\"step\":1}\n{\"step\":2}"} {
		n, err := parseLines(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), 0,
			func(Point, int64) bool { return true })
		if whole := strings.LastIndexByte(text, '\n') + 1; !errors.Is(err, broken) || n != int64(whole) {
			t.Errorf("%q: %d bytes, error %v", text, n, err)
		}
		var sound bytes.Buffer
		err = copySound(&sound, io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)),
			func(Point) bool { return true })
		if !errors.Is(err, broken) {
			t.Errorf("%q: a repair copies %q, error %v", text, sound.String(), err)
		}
	}
}

// All readers require ascending steps.
func TestStepsAscend(t *testing.T) {
	for _, text := range []string{"{\"step\":1}\n{\"step\":1}\n", "{\"step\":2}\n{\"step\":1}\n",
		"{\"step\":1}\n{\"step\":0}\n"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, metricsName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		lines := 0
		_, err := ReadPoints(dir, func(Point) bool { return true }, func(Point) { lines++ })
		if err == nil ||
			!strings.Contains(err.Error(), metricsName+": damaged at byte 11: the line of step ") ||
			lines != 1 {
			t.Errorf("%q: %d lines, error %v", text, lines, err)
		}
		if _, _, err := Follow(dir).Next(); err == nil ||
			!strings.Contains(err.Error(), "damaged at byte 11") {
			t.Errorf("%q: followed with error %v", text, err)
		}
	}
}

func TestMetricsLogSurvivesFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	log := &metricsLog{file: full}
	if err := log.add(Point{Step: 1}); err == nil {
		t.Fatal("no error from a full disk")
	}
	full.Close()
	path := filepath.Join(t.TempDir(), metricsName)
	log.file, err = os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.add(Point{Step: 2}); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); strings.Count(string(text), "\n") != 2 {
		t.Errorf("the waiting line is missing: %s", text)
	}
	log.file.Close()
	for i := range 20000 {
		_ = log.add(Point{Step: 3 + i}) // The file is closed: every write fails.
	}
	if len(log.pending) > pendingCap+1000 || log.lost == 0 {
		t.Errorf("%d bytes wait, %d lines lost", len(log.pending), log.lost)
	}
}

// A line with the step of the last line replaces it, written or still waiting. The next line removes the data
// after the offset.
func TestReplaceLastLine(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, metricsName)
	if err := os.WriteFile(path, []byte("{\"step\":1}\n{\"step\":7}\n{\"ste"), 0o644); err != nil {
		t.Fatal(err)
	}
	log, err := openMetrics(folder(t, dir), 11)
	if err != nil {
		t.Fatal(err)
	}
	follower := Follow(dir)
	add := func(step int, value float64) {
		t.Helper()
		if err := log.add(Point{Step: step, ValLogLik: value}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(values ...float64) {
		t.Helper()
		var got []float64
		if _, err := ReadPoints(dir, func(Point) bool { return true }, func(p Point) {
			got = append(got, p.ValLogLik)
		}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got[1:], values) {
			t.Errorf("values %v, want %v", got[1:], values)
		}
	}
	add(2, 123456789)
	want(123456789)
	if _, _, err := follower.Next(); err != nil {
		t.Fatal(err)
	}
	add(2, 5) // shorter
	want(5)
	add(3, 6)
	add(3, 7.5)
	want(5, 7.5)
	if points, restarted, err := follower.Next(); err != nil || !restarted || len(points) != 3 ||
		points[2].ValLogLik != 7.5 {
		t.Errorf("followed: %v, %v, %v", points, restarted, err)
	}
	if err := log.close(); err != nil {
		t.Fatal(err)
	}
}

func FuzzParseLines(f *testing.F) {
	f.Add([]byte("{\"step\":1,\"objective\":null}\n{\"step\":2}\n{\"st"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		n, _ := parseLines(bytes.NewReader(text), 0, func(p Point, end int64) bool {
			if p.Step < 0 || end > int64(len(text)) {
				t.Errorf("point %+v ends at %d of %d", p, end, len(text))
			}
			return true
		})
		if n < 0 || n > int64(len(text)) {
			t.Errorf("%d of %d bytes were complete lines", n, len(text))
		}
	})
}
