package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"dgplab/datasets/files"
)

// Trash moves the run that id means (see Find) to the folder .trash beside the run
// directories, from where Untrash brings it back. Nothing is deleted. A run that is
// being written is refused: the error wraps ErrRunning.
func Trash(id string) error {
	dir, folder, err := findAndLock("", id)
	if err != nil {
		return err
	}
	defer folder.Close()
	lock, err := Lock(dir)
	if err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		lock.Close() // A directory with an open file cannot be moved there.
	} else {
		defer lock.Close()
	}
	trash, err := trashDir()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(trash, files.DirMode); err != nil {
		return fmt.Errorf("make the trash folder: %w", err)
	}
	return moveRun(dir, trash)
}

// Trashed lists the runs in the trash, the newest first.
func Trashed() ([]Info, error) {
	trash, err := trashDir()
	if err != nil {
		return nil, err
	}
	runs, _, err := new(Lister).list(trash, math.MaxInt)
	return runs, err
}

// Untrash moves a run from the trash back. id means a run there as it does in Find.
func Untrash(id string) error {
	dir, folder, err := findAndLock(trashName, id)
	if err != nil {
		return err
	}
	defer folder.Close()
	return moveRun(dir, filepath.Dir(filepath.Dir(dir)))
}

func trashDir() (string, error) {
	parent, err := Root()
	return filepath.Join(parent, trashName), err
}

// moveRun moves a run directory into another folder, which must not have one of
// the same name.
func moveRun(dir, to string) error {
	name := filepath.Base(dir)
	target := filepath.Join(to, name)
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("there is a %s in %s already", name, to)
		}
		return err
	}
	if err := files.OS.Rename(dir, target); err != nil {
		return fmt.Errorf("move the run: %w", err)
	}
	return errors.Join(files.OS.SyncDir(to), files.OS.SyncDir(filepath.Dir(dir)))
}
