package datasets

import (
	"fmt"
	"slices"
	"strings"
)

// heldOut reports for each target whether the split holds it out. It returns nil if all targets are
// tested.
func (s Split) heldOut(ds *Dataset) ([]bool, error) {
	if s.Kind != Outputs {
		return nil, nil
	}
	columns, err := s.columns(ds)
	if err != nil {
		return nil, err
	}
	held := make([]bool, len(ds.Targets))
	for _, j := range columns {
		held[j] = true
	}
	return held, nil
}

// columns returns the indices of the targets named by a split of kind Outputs, ascending and
// without duplicates.
func (s Split) columns(ds *Dataset) ([]int, error) {
	words := strings.Split(s.Targets, "+")
	if _, err := ds.target(s.Targets); err == nil { // a name that contains a plus sign
		words = []string{s.Targets}
	}
	var list []int
	for _, word := range words {
		j, err := ds.target(word)
		if err != nil {
			return nil, err
		}
		list = append(list, j)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// Named returns the split with canonical target names in column order and with the full path of a file, so
// equal splits have equal texts.
func (s Split) Named(ds *Dataset) (Split, error) {
	if s.Kind != Outputs {
		return s.Located()
	}
	columns, err := s.columns(ds)
	if err != nil {
		return s, fmt.Errorf("data set %s, split %v: %w", ds.Name, s, err)
	}
	s.Targets = strings.Join(ds.names(columns), "+")
	return s, nil
}

// For returns the part of the data set that a model can use under a split. Uses describes the part
// unless it is the whole data set. A split of kind Outputs hides some targets of some rows. A model
// that does not accept missing targets (missing is false) uses only rows without hidden targets. If
// it also accepts only one target (outputs is false), it uses only the held-out targets. The test
// set is the same in all cases. The split must be canonical; see Named.
func (ds *Dataset) For(s Split, outputs, missing bool) (*Dataset, error) {
	if s.Kind != Outputs || missing {
		return ds, nil
	}
	columns, err := s.columns(ds)
	if err != nil {
		return nil, err
	}
	if len(columns) == len(ds.Targets) { // there are no other targets
		return ds, nil
	}
	out, held := *ds, ds.names(columns)
	out.WholeRows = true
	if outputs {
		out.Uses = "the rows that have " + strings.Join(held, " and ")
		return &out, nil
	}
	out.Uses = strings.Join(held, " and ") + " alone"
	return &out, out.choose(held)
}

// names returns the names of the given targets.
func (ds *Dataset) names(columns []int) []string {
	list := make([]string, len(columns))
	for k, j := range columns {
		list[k] = ds.Targets[j]
	}
	return list
}
