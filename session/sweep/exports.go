package sweep

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"dgplab/session/rundir"
)

// comparisonsName is the folder for exports of several runs that do not belong to a single sweep. It is next
// to the runs.
const comparisonsName = ".comparisons"

// OpenExports opens the folder for exports of the given runs: the directory of a single run, the folder of
// the sweep that all runs belong to, or a folder that is always the same for these runs. The caller must
// close it.
func OpenExports(runs []rundir.Info) (*rundir.Exports, error) {
	if len(runs) == 1 {
		return rundir.OpenExports(runs[0].Dir)
	}
	place, err := placeOf(runs)
	if err != nil {
		return nil, err
	}
	dir, err := rundir.OpenFolder(place...)
	if err != nil {
		return nil, fmt.Errorf("open the folder for exports: %w", err)
	}
	return rundir.NewExports(dir), nil
}

// placeOf returns the path of the folder for exports of several runs below the folder of all runs.
func placeOf(runs []rundir.Info) ([]string, error) {
	name := runs[0].Sweep
	if slices.ContainsFunc(runs, func(r rundir.Info) bool { return r.Sweep != name }) {
		name = ""
	}
	sweeps, err := Names()
	if err != nil {
		return nil, err
	}
	if slices.Contains(sweeps, name) {
		return []string{folderName, name}, nil
	}
	var ids []string
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	return []string{comparisonsName, fmt.Sprintf("%s-and-%d-more-%.4x", ids[0], len(runs)-1,
		sha256.Sum256([]byte(strings.Join(ids, "\n"))))}, nil
}
