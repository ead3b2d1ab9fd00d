package sweep

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dgplab/session"
	"dgplab/session/rundir"
)

// contents identifies the data of a sweep: the checksum of each file by its path, and the time since which
// the runs of the sweep were trained on these files. Earlier runs belong to other data.
type contents struct {
	Files map[string]string `json:"contents,omitempty"` // see [rundir.DataFacts]
	Since time.Time         `json:"since,omitzero"`
}

// ChangedError is the error for a sweep whose data file has changed since the sweep began.
type ChangedError struct{ Sweep, File string }

// Error returns one line that says what to do.
func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s has changed since the sweep %s began, so its runs would not be comparable; "+
		"--name starts a new sweep, --retrain trains all runs again", e.File, e.Sweep)
}

// contentsOf reads the files of a grid.
func contentsOf(ctx context.Context, in *session.Inspector, g Grid) (contents, error) {
	c := contents{Files: map[string]string{}}
	for _, path := range g.Datasets {
		sum, err := in.ContentSHA256(ctx, g.config(path))
		if err != nil {
			return c, err
		}
		if sum != "" {
			c.Files[path] = sum
		}
	}
	return c, nil
}

// check returns a *ChangedError if a file differs from the one of the sweep. Sweeps of earlier versions do
// not know their files.
func (c contents) check(sweep string, now contents) error {
	for name, sum := range now.Files {
		if before, known := c.Files[name]; known && before != sum {
			return &ChangedError{sweep, name}
		}
	}
	return nil
}

// with adds the files that c lacks.
func (c contents) with(now contents) contents {
	for name, sum := range c.Files {
		now.Files[name] = sum
	}
	now.Since = c.Since
	return now
}

// own returns the runs that were trained on these files.
func (c contents) own(runs []rundir.Info) []rundir.Info {
	if c.Since.IsZero() {
		return runs
	}
	return slices.DeleteFunc(slices.Clone(runs), func(r rundir.Info) bool {
		return r.Created.Before(c.Since)
	})
}

// trained reports whether a run outside of sweeps was trained on a data set of the sweep, as it is now. Warm
// starts and splits from files are excluded, because another run or file may have changed.
func (c contents) trained(r rundir.Info) bool {
	return r.Sweep == "" && r.State == rundir.Ended && r.WarmStart == nil && !r.Created.Before(c.Since) &&
		r.Results.Data.SplitSHA256 == "" && r.Results.Data.ContentSHA256 == c.Files[r.Config.Dataset]
}

// Retrain makes the named sweep forget its runs, so that they are trained again on the files as they are
// now. The runs themselves are kept. It does nothing if there is no such sweep.
func Retrain(ctx context.Context, in *session.Inspector, name string, now time.Time) error {
	folder, err := lockFolder(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	_, f, err := readFile(name)
	if err != nil {
		return err
	}
	data, err := contentsOf(ctx, in, f.Grid)
	if err != nil {
		return err
	}
	data.Since = now.UTC()
	s := &State{Name: f.Name, Created: f.Created, Grid: f.Grid, data: data}
	return writeFile(folder.dir, s, nil)
}
