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

// TempPrefix starts the names of files that are being written.
const TempPrefix = ".tmp-"

// Mode is that of files and DirMode that of folders, before the umask takes from it.
const (
	Mode    fs.FileMode = 0o666
	DirMode fs.FileMode = 0o777
)

// ReplaceAt is Replace of the file at a path. Links on the way to its folder are followed.
func ReplaceAt(d Disk, path string, write func(io.Writer) error) error {
	dir, err := d.OpenDir(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), Plain(err))
	}
	defer dir.Close()
	return Replace(dir, filepath.Base(path), write)
}

// Replace makes the file of a name hold what write writes, or leaves it as it
// was: the content goes to a file beside it, which is synced and then renamed,
// and the folder is synced. A process or a machine that dies at any instant
// leaves the old file or the new one, and perhaps a file whose name begins with
// TempPrefix. The error names the file, never that one.
func Replace(dir Dir, name string, write func(io.Writer) error) error {
	if err := replace(dir, name, write); err != nil {
		return fmt.Errorf("write %s: %w", name, Plain(err))
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
		_ = dir.Remove(temporary) // Best effort: leftovers mean nothing.
		return err
	}
	return dir.Sync()
}

// createBeside creates a file of another name in the folder, and returns that.
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
