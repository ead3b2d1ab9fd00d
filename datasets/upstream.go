package datasets

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/columns"
)

// load reads the set from the cache and verifies every file. It returns a *NotFetchedError if the
// set is missing or damaged.
func (s upstreamSet) load(ctx context.Context) (*Dataset, error) {
	folder, err := s.folder()
	if err != nil {
		return nil, err
	}
	tables := make(map[string][]*table) // by role, in the order of the catalogue
	for _, f := range s.Files {
		content, err := s.read(folder, f)
		if err != nil {
			return nil, err
		}
		name := filepath.Join(s.Name, f.Name)
		t, err := readTable(ctx, name, bytes.NewReader(content), tableOptions{
			delimiter: s.delimiter(),
			noHeader:  s.Format != formatPlain,
			labels:    s.Classes != nil,
			strict:    true,
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
		return whitespace
	}
	return ','
}

// assemble builds the data set from the tables of its files, by role.
func (s upstreamSet) assemble(tables map[string][]*table) (*Dataset, error) {
	data, err := s.numbers(tables)
	if err == nil && s.Classes == nil {
		err = data.firstMissing(consecutive(data.width))
	}
	if err != nil {
		return nil, err
	}
	inputs, targets, err := s.columns(tables)
	if err != nil {
		return nil, err
	}
	if s.Classes != nil {
		data, err = data.withoutUnknownInputs(inputs)
		if err != nil {
			return nil, err
		}
	}
	if data.rows() != s.Rows || len(inputs) != len(s.Inputs) || len(targets) != len(s.Targets) {
		return nil, fmt.Errorf("found %d rows, %d inputs and %d targets, the catalogue lists %d, %d and %d",
			data.rows(), len(inputs), len(targets), s.Rows, len(s.Inputs), len(s.Targets))
	}
	x, err := data.pick(inputs)
	if err != nil {
		return nil, err
	}
	y, err := data.pick(targets)
	if err != nil {
		return nil, err
	}
	ds := s.info().dataset(x, y, s.Inputs, s.Targets)
	for _, text := range s.Warnings {
		ds.Warnings = append(ds.Warnings, columns.Note{Text: text})
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
		first := tables[roleTrain][0].rows()
		ds.TestRows = [][]int{complement(consecutive(first), s.Rows)}
	}
	return ds, err
}

// withoutUnknownInputs returns the table without the rows that have a question mark for an input.
func (t *table) withoutUnknownInputs(inputs []int) (*table, error) {
	out := t.emptyCopy()
	for i := range t.rows() {
		if !slices.ContainsFunc(inputs, func(c int) bool { return t.label(i, c) == "?" }) {
			out.addRow(t, i)
		}
	}
	if trouble := out.onlyNumbers(inputs); trouble != nil {
		return nil, trouble
	}
	return out, out.firstMissing(inputs)
}

// label sets the classes of the data set from the labels in a column.
func (s upstreamSet) label(ds *Dataset, data *table, column int) error {
	var labels []string
	for _, c := range s.Classes {
		labels = append(labels, c.Label)
		ds.Classes = append(ds.Classes, c.Name)
	}
	data.encode(ds, column, consecutive(data.rows()), func(label string) int {
		return slices.Index(labels, label)
	})
	for i, v := range ds.Y.RawMatrix().Data {
		if math.IsNaN(v) {
			return fmt.Errorf("%s, line %d: unknown class %q",
				data.name, data.lines.at(i), data.label(i, column))
		}
	}
	return nil
}

// consecutive returns the integers from 0 to n-1.
func consecutive(n int) []int { return complement(nil, n) }

// numbers returns the table of all rows: the data file, or the training and the test file
// concatenated.
func (s upstreamSet) numbers(tables map[string][]*table) (*table, error) {
	parts := tables[roleData]
	if len(tables[roleTrain]) == 1 && len(tables[roleTest]) == 1 && len(parts) == 0 {
		parts = append(parts, tables[roleTrain][0], tables[roleTest][0])
	} else if len(parts) != 1 {
		return nil, fmt.Errorf("the catalogue lists %d data files, want 1", len(parts))
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	all := parts[0].emptyCopy()
	for _, part := range parts {
		if part.width != all.width {
			return nil, fmt.Errorf("%s has %d columns, %s has %d", all.name, all.width, part.name, part.width)
		}
		for i := range part.rows() {
			all.addRow(part, i)
		}
	}
	return all, nil
}

// columns returns the columns of the inputs and the targets, given by the index files, the
// catalogue, or the order of the file.
func (s upstreamSet) columns(tables map[string][]*table) (inputs, targets []int, err error) {
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
func (s upstreamSet) indexedRows(tables map[string][]*table) ([][]int, error) {
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
func (s upstreamSet) maskedRows(tables map[string][]*table) ([][]int, error) {
	if len(tables[roleTestMask]) != 1 {
		return nil, fmt.Errorf("the catalogue lists %d test masks, want 1", len(tables[roleTestMask]))
	}
	mask := tables[roleTestMask][0]
	if mask.rows() != s.Rows || mask.width != s.Splits {
		return nil, fmt.Errorf("the test mask is %d x %d, want %d x %d",
			mask.rows(), mask.width, s.Rows, s.Splits)
	}
	rows := make([][]int, s.Splits)
	for i := range mask.rows() {
		for k, v := range mask.row(i) {
			if v != 0 {
				rows[k] = append(rows[k], i)
			}
		}
	}
	return rows, nil
}

// indexList returns the integers of the k-th file of a role. Some upstream files store them as
// floats.
func indexList(tables map[string][]*table, role string, k int) ([]int, error) {
	if k >= len(tables[role]) {
		return nil, fmt.Errorf("the catalogue lists no file for %s", strings.ReplaceAll(role, "_", " "))
	}
	t := tables[role][k]
	list := make([]int, 0, t.rows()*t.width)
	for i := range t.rows() {
		for _, v := range t.row(i) {
			if v != math.Trunc(v) || v < 0 || v > math.MaxInt32 {
				return nil, fmt.Errorf("%s: %v is not an index", t.name, v)
			}
			list = append(list, int(v))
		}
	}
	return list, nil
}

// pick returns the chosen columns of the table, [rows, len(columns)].
func (t *table) pick(columns []int) (*mat.Dense, error) {
	m := mat.NewDense(t.rows(), len(columns), nil)
	for j, c := range columns {
		if c >= t.width {
			return nil, fmt.Errorf("%s: no column %d; there are %d columns", t.name, c, t.width)
		}
		for i := range t.rows() {
			m.Set(i, j, t.at(i, c))
		}
	}
	return m, nil
}
