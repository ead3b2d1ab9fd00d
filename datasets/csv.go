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

// Source identifies the data to load: a named data set or a file, with the settings for reading it.
type Source struct {
	Name string
	// Targets selects the target columns of a file, or some of the targets of a named set; see
	// ReadCSV and Load.
	Targets []string
	// Columns overrides the detected properties of the columns of a file.
	Columns table.Choices
	// Split is Split.Reading of the split that will divide the rows.
	Split Split
	// Pipe provides the text of the pipe that the user named, if there is one. All other pipes are
	// errors, because a read could block forever.
	Pipe *files.StoredPipe
}

// options returns the options for reading the file of a source.
func (s Source) options() table.ReadOptions {
	return table.ReadOptions{Labels: true, Choices: s.Columns,
		Divider: table.Divider{Column: s.Split.Column, Numbers: s.Split.Kind == Time}}
}

// open opens the file of a source.
func (s Source) open() (io.ReadCloser, error) {
	if s.Pipe.Is(s.Name) {
		return s.Pipe.Open(), nil
	}
	file, err := files.OpenLinked(s.Name)
	if err != nil {
		return nil, fmt.Errorf("data set: %w", err)
	}
	return file, nil
}

// Describe reads the file of a source and describes its columns and their use. Open questions and
// problems that prevent its use as a data set are part of the description, not errors. The caller
// adjusts the targets and choices of the source to the answers of the user and calls Describe
// again. Load accepts the source once no question or problem is left.
//
// It returns an error if the file cannot be read as a table, or if the targets or choices name
// unknown columns.
func Describe(ctx context.Context, s Source) (*table.Description, error) {
	file, err := s.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := table.Read(ctx, s.Name, file, s.options())
	if err != nil {
		return nil, err
	}
	return report(t, s)
}

// report describes a table.
func report(t *table.Table, s Source) (*table.Description, error) {
	d, err := t.Describe(s.Targets)
	if err != nil {
		return nil, err
	}
	if d.Trouble == nil {
		var ds *Dataset
		ds, _, d.Trouble = dataset(t, d, s)
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
// set use the name of the source for the file.
//
// The kinds of columns are detected from all cells (see package table) unless the source
// specifies them. Ambiguities are reported as a *table.Error with a Question. Each column that is
// neither a target nor ignored becomes one or more inputs.
//
// The targets of the source name the target columns by header name or by index from 0; negative
// indices count from the end. The default is the last column. Names take precedence over indices.
//
// Missing target cells (empty, NA and similar; see table.IsMissing) are NaN in Y. The source
// determines the treatment of missing inputs. Warnings report missing values. Notes describe the
// columns of a file unless all columns are numbers.
//
// If the target has exactly two values, the task is Binary, with targets -1 and +1 and a note. If
// it has more values, the task is Multiclass if the values are text or the target has the suffix
// ":class"; a note gives the number of rows of each class. If the values are a few distinct
// integers, a question arises, which the suffix ":class", ":number" or ":count" answers. The latter
// makes the task Count. Errors in the file
// are reported as a *table.Error with file, line and column.
//
// Reading takes at most three times the memory of the numbers. The error for an exceeded limit (see
// limits) explains how to raise it. If r is not an io.Seeker, it is read only once; see table.Read.
func ReadCSV(ctx context.Context, r io.Reader, s Source) (*Dataset, error) {
	t, err := table.Read(ctx, s.Name, r, s.options())
	if err != nil {
		return nil, err
	}
	return asDataset(t, s)
}

// asDataset converts the table to a data set.
func asDataset(t *table.Table, s Source) (*Dataset, error) {
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
	d, err := t.Describe(s.Targets)
	if err != nil {
		return nil, err
	}
	if d.Trouble != nil {
		return nil, d.Trouble
	}
	ds, rows, err := dataset(t, d, s)
	if err != nil {
		return nil, err
	}
	ds.X = t.TakeInputs(d, rows)
	return ds, nil
}

// dataset converts a table to a data set without the values of its inputs. It also returns the rows of the
// table that the data set has. The description d must have no errors.
func dataset(t *table.Table, d *table.Use, s Source) (ds *Dataset, rows []int, err error) {
	rows = consecutive(t.Rows())
	if d.Dropped > 0 {
		rows = t.Complete(d.Inputs)
	}
	if err := t.CheckLogs(d, rows); err != nil {
		return nil, nil, err
	}
	ds = &Dataset{
		Name: t.Name, Title: filepath.Base(t.Name), Origin: "file " + t.Name, Targets: t.Names(d.Targets),
		MeanInputs: t.MeanInputs(), LogTargets: d.LogTargets,
		LearnedNoise: table.ParseNoise(s.Columns.Noise).Learned,
		Columns:      &d.Description, layout: t.Layout(d),
	}
	if d.Dropped > 0 {
		ds.fileRows = rows
		ds.allRows = t.Rows()
	}
	if err := ds.divideBy(s.Split, t, d, rows); err != nil {
		return nil, nil, err
	}
	if err := ds.readKnown(t, d, rows); err != nil {
		return nil, nil, err
	}
	for _, c := range d.Inputs {
		ds.Inputs = append(ds.Inputs, d.Columns[c].Inputs...)
	}
	if d.Labelled {
		target := &d.Columns[d.Targets[0]]
		if err := t.FindClasses(target, rows); err != nil {
			return nil, nil, err
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
			return nil, nil, t.ErrorIn(&d.Columns[c], "the target is missing in every row")
		}
		if constant {
			return nil, nil, t.ErrorIn(&d.Columns[c],
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
	case d.Counts:
		if err := ds.markCounts(func(row int, problem string) error {
			return &table.Error{File: t.Name, Line: t.Line(rows[row]), Column: d.Targets[0] + 1,
				Name: ds.Targets[0], Problem: problem}
		}); err != nil {
			return nil, nil, err
		}
	}
	if err := ds.checkNoise(); err != nil {
		return nil, nil, &table.Error{File: t.Name, Problem: err.Error()}
	}
	ds.noteKnown()
	if ds.divider != nil {
		ds.Notes = append(ds.Notes, ds.divider.note())
	}
	ds.Notes = append(ds.Notes, t.Notes()...)
	if summary := d.Summary(); summary != "" {
		ds.Notes = append(ds.Notes, table.Note{Text: summary})
	}
	ds.noteMissing(func(i int) int { return t.Line(rows[i]) })
	return ds, rows, nil
}
