package session

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session/probe"
	"dgplab/session/rundir"
)

// mixedTable writes 40 rows with a number, a category, a date, a missing cell and a real target, and returns
// the file name.
func mixedTable(t *testing.T) string {
	text := "size;colour;day;load\n"
	for i := range 40 {
		x := float64(i) / 10
		size := strings.Replace(fmt.Sprintf("%.4g", x), ".", ",", 1)
		if i == 7 {
			size = ""
		}
		text += fmt.Sprintf("%s;%s;%02d.%02d.2021;%s\n", size, []string{"red", "green", "blue"}[i%3], 1+i%28,
			1+i%12, strings.Replace(fmt.Sprintf("%.6g", math.Sin(x)+0.1*math.Cos(float64(7*i))), ".", ",", 1))
	}
	path := filepath.Join(t.TempDir(), "mixed.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// travelConfig is a short run of a family on a small table.
func travelConfig(spec models.Spec, table string) rundir.Config {
	c := realConfig(spec)
	c.Dataset = table
	c.Columns.Missing = "mean"
	c.Set["steps"] = "4"
	c.Set["validation_every"] = "2"
	for name, value := range map[string]string{"inducing": "6", "hidden_width": "4"} {
		if _, has := c.Set[name]; has {
			c.Set[name] = value
		}
	}
	return c
}

// predictText predicts rows and returns the output, or the error.
func predictText(run rundir.Info, table string, draws int) string {
	var out bytes.Buffer
	o := probe.RowOptions{Quantiles: []float64{0.05, 0.5, 0.95}, Draws: draws}
	_, err := Predict(context.Background(), run, "new.csv", strings.NewReader(table), &out,
		PredictOptions{RowOptions: o})
	if err != nil {
		return err.Error()
	}
	return out.String()
}

// A packed model of every family predicts the same digits as its run, and suggests the same inputs, in an
// empty folder without any other file. Packed without data, it predicts the same digits, or packing refuses.
func TestModelsTravel(t *testing.T) {
	home := t.TempDir()
	t.Setenv("DGPLAB_RUNS", home)
	const rows = "load;day;colour;size\n0,5;04.03.2021;blue;1,5\n;24.12.2022;red;\n0,1;01.01.2021;green;9\n"
	families := models.Families()
	// digits holds what a model prints: predictions, draws and suggestions.
	type digits struct{ predicted, drawn, suggested string }
	print := func(run rundir.Info) (d digits) {
		d.predicted = predictText(run, rows, 0)
		d.drawn = predictText(run, rows, 3)
		next, err := Suggest(context.Background(), run, "", nil,
			probe.SuggestOptions{Criterion: probe.ALM, Count: 2, Hypercube: 5})
		if err == nil {
			next.Run = ""
		}
		d.suggested = fmt.Sprintf("%+v, %v", next, err)
		return d
	}
	folder := t.TempDir()
	want := make([]digits, len(families))
	bare := make([]bool, len(families))
	path := func(i int, without bool) string {
		return filepath.Join(folder, fmt.Sprint(families[i].Name, without, rundir.PackSuffix))
	}
	t.Run("pack", func(t *testing.T) {
		for i, spec := range families {
			t.Run(spec.Name, func(t *testing.T) {
				t.Parallel()
				run := trained(t, travelConfig(spec, mixedTable(t)))
				want[i] = print(run)
				if !strings.HasPrefix(want[i].predicted, "row,load,load_mean") {
					t.Fatal(want[i].predicted)
				}
				for _, without := range []bool{false, true} {
					var file bytes.Buffer
					_, err := Pack(context.Background(), run, &file, PackOptions{WithoutData: without})
					switch {
					case err == nil:
						err = os.WriteFile(path(i, without), file.Bytes(), 0o644)
						bare[i] = without
					case without && strings.Contains(err.Error(), "depend on its training data"):
						err = nil
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	})
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Run("predict", func(t *testing.T) {
		for i, spec := range families {
			t.Run(spec.Name, func(t *testing.T) {
				t.Parallel()
				model, err := rundir.FindModel(path(i, false))
				if err != nil {
					t.Fatal(err)
				}
				if got := print(model); got != want[i] {
					t.Errorf("the packed model prints\n%+v\nwant as from the run\n%+v", got, want[i])
				}
				if !bare[i] {
					return
				}
				model, err = rundir.FindModel(path(i, true))
				if err != nil {
					t.Fatal(err)
				}
				got := print(model)
				if got.predicted != want[i].predicted || got.drawn != want[i].drawn ||
					!strings.Contains(got.suggested, "without its training data") {
					t.Errorf("without data, the packed model prints\n%+v\nwant as from the run\n%+v",
						got, want[i])
				}
			})
		}
	})
	conditioned := 0
	for _, without := range bare {
		if !without {
			conditioned++
		}
	}
	if conditioned == 0 || conditioned == len(families) {
		t.Errorf("%d of %d families need their data; want some", conditioned, len(families))
	}
}

// Models of classes, counts and several targets travel, too: the first family that accepts such targets packs
// a model that predicts the same digits as its run.
func TestTasksTravel(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	file := func(head string, row func(i int) string) string {
		text := head + "\n"
		for i := range 40 {
			text += fmt.Sprintf("%.3g,%s\n", float64(i)/10, row(i))
		}
		path := filepath.Join(t.TempDir(), "task.csv")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	wave := func(i int) float64 { return math.Sin(float64(i) / 5) }
	for name, c := range map[string]struct {
		accepts func(models.Spec) bool
		file    string
		targets []string
		log     []string
	}{
		"two classes": {func(s models.Spec) bool { return s.Accepts.Binary },
			file("x,y", func(i int) string { return []string{"no", "yes"}[i/4%2] }), nil, nil},
		"classes": {func(s models.Spec) bool { return s.Accepts.Multiclass },
			file("x,y", func(i int) string { return []string{"a", "b", "c"}[i/4%3] }), nil, nil},
		"counts": {func(s models.Spec) bool { return s.Accepts.Count },
			file("x,y", func(i int) string { return fmt.Sprint(i * 7 % 13) }), []string{"y:count"}, nil},
		"two targets": {func(s models.Spec) bool { return s.Accepts.Outputs },
			file("x,y,z", func(i int) string { return fmt.Sprintf("%g,%g", wave(i), wave(2*i)) }),
			[]string{"y", "z"}, nil},
		"missing targets": {func(s models.Spec) bool { return s.Accepts.Missing && s.Accepts.Outputs },
			file("x,y,z", func(i int) string {
				if i%5 == 0 {
					return fmt.Sprintf("%g,", wave(i))
				}
				return fmt.Sprintf("%g,%g", wave(i), wave(2*i))
			}), []string{"y", "z"}, nil},
		"logarithms": {func(s models.Spec) bool { return s.Accepts.Regression },
			file("x,y", func(i int) string { return fmt.Sprint(math.Exp(wave(i))) }), nil, []string{"y"}},
	} {
		t.Run(name, func(t *testing.T) {
			at := slices.IndexFunc(models.Families(), c.accepts)
			if at < 0 {
				t.Skip("no family accepts such targets")
			}
			config := travelConfig(models.Families()[at], c.file)
			config.Targets, config.Columns.Log = c.targets, c.log
			run := trained(t, config)
			want := predictText(run, "x\n0.25\n3\n7\n", 0)
			if !strings.HasPrefix(want, "row,") {
				t.Fatal(want)
			}
			var out bytes.Buffer
			if _, err := Pack(context.Background(), run, &out, PackOptions{}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "a"+rundir.PackSuffix)
			if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			model, err := rundir.FindModel(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := predictText(model, "x\n0.25\n3\n7\n", 0); got != want {
				t.Errorf("the packed model predicts\n%s\nwant as from the run\n%s", got, want)
			}
		})
	}
}
