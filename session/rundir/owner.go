package rundir

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"dgplab/datasets/files"
)

// An operating-system lock may be limited to one node, for example on GPFS, on Lustre without the option
// flock, and on NFS with local_lock. The lock file therefore also names its owner, who touches the file
// periodically. While the owner is alive, no other process may overwrite its record. The record is changed
// only while the claim file exists, which is created with O_EXCL.

const (
	// claimName is the file that exists while a process changes the owner of a folder.
	claimName = "lock.claim"
	// recordSize is the size of an owner's record in bytes. It is constant, so that a single write replaces a
	// record.
	recordSize = 512
)

// The periods of heartbeats.
var (
	// beatPeriod is the time between heartbeats.
	beatPeriod = 10 * time.Second
	// beatPatience is the time for which a process watches for heartbeats of an owner on another machine. If
	// there is none, the owner is gone.
	beatPatience = 90 * time.Second
	// beatLimit is the age of the last heartbeat, by the clock of the file system, at which an owner counts
	// as gone without being watched.
	beatLimit = 10 * time.Minute
)

// Owner is the process that holds the lock of a folder.
type Owner struct {
	Token string `json:"token"`
	// Host is the name of the machine. System identifies its boot and process namespace.
	Host   string `json:"host"`
	System string `json:"system"`
	PID    int    `json:"pid"`
	// Started is the start time of the process in a unit of the system, or "" if unknown.
	Started string `json:"started,omitempty"`
	// Job is the ID of the Slurm job of the process, or "" if there is none.
	Job string `json:"job,omitempty"`
}

// String returns the process, its machine and its Slurm job.
func (o *Owner) String() string {
	text := fmt.Sprintf("process %d on %s", o.PID, o.Host)
	if o.Job != "" {
		text += ", Slurm job " + o.Job
	}
	return text
}

// self returns the record of this process with a new token.
func self() *Owner {
	host, _ := os.Hostname()
	started, _ := processStart(os.Getpid())
	return &Owner{Token: rand.Text(), Host: host, System: system(), PID: os.Getpid(), Started: started,
		Job: SlurmJob()}
}

// SlurmJob returns the ID of the Slurm job of this process, which is JOB_INDEX for a task of an array, or "".
func SlurmJob() string {
	if array := os.Getenv("SLURM_ARRAY_JOB_ID"); array != "" {
		return array + "_" + os.Getenv("SLURM_ARRAY_TASK_ID")
	}
	return os.Getenv("SLURM_JOB_ID")
}

// ownTokens holds the tokens of the locks and claims of this process.
var ownTokens sync.Map

// ownersRecorded reports whether lock files name their owners. They do not on Windows, where other processes
// cannot read a locked file and where locks are effective on network drives.
const ownersRecorded = runtime.GOOS != "windows"

// HeldError reports a folder that is locked by a process that may be on another machine. It wraps
// ErrRunning.
type HeldError struct {
	Folder string
	Owner  Owner
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s: in use by %s; stop it first; if it was killed, try again after %.0f minutes",
		e.Folder, &e.Owner, beatLimit.Minutes())
}

// Unwrap returns ErrRunning.
func (e *HeldError) Unwrap() error { return ErrRunning }

// near reports whether the owner is a process on this machine, in the same boot and process namespace.
func (o *Owner) near(me *Owner) bool { return o.Host == me.Host && o.System == me.System }

// alive reports whether an owner on this machine is running.
func (o *Owner) alive() bool {
	if o.PID == os.Getpid() {
		_, held := ownTokens.Load(o.Token)
		return held
	}
	started, running := processStart(o.PID)
	return running && started == o.Started
}

// decodeOwner parses the content of a lock file. It returns nil for an empty or damaged record.
func decodeOwner(record []byte) *Owner {
	o := new(Owner)
	record = bytes.TrimRight(record, "\x00 \n")
	if err := json.Unmarshal(record, o); err != nil || o.Token == "" {
		return nil
	}
	return o
}

// encode returns the record of the owner.
func (o *Owner) encode() []byte {
	record, err := json.Marshal(o)
	if err != nil {
		panic(err) // The record has only text and a number.
	}
	return append(record, bytes.Repeat([]byte{'\n'}, max(1, recordSize-len(record)))...)
}

// readOwner returns the owner named in the lock file of a folder, or nil if there is none, and the time of
// its last heartbeat.
func readOwner(dir files.Dir) (o *Owner, beat time.Time, err error) {
	file, err := dir.OpenFile(lockName, os.O_RDONLY, 0)
	if err != nil {
		return nil, beat, err
	}
	defer file.Close()
	return ownerIn(file)
}

// ownerIn is readOwner for an open lock file.
func ownerIn(file files.File) (o *Owner, beat time.Time, err error) {
	info, err := file.Stat()
	if err != nil {
		return nil, beat, err
	}
	record := make([]byte, recordSize)
	n, err := file.ReadAt(record, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, beat, err
	}
	return decodeOwner(record[:n]), info.ModTime(), nil
}

// writeOwner writes the record of an owner into the lock file, or empties the file if o is nil. A lock file
// with hard links is replaced by a copy, which nobody has locked.
func writeOwner(dir files.Dir, o *Owner) error {
	file, err := files.OpenInPlace(dir, lockName)
	if err != nil {
		return err
	}
	if o == nil {
		err = file.Truncate(0)
	} else {
		_, err = file.WriteAt(o.encode(), 0)
	}
	return errors.Join(err, file.Close())
}

// sighting is the last heartbeat that this process has seen from an owner.
type sighting struct {
	token string
	beat  time.Time
	since time.Time // when this process saw it first
}

// sightings holds the last heartbeats of owners on other machines, by the path of the folder.
var sightings struct {
	sync.Mutex
	last map[string]sighting
}

// silent records a heartbeat of an owner on another machine. It reports whether this process has seen no
// later heartbeat for beatPatience. The clocks of the machines need not agree.
func silent(folder, token string, beat time.Time) bool {
	sightings.Lock()
	defer sightings.Unlock()
	last, ok := sightings.last[folder]
	if ok && last.token == token && last.beat.Equal(beat) {
		return time.Since(last.since) >= beatPatience
	}
	if sightings.last == nil {
		sightings.last = map[string]sighting{}
	}
	sightings.last[folder] = sighting{token, beat, time.Now()}
	return false
}

// claim creates the claim file of a folder and returns its time, by the clock of the file system.
// flocked is true if this process has locked the lock file. The caller must remove the claim file.
// The error wraps ErrRunning if another process has claimed the folder.
func claim(dir files.Dir, me *Owner, flocked bool) (time.Time, error) {
	for limit := time.Now().Add(200 * time.Millisecond); ; time.Sleep(5 * time.Millisecond) {
		file, err := dir.OpenFile(claimName, os.O_CREATE|os.O_EXCL|os.O_RDWR, files.Mode)
		if err == nil {
			_, err = file.WriteAt(me.encode(), 0)
			info, failed := file.Stat()
			if err := errors.Join(err, failed, file.Close()); err != nil {
				_ = dir.Remove(claimName)
				return time.Time{}, err
			}
			return info.ModTime(), nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return time.Time{}, err
		}
		late := time.Now().After(limit)
		if abandoned(dir, me, flocked && late) {
			_ = dir.Remove(claimName)
			continue
		}
		if late {
			return time.Time{}, fmt.Errorf("%s: %w", filepath.Base(dir.Path()), ErrRunning)
		}
	}
}

// abandoned reports whether the process that created the claim file is gone. If the file has no record, its
// process died before writing one or is about to write it. waited is true if enough time has passed to
// exclude the latter for a process on this machine.
func abandoned(dir files.Dir, me *Owner, waited bool) bool {
	file, err := dir.OpenFile(claimName, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	o, created, err := ownerIn(file)
	switch {
	case err != nil:
		return false
	case o != nil && o.near(me):
		return !o.alive()
	case o == nil && waited:
		return true
	case o == nil:
		o = new(Owner)
	}
	return time.Since(created) >= beatLimit || silent(filepath.Join(dir.Path(), claimName), o.Token, created)
}

// own makes this process the owner of a folder that has a lock file. flocked is true if this process holds
// the operating-system lock of the file. The error wraps ErrRunning if there is another owner.
func (l *Lock) own(flocked bool) error {
	me := self()
	ownTokens.Store(me.Token, true)
	defer func() {
		if l.owner != me {
			ownTokens.Delete(me.Token)
		}
	}()
	now, err := claim(l.dir, me, flocked)
	if err != nil {
		return err
	}
	defer func() { _ = l.dir.Remove(claimName) }()
	o, beat, err := readOwner(l.dir)
	if err != nil {
		return err
	}
	own := o != nil && l.owner != nil && o.Token == l.owner.Token // The lock file is a copy.
	if o != nil && !own && !o.gone(l.dir.Path(), me, beat, now, flocked) {
		return &HeldError{filepath.Base(l.dir.Path()), *o}
	}
	if err := writeOwner(l.dir, me); err != nil {
		return err
	}
	l.disown()
	l.owner = me
	return nil
}

// gone reports whether an owner no longer runs. beat is the time of its last heartbeat and now is the current
// time, both by the clock of the file system.
func (o *Owner) gone(folder string, me *Owner, beat, now time.Time, flocked bool) bool {
	if o.near(me) {
		if o.Started == "" && o.PID != me.PID {
			return flocked // Processes cannot be looked up here.
		}
		return !o.alive()
	}
	return now.Sub(beat) >= beatLimit || silent(folder, o.Token, beat)
}

// disown forgets that this process owned the folder.
func (l *Lock) disown() {
	if l.owner != nil {
		ownTokens.Delete(l.owner.Token)
		l.owner = nil
	}
}

// release empties the lock file if this process still owns the folder.
func (l *Lock) release() {
	if l.owner == nil {
		return
	}
	o, _, err := readOwner(l.dir)
	if err == nil && o != nil && o.Token == l.owner.Token {
		_ = writeOwner(l.dir, nil)
	}
	l.disown()
}

// beat touches the lock file once per period until stop is closed or there is another owner.
func (l *Lock) beat(me *Owner, period time.Duration, stop <-chan struct{}) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		mine, err := touch(l.dir, me)
		if err == nil && !mine {
			return
		}
	}
}

// touch sets the time of the lock file by writing the record of its owner again. mine is false if another
// process has become the owner. A file without a record was damaged, and gets the record of this process.
func touch(dir files.Dir, me *Owner) (mine bool, err error) {
	file, err := dir.OpenFile(lockName, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer file.Close()
	o, _, err := ownerIn(file)
	switch {
	case err != nil:
		return false, err
	case o == nil:
		return true, writeOwner(dir, me)
	case o.Token != me.Token:
		return false, nil
	}
	// The same bytes change no other name of the file, so that a backup made with hard links stays as it is.
	_, err = file.WriteAt(me.encode(), 0)
	return true, err
}

// ownedElsewhere reports whether a lock file names an owner that is running, although no process on this
// machine has locked the file. The file is read only if it is not empty.
func ownedElsewhere(file *flock.Flock) bool {
	info, err := file.Stat()
	if !ownersRecorded || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	o := OwnerOf(filepath.Dir(file.Path()))
	if o == nil {
		return false
	}
	if o.near(self()) {
		return o.Started != "" && o.alive()
	}
	return time.Since(info.ModTime()) < beatPatience
}

// OwnerOf returns the process that the lock file of a folder names, or nil if there is none. The process can
// be gone; see Locked.
func OwnerOf(dir string) *Owner {
	file, err := files.Open(files.OS, filepath.Join(dir, lockName))
	if err != nil {
		return nil
	}
	defer file.Close()
	o, _, err := ownerIn(file)
	if err != nil {
		return nil
	}
	return o
}
