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

// Replace makes the file dir/name hold what write writes, or leaves it as it
// was: the content goes to a file beside it, which is synced and then renamed,
// and the folder is synced. A process or a machine that dies at any instant
// leaves the old file or the new one, and perhaps a file whose name begins with
// TempPrefix. The error names the file, never that one.
func Replace(d Disk, dir, name string, write func(io.Writer) error) error {
	if err := replace(d, dir, name, write); err != nil {
		return fmt.Errorf("write %s: %w", name, Plain(err))
	}
	return nil
}

func replace(d Disk, dir, name string, write func(io.Writer) error) error {
	file, err := createBeside(d, dir, name)
	if err != nil {
		return err
	}
	err = fill(file, write)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = d.Rename(file.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		_ = d.Remove(file.Name()) // Best effort: leftovers mean nothing.
		return err
	}
	return d.SyncDir(dir)
}

// createBeside creates a file of another name in the folder.
func createBeside(d Disk, dir, name string) (file File, err error) {
	for range 100 {
		var random [5]byte
		rand.Read(random[:]) // never fails, see crypto/rand
		path := filepath.Join(dir, TempPrefix+name+"-"+hex.EncodeToString(random[:]))
		file, err = d.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, Mode)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return file, err
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
