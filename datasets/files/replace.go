package files

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// TempPrefix is the prefix of the names of temporary files.
const TempPrefix = ".tmp-"

// Mode is the mode of new files, and DirMode is the mode of new folders, before the umask is
// applied.
const (
	Mode    fs.FileMode = 0o666
	DirMode fs.FileMode = 0o777
)

// ReplaceAt calls Replace for the file at a path. It follows links to its folder.
func ReplaceAt(d Disk, path string, write func(io.Writer) error) error {
	dir, err := d.OpenDir(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), WithoutPath(err))
	}
	defer dir.Close()
	return Replace(dir, filepath.Base(path), write)
}

// Replace atomically replaces the file name by the output of write, or leaves it unchanged. It
// writes a temporary file in the same folder, syncs it, renames it and then syncs the folder. After
// a crash of the process or the machine, the old or the new file exists, and possibly a temporary
// file with the prefix TempPrefix. Errors name the file, not the temporary file.
func Replace(dir Dir, name string, write func(io.Writer) error) error {
	if err := replace(dir, name, write); err != nil {
		return fmt.Errorf("write %s: %w", name, WithoutPath(err))
	}
	return nil
}

func replace(dir Dir, name string, write func(io.Writer) error) error {
	file, temporary, err := createBeside(dir, name)
	if err != nil {
		return err
	}
	err = fill(file, write)
	closed := file.Close()
	if err == nil {
		err = closed
	}
	if err == nil {
		err = dir.Rename(temporary, name)
	}
	if err != nil {
		_ = dir.Remove(temporary) // best effort; leftovers are harmless
		return err
	}
	return dir.Sync()
}

// createBeside creates a temporary file in the folder and returns the file and its name.
func createBeside(dir Dir, name string) (file File, temporary string, err error) {
	for range 100 {
		var random [5]byte
		rand.Read(random[:]) // never fails, see crypto/rand
		temporary = TempPrefix + name + "-" + hex.EncodeToString(random[:])
		file, err = dir.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL, Mode)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return file, temporary, err
}

func fill(file File, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(file, 1<<16)
	if err := write(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.Sync()
}

// OpenInPlace opens an existing file for writing in place. If the file has other names (hard links),
// OpenInPlace first replaces it by a copy: the other names may belong to a backup or may lie outside the
// folder, and what they show must not change.
func OpenInPlace(dir Dir, name string) (File, error) {
	file, err := dir.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && Links(info) < 2 {
		return file, nil
	}
	if err == nil {
		err = Replace(dir, name, func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(file, 0, info.Size()))
			return err
		})
	}
	file.Close()
	if err != nil {
		return nil, err
	}
	return dir.OpenFile(name, os.O_RDWR, 0)
}
