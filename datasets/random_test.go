package datasets

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
	"dgplab/viz/golden"
)

// TestRandomTables reads random files, with the answers to all questions, prepares the data for training
// and reads new rows. All descriptions, errors and numbers must be as recorded. Only a few files have
// faults.
func TestRandomTables(t *testing.T) {
	var sums golden.Sums
	for i, theme := range themes {
		rng := rand.New(rand.NewPCG(uint64(i), 20))
		w := sums.Group(theme)
		count := 40
		if theme == "long" {
			count = 6
		}
		for k := range count {
			fmt.Fprintf(w, "file %d\n", k)
			useTable(t, w, newTable(rng, theme))
		}
	}
	sums.Check(t, "tables")
}

// useTable writes everything that can be known about a random file.
func useTable(t *testing.T, w io.Writer, r *tables) {
	text := r.file()
	s := Source{Name: "f.csv", Targets: r.targets()}
	var err error
	s.Columns, err = table.ParseChoices(r.items())
	if err != nil {
		fmt.Fprintln(w, err)
	}
	var ds *Dataset
	for range 6 {
		fmt.Fprintln(w, s.Targets, s.Columns.Items())
		describeTable(t, w, text, s)
		ds, err = ReadCSV(t.Context(), strings.NewReader(text), s)
		var trouble *table.Error
		if err == nil || !errors.As(err, &trouble) {
			break
		}
		fmt.Fprintln(w, err, trouble.WithoutFlags())
		answers := trouble.Remedies
		if trouble.Question != nil {
			answers = trouble.Question.Answers
		}
		if len(answers) == 0 {
			break
		}
		a := of(r, answers...)
		if a.Target != "" {
			s.Targets = []string{a.Target}
		} else {
			fmt.Fprintln(w, s.Columns.SetItem(a.Item))
		}
	}
	if err != nil {
		return
	}
	writeDataset(w, ds)
	splits := []string{"interpolation:1", "extrapolation:2", "random811:3", "outputs:0:1"}
	if len(ds.Targets) > 1 {
		splits = []string{"outputs:" + ds.Targets[0], "outputs:0+1:1", "outputs:1:2", "random811"}
	}
	if r.IntN(4) == 0 {
		n, _ := ds.X.Dims()
		ds.TestRows = [][]int{{0}, {n - 1, 0}, {n / 2, n - r.IntN(2)}}
		splits = []string{"standard", "standard:1", "standard:2", "standard:3", "outputs:0:1"}
	}
	if r.IntN(10) == 0 {
		splits = []string{"standard", "random:1", "outputs::1", "outputs:0+no:1", "extrapolation:-1"}
	}
	for range 2 {
		p := prepareTable(w, r, ds, of(r, splits...))
		if p == nil {
			continue
		}
		for range 2 {
			readFresh(t, w, r, ds, p.Scaling)
		}
	}
}

// describeTable writes the description of a file.
func describeTable(t *testing.T, w io.Writer, text string, s Source) {
	options := table.ReadOptions{Labels: true, Choices: s.Columns}
	read, err := table.Read(t.Context(), s.Name, strings.NewReader(text), options)
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	d, err := report(read, s.Targets)
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	fmt.Fprintln(w, d.Rows, d.Dropped, d.N(), d.D, d.P, d.Task, d.Delimiter, d.Notes, d.Warnings, d.Err,
		d.Summary(), d.Questions())
	for _, c := range d.Columns {
		c.Mean = rounded(c.Mean / max(math.Abs(c.Min), math.Abs(c.Max), math.SmallestNonzeroFloat64))
		question := c.Question
		c.Question = nil
		fmt.Fprintf(w, "%+v %v %v %d\n", c, question, c.Seconds(), c.Width())
	}
}

// writeDataset writes a data set in full.
func writeDataset(w io.Writer, ds *Dataset) {
	fmt.Fprintln(w, ds.Name, ds.Title, ds.Origin, ds.Task, ds.Classes, ds.LogTargets, ds.MeanInputs,
		ds.Inputs, ds.Targets, ds.Notes, ds.Warnings, table.Texts(ds.Warnings), ds.ClassCounts())
	writeMatrix(w, ds.X)
	writeMatrix(w, ds.Y)
	for _, c := range ds.InputColumns() {
		fmt.Fprintf(w, "%+v", c)
		for i := range min(3, ds.X.RawMatrix().Rows) {
			inputs := ds.X.RawRowView(i)[c.First : c.First+c.Width]
			level := c.Level(inputs)
			encoded := make([]float64, c.Width)
			c.Encode(encoded, level)
			fmt.Fprint(w, level, encoded)
		}
	}
}

// prepareTable writes the data prepared for training. It returns nil after an error.
func prepareTable(w io.Writer, r *tables, ds *Dataset, text string) *Prepared {
	split, err := ParseSplit(text)
	if err == nil {
		split, err = split.Named(ds)
	}
	fmt.Fprintln(w, split, err)
	if err != nil {
		return nil
	}
	ds, err = ds.For(split, r.IntN(2) == 0, r.IntN(2) == 0)
	if err != nil {
		fmt.Fprintln(w, err)
		return nil
	}
	fmt.Fprintln(w, ds.Uses, ds.Targets)
	p, err := Prepare(ds, split, of(r, 0, 0.1, 0.1, 0.3, 0.9), r.Uint64N(3))
	if err != nil {
		fmt.Fprintln(w, err)
		return nil
	}
	fmt.Fprintln(w, DefaultSplit(ds), p.Task, p.Classes, p.Inputs, p.Warnings)
	name, row, count := p.FirstMissing(ds.Targets)
	fmt.Fprintln(w, name, row, count)
	for _, part := range []Part{p.Train, p.Validation, p.Test} {
		fmt.Fprintln(w, part.Len(), part.Rows)
		if part.Len() == 0 {
			continue
		}
		writeMatrix(w, part.X)
		writeMatrix(w, part.Y)
		x := mat.DenseCopyOf(part.X)
		p.Scaling.UnscaleInputs(x)
		y := mat.DenseCopyOf(part.Y)
		p.Scaling.UnscaleTargets(y)
		v := p.Scaling.Input(0, part.X.At(0, 0))
		fmt.Fprintf(w, "%.6g %.6g %.6g\n", mat.Norm(x, 1), mat.Norm(y, 1),
			rounded(p.Scaling.StandardInput(0, v)))
	}
	return p
}

// readFresh writes rows for a model of the data set.
func readFresh(t *testing.T, w io.Writer, r *tables, ds *Dataset, s Scaling) {
	if len(s.TargetMean) != len(ds.Targets) {
		return
	}
	rows, err := NewRows(ds, s, "new.csv", strings.NewReader(r.fresh(ds)))
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	if r.IntN(2) == 0 {
		rows.IgnoreUnknown()
	}
	for {
		b, err := rows.Next(t.Context(), 1+r.IntN(8))
		fmt.Fprintln(w, rows.Dropped(), rows.Targets(), rows.HasTarget(), err)
		if err != nil {
			return
		}
		fmt.Fprintln(w, b.Rows, b.Unknown, b.lines)
		writeMatrix(w, b.X)
		writeMatrix(w, b.Y)
		writeMatrix(w, b.Targets)
	}
}

// writeMatrix writes the numbers of a matrix in ten digits, without rounding errors of small numbers.
func writeMatrix(w io.Writer, m *mat.Dense) {
	rows, columns := m.Dims()
	fmt.Fprintln(w, rows, columns)
	for _, v := range m.RawMatrix().Data {
		fmt.Fprintf(w, "%.10g ", rounded(v))
	}
	fmt.Fprintln(w)
}

// rounded rounds a number below 1 to ten decimal places.
func rounded(v float64) float64 {
	if math.Abs(v) >= 1 {
		return v
	}
	return math.Round(v*1e10)/1e10 + 0 // not -0
}
