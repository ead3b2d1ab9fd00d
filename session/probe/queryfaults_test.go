package probe

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/familytest"
)

// queried is a model for queries.
type queried struct {
	family string
	set    map[string]string
	target func(y float64) string
}

// queriedModels lists a model with an exact posterior and a classifier with a sampled one.
var queriedModels = []queried{
	{"gp", nil, realTarget},
	{"star", map[string]string{"layers": "2", "width": "2", "inducing": "5", "samples": "2"}, gradeTarget},
}

func realTarget(y float64) string { return fmt.Sprintf("%.4f", y) }

func classTarget(y float64) string {
	if y > 1 {
		return "high"
	}
	return "low"
}

func gradeTarget(y float64) string {
	if math.Abs(y-1) < 0.7 {
		return "middle"
	}
	return classTarget(y)
}

// probe returns a probe for the model after some steps.
func (q queried) probe(t *testing.T) *Probe {
	t.Helper()
	return probeOf(t, measured(q.target), q.family, q.set)
}

// measured returns a table of a category, two numbers and a time, with a target that depends on all.
func measured(target func(y float64) string) string {
	var text strings.Builder
	text.WriteString("colour,mass,height,day,y\n")
	for i := range 60 {
		mass := math.Mod(float64(i)*0.618, 1) * 5
		height := math.Mod(float64(i)*0.414, 1) - 0.5
		y := mass*height + float64(i%3) + 0.1*math.Sin(float64(50*i))
		fmt.Fprintf(&text, "%s,%.4f,%.4f,2026-%02d-%02d,%s\n", []string{"red", "green", "blue"}[i%3],
			mass, height, 1+i%12, 1+i%28, target(y))
	}
	return text.String()
}

// probeOf returns a probe for a model of a family, trained on a table for some steps.
func probeOf(t *testing.T, text, name string, set map[string]string, targets ...string) *Probe {
	t.Helper()
	source := datasets.Source{Name: "m.csv", Targets: targets}
	ds, err := datasets.ReadCSV(t.Context(), strings.NewReader(text), source)
	if err != nil {
		t.Fatal(err)
	}
	split, err := datasets.ParseSplit("interpolation:0")
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := datasets.Prepare(ds, split, 0.2, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := New(t.Context(), ds, prepared, 1)
	spec := familytest.Find(models.Families(), name)
	p.Model, err = spec.New(familytest.Values(t, spec, set), family.Data{
		X: prepared.Train.X, Y: prepared.Train.Y, Task: ds.Task, Classes: len(ds.Classes),
		Inputs: ds.Inputs, Columns: p.Columns(),
	}, 1)
	if err != nil {
		t.Fatal(err)
	}
	familytest.Steps(t, p.Model, 4)
	return p
}

// newRows returns two rows for predictions.
func newRows(t *testing.T, p *Probe, q queried) *datasets.Rows {
	t.Helper()
	ds, err := datasets.ReadCSV(t.Context(), strings.NewReader(measured(q.target)),
		datasets.Source{Name: "m.csv"})
	if err != nil {
		t.Fatal(err)
	}
	text := "colour,mass,height,day,y\nred,0.5,1.2,2026-03-04," + q.target(0.5) +
		"\nblue,-1,0.1,2026-11-30,\n"
	rows, err := datasets.NewRows(ds, p.Data.Scaling, "rows.csv", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Each query returns the error of a numerical operation that fails and of a context that is cancelled.
func TestEveryFaultOfQueries(t *testing.T) {
	for _, q := range queriedModels {
		whole := q.probe(t)
		for name, query := range map[string]func(p *Probe, ctx context.Context) error{
			"fit":   func(p *Probe, ctx context.Context) error { _, err := p.Fit(ctx, 4); return err },
			"plane": func(p *Probe, ctx context.Context) error { _, err := p.Plane(ctx, 4); return err },
			"test":  func(p *Probe, ctx context.Context) error { _, _, err := p.Test(ctx, 3); return err },
			"validate": func(p *Probe, ctx context.Context) error {
				_, err := p.Validate(ctx, 4, 5, 3)
				return err
			},
			"objective": func(p *Probe, ctx context.Context) error {
				_, err := p.Objective(ctx, 7)
				return err
			},
			"leave out": func(p *Probe, ctx context.Context) error {
				_, _, err := p.LeaveOneOut(ctx, 5)
				return err
			},
			"rows": func(p *Probe, ctx context.Context) error {
				o := RowOptions{Draws: 2}
				_, err := p.PredictRows(ctx, newRows(t, p, q), io.Discard, 3, o)
				return err
			},
			"suggest": func(p *Probe, ctx context.Context) error {
				_, err := p.Suggest(ctx, nil, 3, SuggestOptions{Criterion: ALC, Count: 2, Hypercube: 4})
				return err
			},
		} {
			familytest.Faults{}.Every(t, q.family+" "+name, func(ctx context.Context) error {
				p := *whole
				p.plan, p.near, p.inputs = nil, nearest{}, nil
				return query(&p, ctx)
			}, nil)
		}
	}
}

// limited fails after some writes.
type limited struct{ left int }

func (w *limited) Write(text []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(text), nil
}

// No rows are predicted after an error of the output.
func TestPredictionsEndWithTheOutput(t *testing.T) {
	for _, format := range []Format{CSV, JSON} {
		p := onFile(t, &linear{})
		rows := rowsFor(t, p, realRows, "a,b\n"+strings.Repeat("1,2\n", 6000))
		last := 0
		o := RowOptions{Format: format, Progress: func(rows int) { last = rows }}
		_, err := p.PredictRows(t.Context(), rows, &limited{1}, 4, o)
		if err == nil || last > 1024 {
			t.Errorf("%s: %d rows, %v", format, last, err)
		}
	}
}
