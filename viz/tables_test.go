package viz_test

import (
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/viz/curves"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
	"dgplab/viz/heatmap"
	"dgplab/viz/plots"
)

// writtenTable returns the table that a function writes, and checks that all rows have as many fields as the
// first line.
func writtenTable(t *testing.T, name string, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b.Bytes())).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%s: a table of %d rows, %v", name, len(rows), err)
	}
	return b.String()
}

// A table has every kind of column: names of bands, coordinates, names of rows and columns, and numbers, of
// which one is missing.
func TestTableOfMatrices(t *testing.T) {
	golden.Check(t, "matrices.csv", writtenTable(t, "matrices", demoMatrices().CSV))
}

// A table has the names of its columns in its first line, and the numbers of the picture in its rows.
func TestTables(t *testing.T) {
	small := heatmap.BlockMap{
		Parts: parts([]int{1, 1}, 4, 1),
		Log10: []float64{0.5, math.Inf(-1), math.Inf(-1), -3.25},
	}
	named := small
	named.Parts = []heatmap.Part{{Size: 4, Cells: 1, Name: "f_1"},
		{Group: 1, Size: 4, Cells: 1, Name: "w_1,10"}}
	series := curves.Curve{Series: []curves.Series{{Label: "a", Y: []float64{1, math.NaN()}},
		{Label: "b", X: []float64{0.5}, Y: []float64{2}}}}
	fits := demoFits(1)
	fits.List[0].X = fits.List[0].X[:2]
	layers := []plots.Layer{demoLayer(2)}
	layers[0].GPs[1].Curves[4][0] = 7
	type table struct {
		write func(io.Writer) error
		want  []string
	}
	tables := map[string]table{
		"map": {small.CSV, []string{"row_layer,row_gp,row_cell,column_layer,column_gp,column_cell,log10_abs",
			"1,1,1,2,1,1,-Inf", "2,1,1,2,1,1,-3.25"}},
		"map of named parts": {named.CSV, []string{"row_part,row_cell,column_part,column_cell,log10_abs",
			`"w_1,10",1,f_1,1,-Inf`}},
		"series": {series.CSV, []string{"name,x,y", "a,1,NaN", "b,0.5,2"}},
		"fits": {fits.CSV, []string{"run,label,what,x,y", "1,run 1,training points,0.2,1",
			"1,run 1,inducing inputs,9,", "1,run 1,draw 1,0,0", "1,run 1,95 % to,0,1"}},
		"predictions with two ranges": {demoAgainsts(1).CSV, []string{
			"run,label,observed,mean,95 % from,95 % to,50 % from,50 % to", "1,run 1,3,2.5,2,2.9,2.3,2.7"}},
		"relevance": {demoRelevance().CSV, []string{"run,label,input,lengthscale,relevance",
			"1,a,mass,0.5,2"}},
		"GPs of a layer": {func(w io.Writer) error { return plots.LayerGPsCSV(w, layers) },
			[]string{"layer,gp,mean,sd,min,max,share,collapsed", "1,2,0.1,1.2,-2,2.5,0.5,true"}},
		"curves of a layer": {func(w io.Writer) error { return plots.LayerCurvesCSV(w, layers) },
			[]string{"layer,gp,sample,x,value", "1,2,5,-3,7"}},
	}
	for name, f := range placed {
		p, _ := f.draw()
		tables[name+" of few numbers"] = table{p.CSV, f.table}
	}
	for name, c := range tables {
		lines := strings.Split(writtenTable(t, name, c.write), "\n")
		if lines[0] != c.want[0] {
			t.Errorf("%s: the columns are %q, want %q", name, lines[0], c.want[0])
		}
		for _, row := range c.want[1:] {
			if !slices.Contains(lines, row) {
				t.Errorf("%s: no row %q in\n%s", name, row, strings.Join(lines, "\n"))
			}
		}
	}
}

// Every picture that can be drawn has a table with as many fields in each row as in the first.
func TestAllFiguresHaveTables(t *testing.T) {
	for name, of := range figures {
		p, _ := of()
		writtenTable(t, name, p.CSV)
	}
}

// Formulas are escaped, numbers are not, and the fields of the caller do not change.
func TestCSVRunsNoFormulas(t *testing.T) {
	fields := []string{"=1+1", "+cmd", "-x", "@SUM(A1)", "\tx", "-1|x", "-0.5", "+1e3", "-Inf", "a=b", ""}
	kept := slices.Clone(fields)
	var b bytes.Buffer
	table := figure.NewTable(&b, "=head")
	table.Row(fields...)
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	if want := "'=head\n'=1+1,'+cmd,'-x,'@SUM(A1),'\tx,'-1|x,-0.5,+1e3,-Inf,a=b,\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if !slices.Equal(fields, kept) {
		t.Errorf("the fields are %q now", fields)
	}
}
