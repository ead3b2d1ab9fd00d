package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"dgplab/datasets/files"
	"dgplab/session/rundir"
)

const (
	// cellsName is the folder of the folders of cells, below the folder of a sweep.
	cellsName = "cells"
	// cellFileName is the file of a cell; see session/FORMAT.md.
	cellFileName = "cell.json"
)

// EventKind is the kind of an event of a cell.
type EventKind string

// The kinds of events. Interrupted means that the process was asked to end and saved a checkpoint;
// the cause follows if Slurm reports it. A start without an end means that the process was killed
// or its node was lost.
const (
	EventStarted     EventKind = "started"
	EventTimeLimit   EventKind = "time limit" // with a checkpoint
	EventRequeued    EventKind = "requeued"   // after a time limit, by the task itself
	EventInterrupted EventKind = "interrupted"
	EventCause       EventKind = "cause" // Text is a slurm.Cause.
	EventDone        EventKind = "done"
	EventFailed      EventKind = "failed"
)

// Event is something that happened to a cell in a task.
type Event struct {
	Kind EventKind `json:"kind"`
	Time time.Time `json:"time"`
	// List is the list of cells of the task, or "".
	List string `json:"list,omitempty"`
	Host string `json:"host,omitempty"`
	// Job is the Slurm task, or "", and Restarts the number of its earlier starts.
	Job      string `json:"job,omitempty"`
	Restarts int    `json:"restarts,omitempty"`
	Step     int    `json:"step,omitempty"`
	Text     string `json:"text,omitempty"`
}

// cellFile is the content of the file of a cell. It tells the tasks of a cell about each other. The
// run directory remains the record of its progress.
type cellFile struct {
	Key string `json:"key"`
	// Run is the ID of the run of the cell, or "" before it is created. If Starting is set, a process
	// was about to create it.
	Run      string  `json:"run,omitempty"`
	Starting bool    `json:"starting,omitempty"`
	Events   []Event `json:"events,omitempty"`
}

// last returns the last event, or an empty one.
func (f *cellFile) last() Event {
	if f == nil || len(f.Events) == 0 {
		return Event{}
	}
	return f.Events[len(f.Events)-1]
}

// timeouts returns the number of time limits of the tasks of a list.
func (f *cellFile) timeouts(list string) int {
	n := 0
	for _, e := range f.Events {
		if e.Kind == EventTimeLimit && e.List == list {
			n++
		}
	}
	return n
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
	found, err := readCell(dir.Path())
	if err != nil {
		c.Close()
		return nil, err
	}
	c.cellFile = *found
	c.Key = key
	return c, nil
}

// readCell reads the file of a cell. A missing file is an empty one.
func readCell(dir string) (*cellFile, error) {
	f := new(cellFile)
	err := rundir.ReadJSON(filepath.Join(dir, cellFileName), f)
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

// add appends an event and writes the file.
func (c *cellFolder) add(e Event) error {
	c.Events = append(c.Events, e)
	return c.save()
}

// Close unlocks and closes the folder.
func (c *cellFolder) Close() error { return errors.Join(c.Lock.Close(), c.dir.Close()) }
