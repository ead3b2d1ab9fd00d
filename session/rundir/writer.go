package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dgplab/datasets/files"
	"dgplab/models"
)

// Writer is the one writer of a run directory, from Create or Reopen until Close.
// It belongs to one goroutine.
type Writer struct {
	dir  string
	lock io.Closer
	log  *metricsLog // nil until Continue
}

// Create makes the directory of a new run with its config.json, and gives the file
// its ID and the time at which the run was made.
func Create(file *ConfigFile, now time.Time) (*Writer, error) {
	id, dir, err := makeDir(file.Config, now)
	if err != nil {
		return nil, err
	}
	file.Format, file.ID, file.Created = configVersion, id, now.UTC()
	w := &Writer{dir: dir}
	if err := w.begin(file); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return w, nil
}

// begin takes the lock of a new run directory and writes the configuration.
func (w *Writer) begin(file *ConfigFile) (err error) {
	if w.lock, err = Lock(w.dir); err != nil {
		return err
	}
	if err = WriteJSON(w.dir, configName, file); err == nil {
		err = w.Continue(0)
	}
	if err != nil {
		w.lock.Close()
		return fmt.Errorf("start the run: %w", err)
	}
	return nil
}

// Reopen takes the lock of the run that id means (see Find). Nothing is changed
// until Continue.
func Reopen(id string) (*Writer, error) {
	dir, err := findRun(id)
	if err != nil {
		return nil, err
	}
	lock, err := Lock(dir)
	if err != nil {
		return nil, err
	}
	return &Writer{dir: dir, lock: lock}, nil
}

// Continue readies the directory for more: leftovers are deleted, and report lines
// will be appended at the offset. What stands behind it is cut off with the first of
// them, or by Forget.
func (w *Writer) Continue(offset int64) (err error) {
	removeLeftovers(w.dir)
	w.log, err = openMetrics(w.dir, offset)
	return err
}

// Salvage rewrites metrics.jsonl with those of its lines that can be read and are sound, which is
// asked of one after the other. The file as it was is kept beside it.
func (w *Writer) Salvage(sound func(Point) bool) error { return salvage(w.dir, sound) }

// Close gives the lock back. It comes after CloseLog.
func (w *Writer) Close() error { return w.lock.Close() }

// Dir returns the run directory.
func (w *Writer) Dir() string { return w.dir }

// SaveConfig replaces config.json.
func (w *Writer) SaveConfig(file *ConfigFile) error {
	if err := WriteJSON(w.dir, configName, file); err != nil {
		return fmt.Errorf("save the configuration: %w", err)
	}
	return nil
}

// Forget removes what the run came to when it ended before, and what stands behind the
// offset of Continue.
func (w *Writer) Forget() error {
	if err := w.log.cut(); err != nil {
		return err
	}
	for _, name := range []string{summaryName, pointsName, CrashFile} {
		if err := files.OS.Remove(filepath.Join(w.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Append appends a report line. One of the same step as the last line that was appended
// takes its place. After an error the line is kept for later, unless
// too many wait already.
func (w *Writer) Append(p Point) error { return w.log.add(p) }

// Sync makes all report lines durable.
func (w *Writer) Sync() error { return w.log.sync() }

// CloseLog makes all report lines durable; none can follow. The error says how many
// were lost.
func (w *Writer) CloseLog() error {
	if err := w.log.close(); err != nil {
		return fmt.Errorf("%s is incomplete (%d lines lost): %w", metricsName, w.log.lost, err)
	}
	if w.log.lost > 0 {
		return fmt.Errorf("%s is incomplete (%d lines lost)", metricsName, w.log.lost)
	}
	return nil
}

// SaveCheckpoint replaces the checkpoint. Sync comes before: report lines must not
// be younger than the checkpoint that continues them.
func (w *Writer) SaveCheckpoint(p Progress, arrays, kept []models.Array) error {
	return saveCheckpoint(w.dir, p, arrays, kept)
}

// SaveDiagnostics replaces diagnostics.json.
func (w *Writer) SaveDiagnostics(d *Diagnostics) error { return saveDiagnostics(w.dir, d) }

// SavePredictions writes test_points.csv, with the predictions of a step.
func (w *Writer) SavePredictions(step int, p *Predictions) error {
	return savePoints(w.dir, filepath.Base(w.dir), step, p)
}

// SaveSummary writes summary.json.
func (w *Writer) SaveSummary(s *Summary) error {
	if err := WriteJSON(w.dir, summaryName, s); err != nil {
		return fmt.Errorf("the summary could not be saved: %w", err)
	}
	return nil
}

// SaveCrash keeps what is known of a panic.
func (w *Writer) SaveCrash(text string) error {
	err := writeAtomic(w.dir, CrashFile, func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s could not be written: %w", CrashFile, err)
	}
	return nil
}

// WriteFile writes a file into a run directory, atomically, and returns its path.
// The name must be a plain one and not one of the run's own files. What writes it may be
// called again: a run that is resumed meanwhile deletes what seems to be left over.
func WriteFile(dir, name string, write func(io.Writer) error) (string, error) {
	if name == "" || name != filepath.Base(name) || name[0] == '.' || name == notesName || ownNames[name] {
		return "", fmt.Errorf("%q cannot be written into a run directory", name)
	}
	err := writeAtomic(dir, name, write)
	if errors.Is(err, fs.ErrNotExist) {
		err = writeAtomic(dir, name, write)
	}
	return filepath.Join(dir, name), err
}
