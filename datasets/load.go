package datasets

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
	"dgplab/datasets/wording"
)

// Load returns the data set of a source: a built-in set, a set of the catalogue from the cache, or
// the CSV file at the path. Names of the catalogue take precedence over files; ./boston is a file
// named boston.
//
// The targets of the source select the target columns of a CSV file by name or index (see ReadCSV),
// or a subset of the targets of a named set. Choices of columns are only valid for files.
//
// Load returns a *NotFetchedError if a set of the catalogue is missing from the cache or damaged,
// and a *table.Error for a problem in a file.
func Load(ctx context.Context, s Source) (*Dataset, error) {
	name, targets := s.Name, s.Targets
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	info, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	if info.Kind == File {
		return loadFile(ctx, s)
	}
	if items := s.Columns.Items(); items != nil {
		return nil, fmt.Errorf("data set %s is not a file, so its columns cannot be chosen: %s",
			name, strings.Join(items, ", "))
	}
	if s.Split.Column != "" {
		return nil, fmt.Errorf("data set %s is not a file, so no column can divide its rows: %v",
			name, s.Split)
	}
	var ds *Dataset
	if g, ok := findGenerator(name); ok {
		ds = g.make()
	} else if u, ok := findUpstream(name); ok {
		ds, err = u.load(ctx)
		if err != nil {
			return nil, err
		}
	}
	if len(targets) == 0 {
		targets = ds.Targets[:info.P]
	}
	ds.layout = table.OrderedLayout(ds.Inputs, ds.Targets)
	if err := ds.choose(targets); err != nil {
		return nil, fmt.Errorf("data set %s: %w", name, err)
	}
	return ds, nil
}

// choose keeps only the given targets. The suffix table.NumberSuffix makes counts real targets.
func (ds *Dataset) choose(targets []string) error {
	if slices.Equal(targets, ds.Targets) {
		return nil
	}
	var columns []int
	var names []string
	for _, word := range targets {
		if name, found := strings.CutSuffix(word, table.NumberSuffix); found && ds.Task == task.Count {
			ds.Task = task.Regression
			word = name
		}
		j, err := ds.target(word)
		if err != nil {
			return err
		}
		if slices.Contains(columns, j) {
			return fmt.Errorf("target %q is named twice", word)
		}
		columns = append(columns, j)
		names = append(names, ds.Targets[j])
	}
	n, _ := ds.Y.Dims()
	y := mat.NewDense(n, len(columns), nil)
	for k, j := range columns {
		for i := range n {
			y.Set(i, k, ds.Y.At(i, j))
		}
	}
	ds.Y, ds.Targets = y, names
	ds.layout = ds.layout.WithTargets(columns)
	return nil
}

// target returns the column of a target given by name or by index from 0.
func (ds *Dataset) target(word string) (int, error) {
	word = strings.TrimSpace(word)
	if j := slices.Index(ds.Targets, word); j >= 0 {
		return j, nil
	}
	if j, err := strconv.Atoi(word); err == nil && j >= 0 && j < len(ds.Targets) {
		return j, nil
	}
	return 0, fmt.Errorf("no target %q%s", word,
		wording.DidYouMeanOr(word, ds.Targets, "the targets are "+table.ShortList(ds.Targets)))
}
