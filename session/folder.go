package session

import "io"

// The parts that keep folders of their own beside the runs, such as sweeps, keep
// them as run directories are kept: one writer, whole files.

// LockFolder makes the caller the only writer of the folder dir until what it
// returns is closed. The error wraps ErrRunning when there is a writer already.
func LockFolder(dir string) (io.Closer, error) {
	file, err := lockRun(dir)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// FolderLocked reports whether the folder dir has a writer, in this process or in
// another one.
func FolderLocked(dir string) bool { return isLocked(dir) }

// ReadJSON reads a JSON file into value. The error names the file; it wraps
// fs.ErrNotExist where there is none.
func ReadJSON(path string, value any) error { return readJSON(path, value) }

// WriteJSON makes the file dir/name hold value as indented JSON, atomically.
func WriteJSON(dir, name string, value any) error { return writeJSON(dir, name, value) }
