package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"runtime"

	"dgplab/datasets/files"
)

// Trash moves the run that matches id (see Find) to the folder .trash next to the run directories. Untrash
// moves it back. The error wraps ErrRunning if the run has a writer.
func Trash(id string) error {
	path, changes, err := findAndLock("", id)
	if err != nil {
		return err
	}
	defer changes.Close()
	run, err := files.OpenDir(files.OS, path)
	if err != nil {
		return err
	}
	defer run.Close()
	lock, err := LockDir(run)
	if err != nil {
		return err
	}
	// Windows cannot move a directory that is open or has an open file.
	if runtime.GOOS == "windows" {
		lock.Close()
		run.Close()
	} else {
		defer lock.Close()
	}
	trash, err := OpenFolder(trashName)
	if err != nil {
		return fmt.Errorf("create the trash folder: %w", err)
	}
	defer trash.Close()
	name := filepath.Base(path)
	return moveRun(name, filepath.Join(trashName, name), trash)
}

// Trashed returns the runs in the trash, newest first.
func Trashed() ([]Info, error) {
	trash, err := trashDir()
	if err != nil {
		return nil, err
	}
	runs, _, err := new(Lister).list(trash, math.MaxInt)
	return runs, err
}

// Untrash moves a run back from the trash. id selects a run in the trash as in Find.
func Untrash(id string) error {
	path, changes, err := findAndLock(trashName, id)
	if err != nil {
		return err
	}
	defer changes.Close()
	trash, err := OpenFolder(trashName)
	if err != nil {
		return err
	}
	defer trash.Close()
	name := filepath.Base(path)
	return moveRun(filepath.Join(trashName, name), name, trash)
}

func trashDir() (string, error) {
	parent, err := Root()
	return filepath.Join(parent, trashName), err
}

// moveRun moves a run directory to or from the trash. Both paths are relative to the folder of all
// runs. It returns an error if the destination exists.
func moveRun(from, to string, trash files.Dir) error {
	runs, err := openRoot()
	if err != nil {
		return err
	}
	defer runs.Close()
	if _, err := runs.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s already exists in %s",
				filepath.Base(to), filepath.Dir(filepath.Join(runs.Path(), to)))
		}
		return err
	}
	if err := runs.Rename(from, to); err != nil {
		return fmt.Errorf("move the run: %w", err)
	}
	return errors.Join(runs.Sync(), trash.Sync())
}
