package session

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dgplab/datasets/table"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// knownConfig returns a run on a table of 60 rows with the standard deviations of the targets and with
// weights, and the lines of the table, the header first.
func knownConfig(t *testing.T, family, noise string) (rundir.Config, []string) {
	t.Helper()
	lines := []string{"x,err,w,y"}
	for i := range 60 {
		x := 0.1 * float64(i)
		err := []float64{0.05, 0.4}[i%2]
		lines = append(lines, fmt.Sprintf("%g,%g,%d,%.4f", x, err, 1+i%3, 3*math.Sin(x)+err*math.Sin(37*x)))
	}
	path := filepath.Join(t.TempDir(), "known.csv")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return rundir.Config{Dataset: path, Family: family, Seed: 2, Split: "interpolation:0",
		Columns: table.Choices{Noise: noise, Weight: "w"},
		Set:     map[string]string{"steps": "8", "test_samples": "5"}}, lines
}

// Test points are scored with their own noise, and so are new rows whose table has it: their predictions are
// those of the run's own evaluation. Without the column, the variances lack the known noise, and the summary
// says so. A packed model predicts the same.
func TestKnownNoiseOfTestPointsAndNewRows(t *testing.T) {
	for _, c := range []struct{ family, noise, contents string }{
		{"gp", "sd:err", ""}, {"svgp", "sd:err+learned", " and the learned part of the noise"},
		{"sgpr", "sd:err", ""}, {"star", "sd:err", ""},
	} {
		t.Setenv("DGPLAB_RUNS", t.TempDir())
		config, lines := knownConfig(t, c.family, c.noise)
		run := trained(t, config)
		want, err := run.Predictions()
		if err != nil {
			t.Fatal(err)
		}
		with, without := lines[0]+"\n", "x\n"
		for _, row := range want.Rows {
			with += lines[1+row] + "\n"
			without += strings.Split(lines[1+row], ",")[0] + "\n"
		}
		done, known := predicted(t, run.ID, with)
		if done.Noise != "" || done.Scores.LogLik != run.Results.Test.LogLik {
			t.Errorf("%s: log-likelihood %v of the test rows, want %v; note %q",
				c.family, done.Scores.LogLik, run.Results.Test.LogLik, done.Noise)
		}
		done, bare := predicted(t, run.ID, without)
		text := "the table lacks column err, so the predictions contain only the uncertainty of the " +
			"function" + c.contents
		if done.Noise != text {
			t.Errorf("%s: note %q, want %q", c.family, done.Noise, text)
		}
		for i, row := range want.Rows {
			sd := number(t, known["y_sd"][i])
			if sd != math.Sqrt(want.Variance[i]) {
				t.Errorf("%s: row %d has the sd %v, want %v", c.family, row, sd, math.Sqrt(want.Variance[i]))
			}
			own := number(t, strings.Split(lines[1+row], ",")[1])
			gap := sd*sd - math.Pow(number(t, bare["y_sd"][i]), 2)
			if math.Abs(gap-own*own) > 1e-9 {
				t.Errorf("%s: row %d has the known variance %v in its prediction, want %v",
					c.family, row, gap, own*own)
			}
		}
		var file, out bytes.Buffer
		if _, err := Pack(context.Background(), run, &file, PackOptions{}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "known"+rundir.PackSuffix)
		if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		pack, err := rundir.OpenPack(path)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Predict(context.Background(), pack.Info(path), "new.csv", strings.NewReader(with), &out,
			PredictOptions{RowOptions: probe.RowOptions{}})
		if err != nil || again.Scores.LogLik != run.Results.Test.LogLik {
			t.Errorf("%s: the packed model scores %+v, want %v (%v)",
				c.family, again, run.Results.Test.LogLik, err)
		}
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A run whose table has other noise than before cannot be continued.
func TestKnownNoiseIsPartOfTheData(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	config, lines := knownConfig(t, "gp", "sd:err")
	run := trained(t, config)
	lines[1] = strings.Replace(lines[1], ",0.05,", ",0.06,", 1)
	if err := os.WriteFile(config.Dataset, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Predict(context.Background(), run, "new.csv", strings.NewReader("x\n1\n"), &bytes.Buffer{},
		PredictOptions{})
	if err == nil || !strings.Contains(err.Error(), "have changed since the run began") {
		t.Errorf("error %v, want one about changed data", err)
	}
}

// Families and likelihoods that cannot use the columns are refused before a run starts.
func TestKnownNoiseIsRefused(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	config, _ := knownConfig(t, "gprn", "sd:err")
	_, err := Start(context.Background(), config)
	refused := "noise=sd:err: want a family that accepts a known noise: "
	if err == nil || !strings.HasPrefix(err.Error(), refused) {
		t.Errorf("gprn: %v", err)
	}
	config.Columns.Noise = ""
	_, err = Start(context.Background(), config)
	if err == nil || !strings.HasPrefix(err.Error(), "weight=w: want a family that accepts weights: ") {
		t.Errorf("gprn with weights: %v", err)
	}
	config.Family = "svgp"
	config.Set["likelihood"] = "student-t"
	_, err = Start(context.Background(), config)
	want := "likelihood=student-t: want gaussian, the only likelihood that can have a known noise or weights"
	if err == nil || err.Error() != want {
		t.Errorf("student-t: %v, want %s", err, want)
	}
}
