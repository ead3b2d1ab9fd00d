package probe

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models/familytest"
	"dgplab/viz/golden"
)

// queried is a model whose queries are recorded.
type queried struct {
	family  string
	set     map[string]string
	target  func(y float64) string
	targets []string
}

// queriedModels lists models of all tasks, with exact and with sampled posteriors.
var queriedModels = []queried{
	{"gp", nil, realTarget, nil},
	{"svgp", map[string]string{"inducing": "6"}, classTarget, nil},
	{"star", map[string]string{"layers": "2", "width": "2", "inducing": "5", "samples": "2"}, gradeTarget,
		nil},
	{"gprn", map[string]string{"latents": "2"}, realTarget, []string{"mass", "y"}},
	{"bnn-vi", map[string]string{"hidden_width": "4"}, realTarget, nil},
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
	return probeOf(t, measured(q.target), q.family, q.set, q.targets...)
}

// newRows returns rows for predictions. Some cells are missing, or have unknown levels, and the columns have
// any order.
func newRows(t *testing.T, f *golden.Filler, p *Probe, q queried, odd bool) *datasets.Rows {
	t.Helper()
	text := measured(q.target)
	ds, err := datasets.ReadCSV(t.Context(), strings.NewReader(text),
		datasets.Source{Name: "m.csv", Targets: q.targets})
	if err != nil {
		t.Fatal(err)
	}
	columns := []string{"colour", "mass", "height", "day", "y"}
	f.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	last := ""
	if q.targets == nil && f.IntN(2) == 0 {
		last = "y" // left out
	}
	var b strings.Builder
	line := func(cell func(column string) string) {
		var cells []string
		for _, c := range columns {
			if c != last {
				cells = append(cells, cell(c))
			}
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	line(func(c string) string { return c })
	for i := range 7 {
		line(func(c string) string {
			switch c {
			case "colour":
				if odd && i%3 == 1 {
					return golden.Pick(f, "violet", "pink")
				}
				return golden.Pick(f, "red", "green", "blue")
			case "day":
				return fmt.Sprintf("2026-%02d-%02d", 1+f.IntN(12), 1+f.IntN(28))
			case "y":
				if f.IntN(4) == 0 {
					return ""
				}
				return q.target(f.NormFloat64())
			case "mass":
				if len(q.targets) > 0 && f.IntN(2) == 0 {
					return ""
				}
			}
			return fmt.Sprintf("%.2f", 3*f.NormFloat64())
		})
	}
	rows, err := datasets.NewRows(ds, p.Data.Scaling, "rows.csv", strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestRecordedRows compares the predictions of random rows with random options, and other queries, with
// recorded checksums.
func TestRecordedRows(t *testing.T) {
	f := golden.NewFiller(14)
	var sums golden.Sums
	for _, q := range queriedModels {
		p := q.probe(t)
		for range 8 {
			o := RowOptions{
				IgnoreUnknown: f.IntN(2) == 0, JSON: f.IntN(2) == 0,
				Quantiles: golden.Pick(f, nil, []float64{0.5}, []float64{0.025, 0.5, 0.975}),
			}
			if f.IntN(2) == 0 && q.family != "bnn-vi" {
				o.Draws = 1 + f.IntN(3)
			}
			odd := f.IntN(3) == 0
			var out strings.Builder
			rows := newRows(t, f, p, q, odd)
			done, err := p.PredictRows(t.Context(), rows, &out, golden.Pick(f, 2, 3000), o)
			sums.AddRounded(t, q.family+": rows", out.String())
			sums.AddRounded(t, q.family+": summary", done)
			sums.Add(q.family+": summary", fmt.Sprint(err))
		}
		for _, c := range []Criterion{ALM, ALC, EI} {
			o := SuggestOptions{Criterion: c, Count: 1 + f.IntN(3), Hypercube: 9, Maximise: f.IntN(2) == 0}
			s, err := p.Suggest(t.Context(), nil, 3, o)
			sums.AddRounded(t, q.family+": suggestions", s)
			sums.Add(q.family+": suggestions", fmt.Sprint(err))
			s, err = p.Suggest(t.Context(), newRows(t, f, p, q, false), 3, o)
			sums.AddRounded(t, q.family+": suggestions", s)
			sums.Add(q.family+": suggestions", fmt.Sprint(err))
		}
		loo, points, err := p.LeaveOneOut(t.Context(), golden.Pick(f, 5, 100))
		sums.AddRounded(t, q.family+": left out", loo)
		if points != nil {
			points.Distance = nil // NaN
		}
		sums.AddRounded(t, q.family+": left out", points.Thin(4))
		sums.Add(q.family+": left out", fmt.Sprint(err))
		for _, batch := range []int{0, 7} {
			e, err := p.Objective(t.Context(), batch)
			sums.AddRounded(t, q.family+": objective", e)
			sums.Add(q.family+": objective", fmt.Sprint(err))
		}
		sums.Add(q.family+": state", fmt.Sprint(p.Callable(), p.Abandoned(), (*Probe)(nil).Callable()))
		checkTests(t, &sums, q.family+": tests", p)
		a, err := p.JointAt(t.Context(), 3, 4)
		sums.AddRounded(t, q.family+": joint", a)
		sums.Add(q.family+": joint", fmt.Sprint(err))
		if err == nil {
			b := *a
			b.Noise = []float64{2, 3}[:len(a.Noise)]
			d, err := a.Distance(&b)
			sums.AddRounded(t, q.family+": joint", d)
			sums.Add(q.family+": joint", fmt.Sprint(err))
		}
	}
	sums.Check(t, "rows")
}

// checkTests adds the scores and the distances of a test set with missing targets, and of an empty one.
func checkTests(t *testing.T, sums *golden.Sums, group string, p *Probe) {
	t.Helper()
	data := *p.Data
	whole := data.Test
	changed := *p
	changed.Data, changed.near = &data, nearest{}
	data.Test.Y = mat.DenseCopyOf(whole.Y)
	data.Test.Y.Set(1, 0, math.NaN())
	data.Train.Y = mat.DenseCopyOf(data.Train.Y)
	data.Train.Y.Set(2, 0, math.NaN())
	metrics, points, err := changed.Test(t.Context(), 3)
	sums.AddRounded(t, group, metrics)
	sums.Add(group, fmt.Sprint(err))
	if points != nil {
		sums.AddRounded(t, group, []any{points.Distance, points.Near, points.Training})
	}
	data.Test = datasets.Part{}
	metrics, points, err = changed.Test(t.Context(), 3)
	sums.Add(group, fmt.Sprint(metrics, points, err))
}

// Each query returns the error of a numerical operation that fails and of a context that is cancelled.
func TestEveryFaultOfQueries(t *testing.T) {
	for _, q := range []queried{queriedModels[0], queriedModels[2]} {
		whole := q.probe(t)
		rows := golden.NewFiller(15)
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
				_, err := p.PredictRows(ctx, newRows(t, rows, p, q, false), io.Discard, 3, o)
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
	for _, json := range []bool{false, true} {
		p := onFile(t, &linear{})
		rows := rowsFor(t, p, realRows, "a,b\n"+strings.Repeat("1,2\n", 6000))
		last := 0
		o := RowOptions{JSON: json, Progress: func(rows int) { last = rows }}
		_, err := p.PredictRows(t.Context(), rows, &limited{1}, 4, o)
		if err == nil || last > 1024 {
			t.Errorf("JSON %v: %d rows, %v", json, last, err)
		}
	}
}
