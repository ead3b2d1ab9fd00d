package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"dgplab/datasets/files"
	"dgplab/models"
)

// Writer is the only writer of a run directory, from Create or Reopen until Close. It belongs to one
// goroutine. It keeps the directory open and writes only there, even if the directory is moved or another
// directory takes its path.
type Writer struct {
	id      string
	dir     files.Dir
	path    string // current path of the directory
	lock    *Lock
	log     *metricsLog // nil until Continue
	notices []string    // see TakeNotices
	lost    error       // see Lost
}

// Create creates the directory of a new run and its config.json. It sets the ID and the creation time in
// file.
func Create(file *ConfigFile, now time.Time) (*Writer, error) {
	id, dir, err := makeDir(file.Config, now)
	if err != nil {
		return nil, err
	}
	file.Format, file.ID, file.Created = configVersion, id, now.UTC()
	w := &Writer{id: id, dir: dir, path: dir.Path()}
	if err := w.initialize(file); err != nil {
		dir.Close()
		removeDir(id)
		return nil, err
	}
	return w, nil
}

// initialize takes the lock of a new run directory and writes the configuration.
func (w *Writer) initialize(file *ConfigFile) (err error) {
	w.lock, err = lockWithin(w.dir, newPatience)
	if err != nil {
		return err
	}
	err = WriteJSON(w.dir, configName, file)
	if err == nil {
		err = w.Continue(0)
	}
	if err != nil {
		w.lock.Close()
		return fmt.Errorf("start the run: %w", err)
	}
	return nil
}

// Reopen takes the lock of the run that matches id (see Find). It changes nothing; Continue does.
func Reopen(id string) (*Writer, error) {
	path, err := findRun(id)
	if err != nil {
		return nil, err
	}
	dir, err := files.OpenDir(files.OS, path)
	if err != nil {
		return nil, err
	}
	lock, err := LockDir(dir)
	if err != nil {
		dir.Close()
		return nil, err
	}
	return &Writer{id: filepath.Base(path), dir: dir, path: path, lock: lock}, nil
}

// Continue prepares the directory for writing: it deletes leftovers and opens the report for appending at
// offset. The first line, or Forget, removes the data after offset.
func (w *Writer) Continue(offset int64) (err error) {
	removeLeftovers(w.dir)
	w.log, err = openMetrics(w.dir, offset)
	return err
}

// Salvage rewrites metrics.jsonl with the lines that can be parsed and for which sound returns true. It calls
// sound in the order of the lines, and keeps a copy of the old file as DamagedFile.
func (w *Writer) Salvage(sound func(Point) bool) error { return salvage(w.dir, sound) }

// Close releases the lock. It is called after CloseLog.
func (w *Writer) Close() error { return errors.Join(w.lock.Close(), w.dir.Close()) }

// Dir returns the last known path of the run directory.
func (w *Writer) Dir() string { return w.path }

// TakeNotices returns descriptions of the changes that others made to the directory since the last call, for
// example that it was moved or that its lock or report was removed.
func (w *Writer) TakeNotices() []string {
	notices := w.notices
	w.notices = nil
	if w.log != nil {
		notices = append(notices, w.log.notices...)
		w.log.notices = nil
	}
	return notices
}

// Lost returns the reason why the run can no longer be written: another process owns it, or its
// directory was removed. It is nil while the run can be written.
func (w *Writer) Lost() error { return w.lost }

// check detects changes that others made to the directory and its lock.
func (w *Writer) check() error {
	if w.lost != nil {
		return w.lost
	}
	removed := !inPlace(w.dir) && w.locate()
	again, err := w.lock.Keep()
	if err != nil && removed {
		err = errors.New("the run directory was removed")
	}
	if err != nil {
		w.lost = err
		w.dir = sealed{w.dir, err}
		return err
	}
	if again {
		w.notices = append(w.notices, "the lock file was removed or replaced; it was locked again")
	}
	return nil
}

// locate looks for a directory that is no longer at the path at which it was opened. It returns true if the
// directory cannot be found.
func (w *Writer) locate() bool {
	where := w.dir.CurrentPath()
	switch {
	case where == "":
		w.notices = append(w.notices,
			"the run directory is no longer at "+w.dir.Path()+" and was not found elsewhere")
		return true
	case where != w.path:
		w.path = where
		w.notices = append(w.notices, "the run directory was moved; the run continues in "+where)
	}
	return false
}

// sealed is a folder that rejects writes.
type sealed struct {
	files.Dir
	err error
}

func (s sealed) OpenFile(string, int, fs.FileMode) (files.File, error) { return nil, s.err }
func (s sealed) Rename(string, string) error                           { return s.err }
func (s sealed) Remove(string) error                                   { return s.err }

// SaveConfig replaces config.json.
func (w *Writer) SaveConfig(file *ConfigFile) error {
	if err := WriteJSON(w.dir, configName, file); err != nil {
		return fmt.Errorf("save the configuration: %w", err)
	}
	return nil
}

// Forget removes the results that were written when the run last ended, and the report lines after the
// offset given to Continue. again, if not nil, takes the place of these lines. A crash cannot leave the
// report without both, because the checkpoint includes the step of again.
func (w *Writer) Forget(again *Point) error {
	cut := w.log.cut
	if again != nil {
		cut = func() error { return w.log.cutTo(*again) }
	}
	if err := cut(); err != nil {
		return err
	}
	for _, name := range []string{summaryName, pointsName, leftOutName, CrashFile} {
		if err := w.dir.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Append appends a report line. A line with the step of the last appended line replaces it. After
// an error the line is retried later, unless too many lines are waiting.
func (w *Writer) Append(p Point) error {
	if w.lost != nil {
		return w.lost
	}
	return w.log.add(p)
}

// Sync makes all report lines durable. It first detects changes that others made to the directory; see
// TakeNotices and Lost.
func (w *Writer) Sync() error {
	if err := w.check(); err != nil {
		return err
	}
	return w.log.sync()
}

// CloseLog makes all report lines durable, like Sync, and closes the report. The error contains the number of
// lost lines.
func (w *Writer) CloseLog() error {
	if err := w.check(); err != nil {
		w.log.file.Close()
		return err
	}
	if err := w.log.close(); err != nil {
		return fmt.Errorf("%s is incomplete (%d lines lost): %w", metricsName, w.log.lost, err)
	}
	if w.log.lost > 0 {
		return fmt.Errorf("%s is incomplete (%d lines lost)", metricsName, w.log.lost)
	}
	return nil
}

// SaveCheckpoint replaces the checkpoint. Callers must call Sync first: report lines must be durable before a
// checkpoint that includes their steps.
func (w *Writer) SaveCheckpoint(p Progress, arrays, kept []models.Array) error {
	return saveCheckpoint(w.dir, checkpointName, w.id, p, arrays, kept)
}

// SaveStable replaces the checkpoint before the decay of the learning rate.
func (w *Writer) SaveStable(p Progress, arrays, kept []models.Array) error {
	return saveCheckpoint(w.dir, stableName, w.id, p, arrays, kept)
}

// Return replaces the checkpoint by an earlier one of the same run, from which the run continues.
func (w *Writer) Return(to *Checkpoint) error {
	return saveCheckpoint(w.dir, checkpointName, w.id, to.Progress, to.Arrays, to.kept)
}

// SaveDiagnostics replaces diagnostics.json.
func (w *Writer) SaveDiagnostics(d *Diagnostics) error { return saveDiagnostics(w.dir, d) }

// SavePredictions writes test_points.csv with the predictions of a step.
func (w *Writer) SavePredictions(step int, p *Predictions) error {
	return savePoints(w.dir, pointsName, w.id, step, p)
}

// SaveLeftOut writes loo_points.csv with the leave-one-out predictions of a step.
func (w *Writer) SaveLeftOut(step int, p *Predictions) error {
	return savePoints(w.dir, leftOutName, w.id, step, p)
}

// SaveSummary writes summary.json.
func (w *Writer) SaveSummary(s *Summary) error {
	if err := WriteJSON(w.dir, summaryName, s); err != nil {
		return fmt.Errorf("save the summary: %w", err)
	}
	return nil
}

// SaveCrash writes the details of a panic.
func (w *Writer) SaveCrash(text string) error {
	err := files.Replace(w.dir, CrashFile, func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", CrashFile, err)
	}
	return nil
}
