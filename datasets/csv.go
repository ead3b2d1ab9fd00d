package datasets

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"dgplab/datasets/files"
	"dgplab/datasets/table"
)

// Source identifies the data to load: a named data set or a file, and the way a file is read.
type Source struct {
	Name string
	// Targets chooses the target columns of a file, or some targets of a named set; see ReadCSV and
	// Load.
	Targets []string
	// Columns overrides the detected properties of the columns of a file.
	Columns table.Choices
	// Pipe provides the text if Name is a pipe named by the user; nil for a file. Other pipes are
	// errors because reading them could block forever.
	Pipe *files.StoredPipe
}

// open opens the file of a source.
func (s Source) open() (io.ReadCloser, error) {
	if s.Pipe != nil {
		return s.Pipe.Open(), nil
	}
	file, err := files.OpenLinked(s.Name)
	if err != nil {
		return nil, fmt.Errorf("data set: %w", err)
	}
	return file, nil
}

// Describe reads the file of a source and describes its columns and their use. Open questions and
// problems that prevent its use as a data set are reported in the table, not as an error. The
// caller is expected to adjust the targets and choices of the source to the user's answers and to
// call Describe again; Load accepts the source if there are no questions and no problem left.
//
// It returns an error if the file cannot be read as a table, or if the targets or choices name
// unknown columns.
func Describe(ctx context.Context, s Source) (*table.Description, error) {
	file, err := s.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := table.Read(ctx, s.Name, file, table.ReadOptions{Labels: true, Choices: s.Columns})
	if err != nil {
		return nil, err
	}
	return report(t, s.Targets)
}

// report describes a table.
func report(t *table.Table, targets []string) (*table.Description, error) {
	d, err := t.Describe(targets)
	if err != nil {
		return nil, err
	}
	if d.Trouble == nil {
		var ds *Dataset
		ds, d.Trouble = dataset(t, d)
		if ds != nil {
			d.Task, d.Notes, d.Warnings = ds.Task.String(), ds.Notes, ds.Warnings
		}
	}
	d.Err = d.Trouble
	t.Measure(&d.Description)
	return &d.Description, nil
}

// loadFile reads the file of a source as a data set.
func loadFile(ctx context.Context, s Source) (*Dataset, error) {
	file, err := s.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadCSV(ctx, file, s)
}

// ReadCSV reads a table as a data set. The table is plain text or gzip, with cells separated by
// commas, semicolons, bars, tabs or white space, and with or without a header. Errors and the data
// set refer to the file by the name of the source.
//
// The kinds of columns are detected from all cells (see package table) unless the source
// specifies them. Ambiguities are reported as a *table.Error with a Question. Each column that is
// neither a target nor ignored becomes one or more inputs.
//
// The targets of the source name the target columns by header name or by index from 0; negative
// indices count from the end. The default is the last column. Names take precedence over indices.
//
// Missing target cells, empty or NA or similar (see table.IsMissing), are NaN in Y; the source
// determines the treatment of missing inputs. Warnings report missing values. Notes describe the
// columns of a file unless all are numbers.
//
// A target with exactly two values makes the task Binary, with targets -1 and +1 and a note. More
// than two values make the task Multiclass if they are text, or if they are numbers and the target
// is given with the suffix ":class"; a note gives the number of rows of each class. A small number
// of distinct integers raises a question, which the suffix ":class" or ":number" answers. Errors in
// the file are reported as a *table.Error with file, line and column.
//
// Reading takes at most three times the memory of the numbers. Exceeding a limit (see limits) is an
// error that explains how to raise it. If r is not an io.Seeker, it is read only once; see
// table.Read.
func ReadCSV(ctx context.Context, r io.Reader, s Source) (*Dataset, error) {
	t, err := table.Read(ctx, s.Name, r, table.ReadOptions{Labels: true, Choices: s.Columns})
	if err != nil {
		return nil, err
	}
	return asDataset(t, s.Targets)
}

// asDataset converts the table to a data set.
func asDataset(t *table.Table, targets []string) (*Dataset, error) {
	if t.Rows() == 1 {
		return nil, &table.Error{
			File:    t.Name,
			Line:    t.Line(0),
			Problem: "only one row of numbers; at least 2 are needed",
		}
	}
	if t.Width == 1 {
		return nil, &table.Error{
			File:    t.Name,
			Problem: "only one column; at least one input and one target are needed",
		}
	}
	d, err := t.Describe(targets)
	if err != nil {
		return nil, err
	}
	if d.Trouble != nil {
		return nil, d.Trouble
	}
	return dataset(t, d)
}

// dataset converts a described table without errors to a data set.
func dataset(t *table.Table, d *table.Use) (*Dataset, error) {
	rows := consecutive(t.Rows())
	if d.Dropped > 0 {
		rows = t.Complete(d.Inputs)
	}
	if err := t.CheckLogs(d, rows); err != nil {
		return nil, err
	}
	ds := &Dataset{
		Name: t.Name, Title: filepath.Base(t.Name), Origin: "file " + t.Name,
		X: t.Matrix(d, d.Inputs, rows, d.D), Targets: t.Names(d.Targets),
		MeanInputs: t.MeanInputs(), LogTargets: d.LogTargets,
		Columns: &d.Description, layout: t.Layout(d),
	}
	for _, c := range d.Inputs {
		ds.Inputs = append(ds.Inputs, d.Columns[c].Inputs...)
	}
	if d.Labelled {
		target := &d.Columns[d.Targets[0]]
		if err := t.FindClasses(target, rows); err != nil {
			return nil, err
		}
		for _, level := range target.Levels {
			ds.Classes = append(ds.Classes, level.Name)
		}
		ds.encode(t, target.Index, rows, target.Level)
	} else {
		ds.Y = t.Matrix(d, d.Targets, rows, d.P)
	}
	for j, c := range d.Targets {
		first, constant := constantColumn(ds.Y, j)
		if constant && math.IsNaN(first) {
			return nil, t.ErrorIn(&d.Columns[c], "the target is missing in every row")
		}
		if constant {
			return nil, t.ErrorIn(&d.Columns[c],
				fmt.Sprintf("the target is constant (%s in every row); there is nothing to learn",
					t.FirstLabel(c)))
		}
	}
	ds.Warnings = append(ds.Warnings, t.IndexWarnings(d)...)
	switch {
	case d.Pair.Text != "":
		ds.Notes = append(ds.Notes, d.Pair)
	case d.Labelled:
		ds.noteClasses()
	case !d.Numbers:
		ds.detectClasses()
	}
	if summary := d.Summary(); summary != "" {
		ds.Notes = append(ds.Notes, table.Note{Text: summary})
	}
	ds.noteMissing(func(i int) int { return t.Line(rows[i]) })
	return ds, nil
}
