package probe

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/datasets/task"
	"dgplab/models/view"
)

// mixedTable has a category of three levels, a number, a boolean and a target. Most rows are red and
// yes, and the second row has no colour.
const mixedTable = `colour,mass,stock,price
red,1,yes,5
,2,yes,6
blue,3,no,1
red,4,yes,8
green,5,no,4
red,6,yes,9
blue,7,yes,7
red,8,no,6
`

// ofTable returns a probe for a linear model on the data of a table. All rows are training rows.
func ofTable(t *testing.T, text string, weight ...float64) *Probe {
	t.Helper()
	ds, err := datasets.ReadCSV(t.Context(), strings.NewReader(text),
		datasets.Source{Name: "f.csv", Columns: table.Choices{Missing: table.MissingMean}})
	if err != nil {
		t.Fatal(err)
	}
	n, d := ds.X.Dims()
	if len(weight) != d {
		t.Fatalf("%d weights for the inputs %q", len(weight), ds.Inputs)
	}
	data := &datasets.Prepared{Task: ds.Task, Classes: ds.Classes, Scaling: datasets.Scaling{
		TargetMean: []float64{0}, TargetSD: []float64{1},
	}}
	x := mat.DenseCopyOf(ds.X)
	for range d {
		data.Scaling.InputMean = append(data.Scaling.InputMean, 0.4)
		data.Scaling.InputSD = append(data.Scaling.InputSD, 0.7)
	}
	data.Scaling.ScaleInputs(x)
	for i := range n {
		for j := range d {
			if math.IsNaN(x.At(i, j)) {
				x.Set(i, j, 0)
			}
		}
	}
	data.Train = datasets.Part{X: x, Y: ds.Y, Targets: ds.Y}
	p := New(t.Context(), ds, data, 1)
	p.Model = &linear{weight: weight, spread: 0}
	return p
}

// decode describes a row of standardised inputs of mixedTable. A question mark stands for a missing level.
func decode(p *Probe, row []float64) string {
	var cells []string
	for _, c := range p.inputColumns() {
		level := p.levelOf(c, row)
		switch {
		case !c.Category():
			cells = append(cells, fmt.Sprintf("%.4g", p.valueOf(c, row)))
		case level < 0:
			cells = append(cells, "?")
		default:
			cells = append(cells, c.Levels[level])
		}
	}
	return strings.Join(cells, " ")
}

// Slices and partial dependence set a category to one level at a time and hold it at the most
// frequent level.
func TestFitOfCategories(t *testing.T) {
	p := ofTable(t, mixedTable, 1, 2, 3, 0.5, 10)
	f, err := p.Fit(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.Inputs, f.Categories, len(f.Lines)); got != "[colour mass stock] [0 2] 3" {
		t.Fatalf("inputs %s", got)
	}
	colour, mass, stock := f.Lines[0], f.Lines[1], f.Lines[2]
	if got := fmt.Sprint(*colour.Category, mass.Category, *stock.Category, colour.Grid, stock.Coarse); got !=
		"{[blue green red] [2 1 4] 0} <nil> {[no yes] [3 5] 0} [0 1 2] [0 1]" {
		t.Errorf("levels %s", got)
	}
	if len(colour.Slices) != 3 || len(mass.Slices) != 1 || len(stock.Slices) != 3 {
		t.Errorf("%d, %d and %d slices", len(colour.Slices), len(mass.Slices), len(stock.Slices))
	}
	along := p.plan.along.inputs(0, p.plan.along.n)
	var points []string
	for i := range rowsOf(along) - f.Held.Size() {
		points = append(points, decode(p, along.RawRowView(i)))
	}
	for _, want := range []string{"blue 4.5 yes", "green 4.5 yes", "red 4.5 yes", "red 4.5 no",
		"blue 1.7 yes", "red 7.3 no"} {
		if !slices.Contains(points, want) {
			t.Errorf("no slice has a point %s", want)
		}
	}
	dependence := p.plan.rows.inputs(0, p.plan.rows.n)
	for i := range rowsOf(dependence) {
		text := decode(p, dependence.RawRowView(i))
		row := p.Data.Train.X.RawRowView(i % f.Rows)
		// The row without a colour is red while other inputs vary.
		if missing := decode(p, row)[0] == '?'; strings.Contains(text, "?") ||
			missing && i >= len(colour.Coarse)*f.Rows && !strings.HasPrefix(text, "red") {
			t.Errorf("the dependence has a point %s", text)
		}
	}
	for _, text := range points {
		if strings.Contains(text, "?") || strings.HasPrefix(text, "blue") && strings.HasSuffix(text, "no") {
			t.Errorf("a slice has a point %s", text)
		}
	}
	// The second row has no colour.
	if got := fmt.Sprint(f.Train.X[0], f.Train.X[2]); got != "[2 NaN 0 2 1 2 0 2] [1 1 0 1 0 1 1 0]" {
		t.Errorf("training points at %s", got)
	}
	if got := fmt.Sprintf("%.4g", f.At[1]); got != "[2 4.5 1]" {
		t.Errorf("other inputs are held at %s", got)
	}
	middle := colour.Slices[1][0].Mean
	if d := middle[2] - middle[0]; !alike(d, (3-1)/0.7) {
		t.Errorf("red lies %g above blue", d)
	}
	mean := stock.Dependence[0].Mean
	if d := mean[1] - mean[0]; math.Abs(d-10/0.7) > 0.05 {
		t.Errorf("yes lies %g above no on average", d)
	}
	if colour.Inducing != nil {
		t.Error("inducing inputs are shown between levels")
	}
}

// A plane over a category and a number has a column of predictions for each level.
func TestPlaneOfCategories(t *testing.T) {
	text := strings.ReplaceAll(mixedTable, ",yes", "")
	p := ofTable(t, strings.ReplaceAll(strings.ReplaceAll(text, ",no", ""), ",stock", ""), 1, 2, 3, 0.5)
	plane, err := p.Plane(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := plane.Check(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(plane.Inputs, plane.X, plane.XCategory.Names, len(plane.Y), plane.YCategory); got !=
		"[colour mass] [0 1 2] [blue green red] 32 <nil>" {
		t.Errorf("plane %s", got)
	}
	values := plane.Fields[0].Values
	if d := values[2] - values[0]; math.Abs(d-2/0.7) > 0.05 {
		t.Errorf("red lies %g above blue", d)
	}
	if got := fmt.Sprint(plane.Points[0].X); got != "[2 NaN 0 2 1 2 0 2]" {
		t.Errorf("training points at %s", got)
	}
}

// A plane for classes holds other categories at their most frequent level.
func TestPlaneHoldsCategories(t *testing.T) {
	p := ofTable(t, mixedTable, 1, 2, 3, 0.5, 10)
	p.Data.Task = task.Binary
	p.Data.Train.Y = mat.NewDense(8, 1, []float64{1, 1, -1, 1, -1, 1, 1, -1}) // in stock or not
	m := p.Model.(*linear)
	m.class = true
	x, y, ok := p.planeAxes()
	if !ok || x.Name != "colour" || y.Name != "stock" {
		t.Fatalf("the plane is over %s and %s", x.Name, y.Name)
	}
	plane, err := p.Plane(t.Context(), 1)
	if err == nil {
		err = plane.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for i := range rowsOf(m.points) {
		seen = append(seen, decode(p, m.points.RawRowView(i)))
	}
	if want := []string{"blue 4.5 no", "green 4.5 no", "red 4.5 no",
		"blue 4.5 yes", "green 4.5 yes", "red 4.5 yes"}; !slices.Equal(seen, want) {
		t.Errorf("points %q", seen)
	}
	if plane.Others != 1 || plane.Categories != 0 {
		t.Errorf("%d others, %d categories", plane.Others, plane.Categories)
	}
}

// Models get the levels of each category with their standardised inputs, and views the names of the
// columns.
func TestColumnsForModels(t *testing.T) {
	p := ofTable(t, mixedTable, 1, 2, 3, 0.5, 10)
	for k, want := range []string{"0 3 [blue green red] [2 1 4] red", "3 1 <nil>",
		"4 1 [no yes] [3 5] yes"} {
		c := p.Columns()[k]
		got := fmt.Sprint(c.Input, c.Width, " <nil>")
		if c.Category != nil {
			held := c.Category.Names[c.Held]
			got = fmt.Sprint(c.Input, c.Width, c.Category.Names, c.Category.Counts, " ", held)
			row := make([]float64, 5)
			copy(row[c.Input:], c.Codes[c.Held])
			if level := decode(p, row); !strings.Contains(level, held) {
				t.Errorf("the inputs of the level held encode %s", level)
			}
		}
		if got != want {
			t.Errorf("column %d is %s, want %s", k, got, want)
		}
	}
	v := view.Views{Units: []view.Units{{Input: 3}}, Functions: &view.Functions{
		Others: []view.Functions{{Input: 3}, {Input: 4}}}}
	p.name(v)
	got := v.Units[0].Name
	for _, l := range v.Functions.Lines() {
		got += " " + l.Name
	}
	if got != "mass colour mass stock" {
		t.Errorf("columns %s", got)
	}
	numbers := ofTable(t, "a,b\n1,2\n3,5\n", 1)
	if numbers.Columns() != nil {
		t.Error("numbers have columns of their own")
	}
}

// Pictures show the most frequent levels of a category.
func TestManyLevels(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,y\n")
	// The first level occurs once, the second twice, and all others three times.
	for k := range mostLevels + 2 {
		for range 1 + min(k, 2) {
			fmt.Fprintf(&text, "%c,%d\n", 'a'+k, k)
		}
	}
	p := ofTable(t, text.String(), make([]float64, mostLevels+2)...)
	c := p.inputColumns()[0]
	names := c.category().Names
	if len(names) != mostLevels || c.category().More != 2 || names[0] != "c" || names[c.frequent] != "c" ||
		c.counts[0] != 3 {
		t.Errorf("levels %q and %d more, counts %v", names, c.category().More, c.counts)
	}
	if v := p.valueOf(c, p.Data.Train.X.RawRowView(0)); !math.IsNaN(v) {
		t.Errorf("a level that is left out has the value %v", v)
	}
}
