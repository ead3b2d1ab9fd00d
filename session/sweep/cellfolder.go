package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"

	"dgplab/datasets/files"
	"dgplab/session/rundir"
)

const (
	// cellsName is the folder of the folders of cells, below the folder of a sweep.
	cellsName = "cells"
	// cellFileName is the file of a cell; see session/FORMAT.md.
	cellFileName = "cell.json"
)

// cellFile is the content of the file of a cell. It tells the tasks of a sweep about each other. The run
// directory remains the record of the progress of the cell.
type cellFile struct {
	Key string `json:"key"`
	// Run is the ID of the run of the cell. A file without it was written by a process that was about to
	// create the run.
	Run string `json:"run,omitempty"`
	// List is the list of the task that took the cell last, and Task its Slurm task. They are "" without
	// Slurm.
	List string `json:"list,omitempty"`
	Task string `json:"task,omitempty"`
	// Error is the reason why that task could not start the run.
	Error string `json:"error,omitempty"`
}

// status returns the status of a cell from that of its run. A cell whose last task could not start or
// continue the run has failed.
func (f *cellFile) status(run Status) Status {
	if f.Error != "" && (run == Waiting || run == Stopped) {
		return Failed
	}
	return run
}

// cellFolderName returns the name of the folder of a cell.
func cellFolderName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}

// cellFolder is the open, locked folder of a cell. Whoever holds it may create and write the run of
// the cell.
type cellFolder struct {
	*rundir.Lock
	dir files.Dir
	cellFile
}

// lockCell locks the folder of a cell and creates it if necessary. The error wraps rundir.ErrRunning
// if another process trains the cell.
func lockCell(name, key string) (*cellFolder, error) {
	dir, err := rundir.OpenFolder(folderName, name, cellsName, cellFolderName(key))
	if err != nil {
		return nil, err
	}
	lock, err := rundir.LockDir(dir)
	if err != nil {
		dir.Close()
		return nil, err
	}
	c := &cellFolder{Lock: lock, dir: dir}
	c.cellFile, err = readCell(dir.Path())
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// readCell reads the file of a cell. A missing file is an empty one.
func readCell(dir string) (f cellFile, err error) {
	err = rundir.ReadJSON(filepath.Join(dir, cellFileName), &f)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return f, err
}

// save writes the file of the cell, if the lock still holds.
func (c *cellFolder) save() error {
	if _, err := c.Keep(); err != nil {
		return err
	}
	return rundir.WriteJSON(c.dir, cellFileName, &c.cellFile)
}

// Close unlocks and closes the folder.
func (c *cellFolder) Close() error { return errors.Join(c.Lock.Close(), c.dir.Close()) }
