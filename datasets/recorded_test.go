package datasets

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/datasets/table"
	"dgplab/viz/golden"
)

// messy returns a table with an index, a time, categories, a constant, units, missing cells and rare
// values.
func messy() string {
	var text strings.Builder
	text.WriteString("id,when,kind,mass (kg),flag,same,sparse,rare,y\n")
	for i := range 70 {
		sparse := ""
		if i%5 != 0 {
			sparse = fmt.Sprint(i * i % 17)
		}
		kind := []string{"a", "b", "b", "c", "d e"}[i*7%5]
		rare := "common"
		if i == 40 {
			rare = "once"
		}
		fmt.Fprintf(&text, "%d,2024-%02d-%02d 0%d:00,%s,%.3f,", i+1, 1+i%12, 1+i%28, i%10, kind,
			100*math.Sin(float64(i)))
		fmt.Fprintf(&text, "%s,7,%s,%s,%.3f\n", []string{"yes", "no"}[i%2], sparse, rare,
			math.Sqrt(float64(i)))
	}
	return text.String()
}

// TestRecordedData compares the built-in data sets, tables in several notations, and their parts with
// recorded digests.
func TestRecordedData(t *testing.T) {
	var d golden.Digest
	addParts := func(ds *Dataset, split Split) {
		p, err := Prepare(ds, split, 0.1, 1)
		d.Add(t, "parts", p.Warnings, err)
		for name, part := range map[string]Part{
			"train": p.Train, "validation": p.Validation, "test": p.Test,
		} {
			d.Add(t, name+".rows", part.Rows, nil)
			if part.Len() > 0 {
				d.Add(t, name+".x", part.X.RawMatrix().Data, nil)
				d.Add(t, name+".y", part.Y.RawMatrix().Data, nil)
			}
		}
		d.Add(t, "scaling", p.Scaling, nil)
	}
	for _, g := range generators {
		ds := g.make()
		d.Begin(g.info.Name)
		d.Add(t, "x", ds.X.RawMatrix().Data, nil)
		d.Add(t, "y", ds.Y.RawMatrix().Data, nil)
		d.Add(t, "names", [][]string{ds.Inputs, ds.Targets, ds.Classes}, nil)
		addParts(ds, DefaultSplit(ds))
	}
	means := table.Choices{Missing: table.MissingMean}
	ds, err := ReadCSV(t.Context(), strings.NewReader(messy()), Source{Name: "messy.csv", Columns: means})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"interpolation:1", "random811:2", "extrapolation:0"} {
		split, err := ParseSplit(text)
		if err != nil {
			t.Fatal(err)
		}
		d.Begin("messy table, " + text)
		d.Add(t, "columns", ds.Columns, nil)
		d.Add(t, "notes", ds.Notes, nil)
		d.Add(t, "warnings", ds.Warnings, nil)
		addParts(ds, split)
	}
	path := filepath.Join(t.TempDir(), "messy.csv")
	if err := os.WriteFile(path, []byte(messy()), 0o600); err != nil {
		t.Fatal(err)
	}
	about, err := Describe(t.Context(), Source{Name: path, Columns: means})
	if err != nil {
		t.Fatal(err)
	}
	d.Begin("description")
	d.Add(t, "columns", about.Columns, nil)
	d.Add(t, "notes", about.Notes, nil)
	european := strings.NewReplacer(",", ";", ".", ",").Replace(messy())
	for _, other := range [][2]string{
		{"semicolons", european},
		{"tabs", strings.ReplaceAll(messy(), ",", "\t")},
		{"no header", messy()[strings.Index(messy(), "\n")+1:]},
	} {
		source := Source{Name: "other.csv", Columns: means}
		ds, err := ReadCSV(t.Context(), strings.NewReader(other[1]), source)
		if err != nil {
			t.Fatal(other[0], err)
		}
		d.Begin(other[0])
		d.Add(t, "columns", ds.Columns, nil)
		d.Add(t, "notes", ds.Notes, nil)
		d.Add(t, "warnings", ds.Warnings, nil)
		addParts(ds, DefaultSplit(ds))
	}
	d.Check(t, "results")
}
