package datasets

import (
	"fmt"
	"slices"
	"strings"
)

// heldOut returns which targets a split holds out, by column; nil for all of them.
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

// columns returns the columns of the targets that a split of Outputs names, ascending,
// each once.
func (s Split) columns(ds *Dataset) ([]int, error) {
	words := strings.Split(s.Targets, "+")
	if _, err := ds.target(s.Targets); err == nil { // a name with a plus sign
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

// Named returns the split with its targets by their names, in the order of the columns:
// equal splits have equal names.
func (s Split) Named(ds *Dataset) (Split, error) {
	if s.Kind != Outputs {
		return s, nil
	}
	columns, err := s.columns(ds)
	if err != nil {
		return s, fmt.Errorf("data set %s, split %v: %w", ds.Name, s, err)
	}
	s.Targets = strings.Join(ds.names(columns), "+")
	return s, nil
}

// For returns what a training can use of a data set under a split, and says in Uses what
// that is where it is not all. A split of Outputs hides targets of some rows. Where
// training cannot go on without them (missing is false), it has the other rows alone; and
// where it takes one target only (outputs is false), the targets that are held out, by
// themselves. In all cases the same is tested. The split is one of Named.
func (ds *Dataset) For(s Split, outputs, missing bool) (*Dataset, error) {
	if s.Kind != Outputs || missing {
		return ds, nil
	}
	columns, err := s.columns(ds)
	if err != nil {
		return nil, err
	}
	if len(columns) == len(ds.Targets) { // The rows have no other targets.
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

// names returns those of some targets.
func (ds *Dataset) names(columns []int) []string {
	list := make([]string, len(columns))
	for k, j := range columns {
		list[k] = ds.Targets[j]
	}
	return list
}
