package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"time"

	"dgplab/datasets"
	"dgplab/datasets/files"
	"dgplab/session/rundir"
)

// contents identifies the data of a sweep: the SHA-256 of each file by its path, and the time since which the
// runs of the sweep were trained on these files. Earlier runs belong to other data.
type contents struct {
	Files map[string]string `json:"files,omitempty"`
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
func contentsOf(g Grid) (contents, error) {
	c := contents{Files: map[string]string{}}
	for _, name := range g.Datasets {
		info, err := datasets.Lookup(name)
		if err != nil {
			return c, err
		}
		if info.Kind != datasets.File {
			continue
		}
		file, err := files.OpenLinked(name)
		if err != nil {
			return c, fmt.Errorf("data set: %w", err)
		}
		sum := sha256.New()
		_, err = io.Copy(sum, file)
		file.Close()
		if err != nil {
			return c, fmt.Errorf("data set %s: %w", name, err)
		}
		c.Files[name] = hex.EncodeToString(sum.Sum(nil))
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

// Retrain makes the named sweep forget its runs, so that they are trained again on the files as they are
// now. The runs themselves are kept. It does nothing if there is no such sweep.
func Retrain(name string, now time.Time) error {
	folder, err := lockFolder(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	_, f, err := readFile(name)
	if err != nil {
		return err
	}
	data, err := contentsOf(f.Grid)
	if err != nil {
		return err
	}
	data.Since = now.UTC()
	s := &State{Name: f.Name, Created: f.Created, Grid: f.Grid, data: data}
	return writeFile(folder.dir, s, nil)
}
