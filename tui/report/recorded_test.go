package report

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"dgplab/datasets/table"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/reproduce"
	"dgplab/session/rundir"
	"dgplab/session/rundir/rundirtest"
	"dgplab/session/sweep"
	"dgplab/viz/canvas"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
	"dgplab/viz/plots"
)

// TestRecordedNumbers compares the texts of random numbers with recorded ones.
func TestRecordedNumbers(t *testing.T) {
	f := golden.NewTypicalFiller(41)
	var sums golden.Sums
	for range 3000 {
		x := f.Float() * golden.Pick(f, 1.0, 1, 10, 1000)
		n := f.IntN(golden.Pick(f, 2, 50, 5000, 30000000)) - f.IntN(3)
		sums.Add("counts", Grouped(n), Plural(n, "run", "runs"), Padded(Grouped(n), 8), Parameters(n,
			f.IntN(3000)),
			Bytes(int64(n)))
		sums.Add("numbers", Number(x), Score(x), Share(x), WithError(x, f.Float()))
		sums.Add("times", Seconds(math.Abs(math.Min(x, 1e6))), StepText(time.Duration(n)*time.Microsecond))
	}
	sums.Check(t, "numbers")
}

// TestRecordedRuns compares the texts about random runs with recorded ones.
func TestRecordedRuns(t *testing.T) {
	f := rundirtest.NewFiller(42)
	var sums golden.Sums
	golden.Among(f, session.Ended, session.Training)
	golden.Field(f, "Diagnostics", (*rundir.Diagnostics)(nil))
	for range 150 {
		run := golden.Of[rundir.Info](f)
		for _, c := range metric.Columns() {
			if c.Hyperparameter == nil {
				group := "text"
				if c.IsNumber() {
					group = fmt.Sprint("format ", c.Format)
				}
				sums.Add(group, Cell(c, metric.OfInfo(&run)))
			}
		}
		if run.Summary != nil && run.Summary.Test != nil {
			sums.Add("scores", Scores(run.Summary.Test, append(compare.UsualMetrics, "coverage95")...),
				strings.Join(Readings(metric.OfInfo(&run), "log_lik", "val.best", "seconds", "objective"),
					"; "))
		}
		score := golden.Of[compare.Score](f)
		for _, key := range []string{"rmse", "seconds", "objective", "step", "error_rate"} {
			sums.Add("means", Mean(metric.Get(key), score))
		}
		s := golden.Of[session.Snapshot](f)
		s.CheckpointStep = golden.Pick(f, -1, s.Step, s.Step/2)
		sums.Add("ends", StopReason(&s), ScoredText(golden.Pick(f, 0, 100, 200), 200),
			Evaluation(s.Evaluation))
		if s.Chains != nil {
			sums.Add("chains", MixingText(&s.Chains.ChainsSummary))
			for _, n := range s.Chains.Normality {
				sums.Add("chains", NormalityText(n))
			}
		}
		sums.Add("shared cores", SharedText(f.IntN(6), f.IntN(6)))
	}
	sums.Check(t, "runs")
}

// TestRecordedPlans compares the texts about random experiments, sweeps and their places with recorded ones.
func TestRecordedPlans(t *testing.T) {
	f := rundirtest.NewFiller(43)
	golden.Among(f, sweep.Statuses()...)
	golden.Among(f, sweep.PlacePending, sweep.PlaceRunning, sweep.PlaceRequeued, sweep.PlaceTimedOut,
		sweep.PlaceCancelled, sweep.PlaceFailed, sweep.PlaceLost, sweep.PlaceUnknown, sweep.PlaceDone)
	golden.Draw(f, func() int { return f.IntN(12) })
	jura, err := reproduce.Get("wilson2012/jura")
	if err != nil {
		t.Fatal(err)
	}
	var sums golden.Sums
	for range 400 {
		e := reproduce.Entry{Experiment: jura, Done: f.IntN(11), Seconds: golden.Pick(f, 0, 70.0, 4000),
			Unknown: f.IntN(3)}
		sums.Add("experiments", ExistingRuns(e), MissingTime(e),
			fmt.Sprint(HasUnknownTime([]reproduce.Entry{e})))
		p := &reproduce.Plan{State: &sweep.State{Cells: golden.Of[[]sweep.CellState](f)},
			Selected: f.IntN(20)}
		sums.Add("plans", PlanRuns(p), SweepTime(golden.Of[sweep.Estimate](f), f.IntN(4)))
		d := golden.Of[sweep.Decision](f)
		d.Kept = min(d.Kept, len(d.Ranking))
		sums.Add("halving", Decision(d), Halving(sweep.Grid{Halving: 2 + f.IntN(3), Rungs: f.IntN(4)}))
		places := golden.Of[sweep.Placements](f)
		sums.Add("places", Places(&places))
		cell := golden.Of[sweep.CellState](f)
		for _, at := range places.Cells {
			if at != nil {
				steps, rate, left := PlaceProgress(&cell, at)
				sums.Add("places", Place(at), steps, rate, left)
			}
		}
	}
	sums.Check(t, "plans")
}

// TestRecordedSheets compares the tables of random sheets, and the texts of random columns of files, with
// recorded ones.
func TestRecordedSheets(t *testing.T) {
	f := golden.NewTypicalFiller(44)
	golden.Among(f, table.Number, table.Category, table.Date, table.Text)
	golden.Among(f, table.Input, table.Target, table.Ignored)
	golden.Field(f, "Distinct", 0, 3, 17, table.MaxDistinct, table.MaxDistinct+1)
	golden.Field(f, "Text", "-", "NaN", "-1.50", "star", "wine_red")
	golden.Field(f, "SE", "", "", "0.10")
	golden.Draw(f, func() float64 { return math.Round(1e3*f.NormFloat64()) * golden.Pick(f, 1, 0.001, 10.0) })
	style := canvas.Style{}
	var sums golden.Sums
	for range 200 {
		s := compare.Sheet{Names: 1 + f.IntN(2), Notes: golden.Pick(f, nil, []string{"tied: not worse (x)",
			"other"})}
		for range s.Names + 1 + f.IntN(6) {
			s.Columns = append(s.Columns, golden.Pick(f, "rank", "boston", "a long name"))
		}
		for i := range 2 + f.IntN(4) {
			row := make([]compare.Entry, len(s.Columns))
			for k := range row {
				row[k] = golden.Of[compare.Entry](f)
			}
			if i == 0 && f.IntN(2) == 0 {
				s.Foot = row
				continue
			}
			s.Rows = append(s.Rows, row)
		}
		sums.Add("notes", SheetNotes(s)...)
		w := 10 + f.IntN(100)
		for _, table := range SheetTables(style, s, w) {
			sums.Add("tables", table.Render(style, w, len(table.Rows)+2)...)
			sums.Add("colours", table.Render(canvas.Style{Mode: canvas.ANSI256}, w, len(table.Rows)+2)...)
		}
		d := golden.Of[table.Description](f)
		columns := ColumnTable(&d, golden.Pick(f, style, canvas.Style{Mode: canvas.ANSI256}), f.IntN(12))
		sums.Add("columns", columns.Render(style, 100, len(columns.Rows)+2)...)
		r := &compare.Report{Set: &compare.Set{LeftOut: golden.Of[[]compare.LeftOut](f),
			Notes: golden.Of[[]string](f)}}
		sums.Add("remarks", Remarks(r, golden.Of[[]string](f))...)
		ranking := golden.Of[compare.Ranking](f)
		sums.Add("ranks", RankTests(&ranking))
	}
	sums.Check(t, "sheets")
}

// TestRecordedPrintableTexts compares what remains of random texts with control characters with recorded
// texts.
func TestRecordedPrintableTexts(t *testing.T) {
	f := golden.NewTypicalFiller(45)
	var sums golden.Sums
	for range 1500 {
		var b strings.Builder
		for range f.IntN(8) {
			b.WriteString(golden.Pick(f, "a", "b c", "\n", "\t", "\r", "\x07", "é", "\u202e", "\u2066",
				"\u00a0", "\x7f",
				"\u0085", "\x1b[0m", "\x1b[1;31m", "\x1b[38;5;6m", "\x1b[38;2;1;5;8m", "\x1b[48;5;8;5m",
				"\x1b[5m", "\x1b[8m",
				"\x1b[2J", "\x1b]0;title\x07", "\x1b[;m", "\x1b[6;1m", "\x1b[38m", "\x1b[48;2m", "\x1b",
				"\xff", `"\`))
		}
		text := b.String()
		sums.Add("lines", Printable(text))
		sums.Add("JSON", PrintableJSON(text))
		sums.Add("pictures", PrintablePicture(text, false), PrintablePicture(text, true))
		var out strings.Builder
		n, err := PrintableWriter{&out}.Write([]byte(text))
		sums.Add("writers", fmt.Sprint(n, err, out.String()))
	}
	sums.Check(t, "printable")
}

// TestRecordedViews compares the pictures of random planes and covariance maps with recorded ones.
func TestRecordedViews(t *testing.T) {
	f := golden.NewTypicalFiller(46)
	number := func() float64 { return math.Round(100*f.NormFloat64()) / 100 }
	var sums golden.Sums
	for range 60 {
		p := &view.Plane{Inputs: [2]string{"x", "town"}, Total: f.IntN(3000),
			Units: golden.Pick(f, [2]string{}, [2]string{"days since 1970", ""}, [2]string{"m", "s"})}
		for i := range 3 + f.IntN(5) {
			p.X = append(p.X, float64(i))
		}
		for i := range 2 + f.IntN(4) {
			p.Y = append(p.Y, float64(i))
		}
		if f.IntN(2) == 0 {
			p.YCategory = &view.Category{Names: []string{"low", "hi\x07gh", "mid", "x", "y", "z"}[:len(p.Y)]}
		}
		if f.IntN(4) == 0 {
			p.XCategory = &view.Category{Names: strings.Split("a b c d e f g h", " ")[:len(p.X)]}
		}
		field := view.Field{Name: "mean", Probability: f.IntN(2) == 0}
		for range len(p.X) * len(p.Y) {
			field.Values = append(field.Values, number())
		}
		p.Fields = []view.Field{field}
		points := view.PlanePoints{Name: "data"}
		for range f.IntN(9) {
			points.X = append(points.X, float64(f.IntN(len(p.X))))
			points.Y = append(points.Y, float64(f.IntN(len(p.Y))))
		}
		p.Points = []view.PlanePoints{points}
		m := Plane(p, 0)
		sums.Add("planes", m.Render(canvas.Style{}, 70, 20)...)
		sums.Add("values", fmt.Sprintf("%.4v %.4v %v %v %v %v %v %v", m.Points, m.Level, m.Lo, m.Hi,
			m.XLevels, m.YLevels,
			m.XDates, m.XName+m.YName))
	}
	sums.Check(t, "views")
}

// TestRecordedPages compares random pages and the files of random figures with recorded ones.
func TestRecordedPages(t *testing.T) {
	f := golden.NewTypicalFiller(47)
	golden.Field(f, "Rows", [][]compare.Entry(nil))
	golden.Field(f, "Columns", []string(nil))
	golden.Field(f, "Title", "Fit", "results by output")
	golden.Draw(f, func() Figure {
		bands := plots.Bands{X: []float64{0, 1, 2}}
		for range f.IntN(3) {
			band := plots.Band{Label: golden.Pick(f, "a", "b"), Mean: make([]float64, 3), SD: []float64{1,
				0.5, 2}}
			for i := range band.Mean {
				band.Mean[i] = float64(f.IntN(40)) / 4
			}
			bands.Bands = append(bands.Bands, band)
		}
		o := figure.Options{Title: golden.Pick(f, "", "Fit", "Fit of load"), Y: golden.Pick(f, "", "load",
			"a")}
		figure := NewFigure(golden.Pick(f, "fit", "fit-2"), bands, o)
		switch f.IntN(4) {
		case 0:
			figure.Picture = nil
		case 1:
			figure.CSV = nil
		}
		return figure
	})
	var sums golden.Sums
	for range 60 {
		var page strings.Builder
		if err := golden.Of[Page](f).Write(&page); err != nil {
			t.Fatal(err)
		}
		sums.Add("pages", page.String())
		formats := golden.Pick(f, []figure.Format{CSV}, []figure.Format{figure.SVG, CSV},
			[]figure.Format{figure.SVG},
			[]figure.Format{"npz", figure.SVG})
		for _, file := range Files(golden.Of[[]Figure](f), formats...) {
			var text strings.Builder
			err := file.Write(&text)
			sums.Add("files", file.Name, text.String(), fmt.Sprint(err))
			if text.Len() > 0 && file.Write(failing{}) == nil {
				t.Errorf("%s is written to a full disk", file.Name)
			}
		}
	}
	sums.Check(t, "pages")
}

// failing always fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }
