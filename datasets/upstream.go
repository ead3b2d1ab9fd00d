package datasets

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"dgplab/datasets/table"
)

// load reads the set from the cache and verifies every file. It returns a *NotFetchedError if the
// set is missing or damaged.
func (s upstreamSet) load(ctx context.Context) (*Dataset, error) {
	folder, err := s.folder()
	if err != nil {
		return nil, err
	}
	tables := make(map[string][]*table.Table) // by role, in the order of the catalogue
	for _, f := range s.Files {
		content, err := s.read(folder, f)
		if err != nil {
			return nil, err
		}
		name := filepath.Join(s.Name, f.Name)
		t, err := table.Read(ctx, name, bytes.NewReader(content), table.ReadOptions{
			Delimiter: s.delimiter(),
			NoHeader:  s.Format != formatPlain,
			Labels:    s.Classes != nil,
			Strict:    true,
		})
		if err != nil {
			return nil, err
		}
		tables[f.Role] = append(tables[f.Role], t)
	}
	ds, err := s.assemble(tables)
	if err != nil {
		return nil, fmt.Errorf("data set %s: %w", s.Name, err)
	}
	return ds, nil
}

// delimiter returns the delimiter of the set's files.
func (s upstreamSet) delimiter() rune {
	if s.Format == formatTable {
		return table.Whitespace
	}
	return ','
}

// assemble builds the data set from the tables of its files, by role.
func (s upstreamSet) assemble(tables map[string][]*table.Table) (*Dataset, error) {
	data, err := s.numbers(tables)
	if err == nil && s.Classes == nil {
		err = data.FirstMissing(consecutive(data.Width))
	}
	if err != nil {
		return nil, err
	}
	inputs, targets, err := s.columns(tables)
	if err != nil {
		return nil, err
	}
	if s.Classes != nil {
		data, err = data.WithoutUnknown(inputs)
		if err != nil {
			return nil, err
		}
	}
	if data.Rows() != s.Rows || len(inputs) != len(s.Inputs) || len(targets) != len(s.Targets) {
		return nil, fmt.Errorf("found %d rows, %d inputs and %d targets, the catalogue lists %d, %d and %d",
			data.Rows(), len(inputs), len(targets), s.Rows, len(s.Inputs), len(s.Targets))
	}
	x, err := data.Pick(inputs)
	if err != nil {
		return nil, err
	}
	y, err := data.Pick(targets)
	if err != nil {
		return nil, err
	}
	ds := s.info().dataset(x, y, s.Inputs, s.Targets)
	for _, text := range s.Warnings {
		ds.Warnings = append(ds.Warnings, table.Note{Text: text})
	}
	if s.Classes != nil {
		if err := s.label(ds, data, targets[0]); err != nil {
			return nil, err
		}
	}
	switch {
	case s.Format == formatTable:
		ds.TestRows, err = s.indexedRows(tables)
	case s.Format == formatCSV:
		ds.TestRows, err = s.maskedRows(tables)
	case s.Splits == 1:
		first := tables[roleTrain][0].Rows()
		ds.TestRows = [][]int{complement(consecutive(first), s.Rows)}
	}
	return ds, err
}

// label sets the classes of the data set from the labels in a column.
func (s upstreamSet) label(ds *Dataset, data *table.Table, column int) error {
	var labels []string
	for _, c := range s.Classes {
		labels = append(labels, c.Label)
		ds.Classes = append(ds.Classes, c.Name)
	}
	ds.encode(data, column, consecutive(data.Rows()), func(label string) int {
		return slices.Index(labels, label)
	})
	for i, v := range ds.Y.RawMatrix().Data {
		if math.IsNaN(v) {
			return fmt.Errorf("%s, line %d: unknown class %q",
				data.Name, data.Line(i), data.Label(i, column))
		}
	}
	return nil
}

// consecutive returns the integers from 0 to n-1.
func consecutive(n int) []int { return complement(nil, n) }

// numbers returns the table of all rows: the data file, or the concatenation of the training and
// the test file.
func (s upstreamSet) numbers(tables map[string][]*table.Table) (*table.Table, error) {
	parts := tables[roleData]
	if len(tables[roleTrain]) == 1 && len(tables[roleTest]) == 1 && len(parts) == 0 {
		parts = append(parts, tables[roleTrain][0], tables[roleTest][0])
	} else if len(parts) != 1 {
		return nil, fmt.Errorf("the catalogue lists %d data files, want 1", len(parts))
	}
	return table.Concatenate(parts...)
}

// columns returns the columns of the inputs and the targets, given by the index files, the
// catalogue, or the order of the file.
func (s upstreamSet) columns(tables map[string][]*table.Table) (inputs, targets []int, err error) {
	if s.Format != formatTable {
		all := s.Columns
		if all == nil {
			for i := range len(s.Inputs) + len(s.Targets) {
				all = append(all, i)
			}
		}
		return all[:len(s.Inputs)], all[len(s.Inputs):], nil
	}
	inputs, err = indexList(tables, roleFeatures, 0)
	if err != nil {
		return nil, nil, err
	}
	targets, err = indexList(tables, roleTarget, 0)
	return inputs, targets, err
}

// indexedRows returns the test rows of every split from the index files.
func (s upstreamSet) indexedRows(tables map[string][]*table.Table) ([][]int, error) {
	count, err := indexList(tables, roleSplits, 0)
	if err != nil {
		return nil, err
	}
	if len(count) != 1 || count[0] != s.Splits || len(tables[roleTestIndex]) != s.Splits {
		return nil, fmt.Errorf("found %v splits, the catalogue lists %d", count, s.Splits)
	}
	rows := make([][]int, s.Splits)
	for k := range rows {
		list, err := indexList(tables, roleTestIndex, k)
		if err != nil {
			return nil, err
		}
		rows[k], err = ascending(list, s.Rows)
		if err != nil {
			return nil, fmt.Errorf("split %d: %w", k, err)
		}
	}
	return rows, nil
}

// maskedRows returns the test rows of every split from the mask.
func (s upstreamSet) maskedRows(tables map[string][]*table.Table) ([][]int, error) {
	if len(tables[roleTestMask]) != 1 {
		return nil, fmt.Errorf("the catalogue lists %d test masks, want 1", len(tables[roleTestMask]))
	}
	mask := tables[roleTestMask][0]
	if mask.Rows() != s.Rows || mask.Width != s.Splits {
		return nil, fmt.Errorf("the test mask is %d x %d, want %d x %d",
			mask.Rows(), mask.Width, s.Rows, s.Splits)
	}
	rows := make([][]int, s.Splits)
	for i := range mask.Rows() {
		for k, v := range mask.Row(i) {
			if v != 0 {
				rows[k] = append(rows[k], i)
			}
		}
	}
	return rows, nil
}

// indexList returns the integers in the k-th file of a role. Some upstream files store them as
// floats.
func indexList(tables map[string][]*table.Table, role string, k int) ([]int, error) {
	if k >= len(tables[role]) {
		return nil, fmt.Errorf("the catalogue lists no file for %s", strings.ReplaceAll(role, "_", " "))
	}
	t := tables[role][k]
	list := make([]int, 0, t.Rows()*t.Width)
	for i := range t.Rows() {
		for _, v := range t.Row(i) {
			if v != math.Trunc(v) || v < 0 || v > math.MaxInt32 {
				return nil, fmt.Errorf("%s: %v is not an index", t.Name, v)
			}
			list = append(list, int(v))
		}
	}
	return list, nil
}
