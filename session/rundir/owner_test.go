//go:build linux

package rundir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ownedBy writes a lock file that names an owner whose last heartbeat has a given age.
func ownedBy(t *testing.T, dir string, o *Owner, old time.Duration) {
	t.Helper()
	path := filepath.Join(dir, lockName)
	if err := os.WriteFile(path, o.encode(), 0o644); err != nil {
		t.Fatal(err)
	}
	beat := time.Now().Add(-old)
	if err := os.Chtimes(path, beat, beat); err != nil {
		t.Fatal(err)
	}
}

// patient sets beatPatience for a test.
func patient(t *testing.T, d time.Duration) {
	t.Helper()
	before := beatPatience
	beatPatience = d
	t.Cleanup(func() { beatPatience = before })
}

// owner returns the owner of a folder, or nil if there is none.
func owner(t *testing.T, dir string) *Owner {
	t.Helper()
	o, _, err := readOwner(folder(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// A lock file names its process and Slurm job, and is empty after Close.
func TestLockNamesItsOwner(t *testing.T) {
	t.Setenv("SLURM_ARRAY_JOB_ID", "7")
	t.Setenv("SLURM_ARRAY_TASK_ID", "3")
	dir := t.TempDir()
	lock, err := LockDir(folder(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	if o := owner(t, dir); o == nil || o.PID != os.Getpid() || o.Host != host || o.Job != "7_3" {
		t.Errorf("owner %+v", o)
	}
	lock.Close()
	if o := owner(t, dir); o != nil {
		t.Errorf("owner %+v after the end", o)
	}
	if names, err := folder(t, dir).Names(); err != nil || len(names) != 1 {
		t.Errorf("the folder has %v, %v", names, err)
	}
}

// If the owner was a process of this machine that died, its lock is taken immediately. If it was a process of
// an earlier boot, the lock is taken only after a long time.
func TestOwnersThatDied(t *testing.T) {
	patient(t, time.Hour)
	here := self()
	dead, reused, rebooted, other := *here, *here, *here, *here
	dead.PID = 1 << 30
	reused.PID, reused.Started = os.Getppid(), "1"
	rebooted.System = "another boot"
	other.Host = "n2"
	for _, c := range []struct {
		name   string
		owner  Owner
		old    time.Duration
		taken  bool
		locked bool
	}{
		{"dead", dead, 0, true, false},
		{"process number reused", reused, 0, true, false},
		{"lost by this process", *here, 0, true, false},
		{"earlier boot", rebooted, time.Minute, false, true},
		{"earlier boot, long ago", rebooted, 2 * time.Hour, true, false},
		{"other machine", other, time.Minute, false, true},
		{"other machine, clock ahead", other, -time.Hour, false, true},
		{"other machine, long ago", other, 2 * time.Hour, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			ownedBy(t, dir, &c.owner, c.old)
			if Locked(dir) != c.locked {
				t.Errorf("locked is %v", !c.locked)
			}
			lock, err := LockDir(folder(t, dir))
			var held *HeldError
			switch {
			case c.taken && err != nil:
				t.Error(err)
			case c.taken:
				lock.Close()
			case !errors.As(err, &held) || !errors.Is(err, ErrRunning) || held.Owner != c.owner ||
				!strings.Contains(err.Error(), "in use by "+c.owner.String()):
				t.Errorf("error %v", err)
			}
			if _, err := os.Lstat(filepath.Join(dir, claimName)); err == nil {
				t.Error("the claim is left")
			}
		})
	}
}

// A live process on this machine keeps its lock even if the operating-system lock has no effect.
func TestOwnerWithoutFlock(t *testing.T) {
	dir := t.TempDir()
	lock, err := LockDir(folder(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, flocked := range []bool{false, true} {
		var held *HeldError
		other := &Lock{dir: folder(t, dir)}
		err := other.own(flocked)
		if !errors.As(err, &held) || held.Owner != *lock.owner || other.owner != nil {
			t.Errorf("locked twice by one process: %v", err)
		}
	}
	lock.Close()
	o := self()
	o.PID = os.Getppid()
	o.Started, _ = processStart(o.PID)
	ownedBy(t, dir, o, 0)
	if _, err := LockDir(folder(t, dir)); !errors.Is(err, ErrRunning) || !Locked(dir) {
		t.Errorf("error %v, locked %v", err, Locked(dir))
	}
}

// An owner on another machine keeps its lock while it sends heartbeats, even if the clocks disagree. It loses
// the lock after some time without heartbeats.
func TestHeartbeatsOfAnotherMachine(t *testing.T) {
	const wait = 40 * time.Millisecond
	patient(t, wait)
	dir := t.TempDir()
	o := self()
	o.Host = "n2"
	for beat := range 5 {
		ownedBy(t, dir, o, -time.Duration(beat+1)*time.Hour)
		if _, err := LockDir(folder(t, dir)); !errors.Is(err, ErrRunning) {
			t.Fatalf("heartbeat %d: %v", beat, err)
		}
		time.Sleep(wait)
	}
	eventually := time.Now().Add(2 * time.Minute)
	for {
		lock, err := LockDir(folder(t, dir))
		if err == nil {
			lock.Close()
			return
		}
		if time.Now().After(eventually) {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}

// A writer that has lost its lock to another process stops writing and does not release that lock.
func TestOvertakenWriter(t *testing.T) {
	w := writing(t)
	other := self()
	other.Host = "n2"
	ownedBy(t, w.Dir(), other, 0)
	err := w.Sync()
	if !errors.Is(err, ErrRunning) || w.Lost() == nil ||
		!strings.Contains(err.Error(), "was taken over by process") {
		t.Errorf("error %v", err)
	}
	if err := w.Append(Point{Step: 9}); !errors.Is(err, ErrRunning) {
		t.Errorf("a report line: %v", err)
	}
	w.Close()
	if o := owner(t, w.Dir()); o == nil || o.Token != other.Token {
		t.Errorf("owner %+v", o)
	}
}

// Heartbeats change the time of the lock file but not its content.
func TestHeartbeat(t *testing.T) {
	before := beatPeriod
	beatPeriod = time.Millisecond
	t.Cleanup(func() { beatPeriod = before })
	dir := t.TempDir()
	lock, err := LockDir(folder(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	o, first, _ := readOwner(folder(t, dir))
	for limit := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		again, beat, err := readOwner(folder(t, dir))
		if err != nil || *again != *o {
			t.Fatalf("%+v, %v", again, err)
		}
		if beat.After(first) {
			break
		}
		if time.Now().After(limit) {
			t.Fatal("no heartbeat")
		}
	}
	if again, err := lock.Keep(); again || err != nil {
		t.Errorf("again %v, %v", again, err)
	}
}

// While another process changes the owner, the folder is in use. The claim of a dead process is removed.
func TestClaims(t *testing.T) {
	patient(t, time.Hour)
	dir := t.TempDir()
	path := filepath.Join(dir, claimName)
	o := self()
	for _, waited := range []bool{false, true} {
		if abandoned(folder(t, dir), o, waited) {
			t.Errorf("a claim that was just removed is abandoned, waited %v", waited)
		}
	}
	o.Host = "n2"
	if err := os.WriteFile(path, o.encode(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LockDir(folder(t, dir)); !errors.Is(err, ErrRunning) {
		t.Errorf("claimed on another machine: %v", err)
	}
	beatPatience = 0
	lock, err := LockDir(folder(t, dir))
	if err != nil {
		t.Fatalf("an old claim from another machine: %v", err)
	}
	lock.Close()
	beatPatience = time.Hour
	o = self()
	o.PID = 1 << 30
	if err := os.WriteFile(path, o.encode(), 0o644); err != nil {
		t.Fatal(err)
	}
	lock, err = LockDir(folder(t, dir))
	if err != nil {
		t.Fatalf("the claim of a dead process: %v", err)
	}
	lock.Close()
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	lock, err = LockDir(folder(t, dir))
	if err != nil {
		t.Fatalf("the claim of a process that died before writing its record: %v", err)
	}
	lock.Close()
}

// A lock file with a damaged record has no owner.
func TestDamagedRecord(t *testing.T) {
	for _, text := range []string{"{", strings.Repeat("\x00", recordSize), "[1]", `{"host":"n2"}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, lockName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if Locked(dir) {
			t.Errorf("%q: locked", text)
		}
		lock, err := LockDir(folder(t, dir))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		lock.Close()
	}
}
