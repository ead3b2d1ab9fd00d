package probe

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/task"
)

// rowsFor returns new rows for the model of a probe that was trained on a file with the given text.
func rowsFor(t *testing.T, p *Probe, file, rows string) *datasets.Rows {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.csv")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	ds, err := datasets.Load(t.Context(), datasets.Source{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	out, err := datasets.NewRows(ds, p.Data.Scaling, "rows.csv", strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// parallels is a linear model whose drawn functions are its mean and the mean shifted by 1.
type parallels struct{ *linear }

func (m parallels) DrawFunctions(x *mat.Dense, count int, _ uint64) (draws [][][]float64, err error) {
	n, _ := x.Dims()
	for shift := range min(count, 2) {
		f := make([]float64, n)
		for i := range f {
			f[i] = float64(shift) + x.At(i, 0)*m.weight[0] + x.At(i, 1)*m.weight[1]
		}
		draws = append(draws, [][]float64{f})
	}
	return draws, nil
}

// onFile returns a probe for a model of the inputs a and b of a file. The target is 10 + 2 (a + 2 b) with
// the standard deviation 2. The probability of the second class is the standard normal distribution
// function at (a + 2 b) / sqrt 2. In the training set a is from 1 to 3, and b from 1 to 2.5.
func onFile(t *testing.T, m *linear) *Probe {
	p := onPlane(m)
	p.ctx = t.Context()
	p.Model = parallels{m}
	p.columns = columnNames{targets: []string{"y"}}
	p.Data.Scaling.InputMin, p.Data.Scaling.InputMax = []float64{1, 1}, []float64{3, 2.5}
	if m.class {
		p.Data.Task, p.Data.Classes = task.Binary, []string{"no", "yes"}
	} else {
		p.Data.Scaling.TargetMean[0], p.Data.Scaling.TargetSD[0] = 10, 2
	}
	return p
}

const (
	realRows  = "a,b,y\n1,2,3\n2,2.5,4.5\n3,1,0.5\n"
	classRows = "a,b,y\n1,2,no\n2,2.5,yes\n3,1,no\n"
)

// Predictions of new rows are tables or JSON objects in original units.
func TestPredictRows(t *testing.T) {
	for name, c := range map[string]struct {
		file, rows string
		class      bool
		o          RowOptions
		scored     bool
		want       string
	}{
		"real targets": {realRows, "b,a,y\n1,0.5,17\n2,-4,\n", false, RowOptions{}, true,
			"row,y,y_mean,y_sd,log_lik,outside\n1,17,15,2,-2.112085713764618,a\n2,,10,2,,a\n"},
		"quantiles and draws": {realRows, "a,b\n0.5,1\n0,0\n", false,
			RowOptions{Quantiles: []float64{0.05, 0.5}, Draws: 3}, false,
			"row,y_mean,y_sd,y_q5,y_q50,y_draw1,y_draw2,outside\n" +
				"1,15,2,11.710292746097055,15,15,17,a\n2,10,2,6.710292746097055,10,10,12,a; b\n"},
		"JSON": {realRows, "a,b,y\n0.5,1,\n", false, RowOptions{Format: JSON}, false,
			`{"event":"row","row":1,"y":null,"y_mean":15,"y_sd":2,"log_lik":null,"outside":"a"}` + "\n"},
		"classes": {classRows, "a,b,y\n2,-1,yes\n-2,0,\n", true, RowOptions{}, true,
			"row,y,y_class,p_no,p_yes,log_lik,outside\n1,yes,yes,0.5,0.5,-0.6931471805599453,b\n" +
				"2,,no,0.9213503964748574,0.0786496035251426,,a; b\n"},
		"classes as JSON": {classRows, "a,b\n2,-1\n", true, RowOptions{Format: JSON}, false,
			`{"event":"row","row":1,"y_class":"yes","p_no":0.5,"p_yes":0.5,"outside":"b"}` + "\n"},
	} {
		p := onFile(t, &linear{class: c.class})
		var out strings.Builder
		var progress []int
		c.o.Progress = func(rows int) { progress = append(progress, rows) }
		done, err := p.PredictRows(t.Context(), rowsFor(t, p, c.file, c.rows), &out, 4, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if out.String() != c.want {
			t.Errorf("%s:\n%swant\n%s", name, out.String(), c.want)
		}
		n := strings.Count(c.rows, "\n") - 1
		if done.Rows != n || !slices.Equal(progress, []int{n}) || done.Samples != 1 ||
			done.Draws != min(c.o.Draws, 2) || done.FewerDraws != (c.o.Draws > 2) ||
			(done.Scores != nil) != c.scored {
			t.Errorf("%s: %+v, progress %v", name, done, progress)
		}
	}
}

// nowhere fails all writes.
type nowhere struct{}

func (nowhere) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// PredictRows returns the errors of the model, of the rows and of the output. The error of a prediction
// names its row.
func TestErrorsOfRows(t *testing.T) {
	no := errors.New("no")
	for name, c := range map[string]struct {
		m    *linear
		rows string
		out  io.Writer
		o    RowOptions
		want string
	}{
		"model":      {&linear{err: no}, "1,2", io.Discard, RowOptions{}, "no"},
		"no number":  {&linear{}, "1,x", io.Discard, RowOptions{}, "rows.csv"},
		"drawn rows": {&linear{}, "1,x", io.Discard, RowOptions{Draws: 2}, "rows.csv"},
		"overflow": {&linear{}, "1,2\n1e308,1e308", io.Discard, RowOptions{},
			"the prediction of row 2 is NaN"},
		"output":       {&linear{}, "1,2", nowhere{}, RowOptions{}, "closed pipe"},
		"JSON output":  {&linear{}, "1,2", nowhere{}, RowOptions{Format: JSON}, "closed pipe"},
		"large output": {&linear{}, strings.Repeat("1,2\n", 2000), nowhere{}, RowOptions{}, "closed pipe"},
		"large JSON": {&linear{}, strings.Repeat("1,2\n", 2000), nowhere{}, RowOptions{Format: JSON},
			"closed pipe"},
		"joint rows": {&linear{}, strings.Repeat("1,2\n", mostJointRows+1), io.Discard, RowOptions{Draws: 1},
			"no more than"},
		"numbers": {&linear{}, strings.Repeat("1,2\n", 2000), io.Discard, RowOptions{Draws: mostDrawn / 1000},
			"are too many"},
	} {
		p := onFile(t, c.m)
		_, err := p.PredictRows(t.Context(), rowsFor(t, p, realRows, "a,b\n"+c.rows+"\n"), c.out, 4, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	p := onFile(t, &linear{})
	p.Model = faulty{&linear{weight: []float64{1, 2}}, no}
	rows := rowsFor(t, p, realRows, "a,b\n1,2\n")
	if _, err := p.PredictRows(t.Context(), rows, io.Discard, 4, RowOptions{Draws: 1}); !errors.Is(err, no) {
		t.Errorf("draws: error %v", err)
	}
}

// Levels are ascending and distinct. Percentages must lie between 0 and 100.
func TestParseQuantiles(t *testing.T) {
	got, err := ParseQuantiles(" 97.5%, 2.5,50,50 ")
	if err != nil || !slices.Equal(got, []float64{0.025, 0.5, 0.975}) {
		t.Errorf("%v, %v", got, err)
	}
	none, err := ParseQuantiles(" ")
	if none != nil || err != nil {
		t.Errorf("no text: %v, %v", none, err)
	}
	if _, err := ParseQuantiles(strings.Repeat("1,", 99) + "2"); err != nil {
		t.Errorf("100 levels: %v", err)
	}
	for _, text := range []string{"x", "0", "100", "-1", "5,", strings.Repeat("1,", 100) + "2"} {
		if got, err := ParseQuantiles(text); err == nil {
			t.Errorf("%.9s: %v", text, got)
		}
	}
}

// Target names in tables of predictions are escaped.
func TestPredictionColumnsAreEscaped(t *testing.T) {
	var b strings.Builder
	w := &rowWriter{out: newRowFormat(&b, CSV, 0), targets: []string{"=y"}, has: []bool{true}}
	if err := w.head(); err != nil {
		t.Fatal(err)
	}
	if err := w.out.end(); err != nil || b.String() != "row,'=y,'=y_mean,'=y_sd,outside\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
