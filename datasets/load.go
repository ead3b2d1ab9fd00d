package datasets

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Load returns the data set of that name: a built-in one, one of the catalogue
// from the cache, or the CSV file at that path. A name of the catalogue wins
// over a file; write ./boston for a file called boston.
//
// targets chooses the target columns of a CSV file, by name or by index (see
// ReadCSV); sets that have a name have fixed targets.
//
// A set of the catalogue that is missing from the cache, or damaged in it, is a
// *NotFetchedError; trouble within a file is a *CSVError.
func Load(ctx context.Context, name string, targets []string) (*Dataset, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	info, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	if info.Kind == File {
		return loadFile(ctx, name, targets)
	}
	var ds *Dataset
	if g, ok := findGenerator(name); ok {
		ds = g.make()
	} else if s, ok := findUpstream(name); ok {
		if ds, err = s.load(ctx); err != nil {
			return nil, err
		}
	}
	if len(targets) > 0 && !slices.Equal(targets, ds.Targets) {
		return nil, fmt.Errorf("data set %s: the target is %s and cannot be changed; targets can be chosen for CSV files only",
			name, strings.Join(ds.Targets, ", "))
	}
	return ds, nil
}
