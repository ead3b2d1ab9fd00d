package rundir

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// List lists all run directories, the newest first. A directory that cannot be
// read is listed as broken; a missing folder has no runs.
func List() ([]Info, error) { return new(Lister).Runs() }

// Find returns the run whose ID is id, or else that has this name, or else whose
// ID is the only one that starts with id. A broken run is returned with State
// Broken and Err, not as an error.
func Find(id string) (Info, error) {
	dir, err := findRun(id)
	if err != nil {
		return Info{}, err
	}
	return new(Lister).look(dir), nil
}

// Lister lists the runs again and again, for a screen. It reads only the
// directories in which something has changed since, so that thousands of runs can
// be watched. It may be used by several goroutines; the zero value is ready.
type Lister struct {
	mu   sync.Mutex
	seen map[string]listed // by directory
}

// listed is a directory as it was read.
type listed struct {
	stamp   stamp
	running bool
	info    Info
}

// Runs is like the function Runs.
func (l *Lister) Runs() ([]Info, error) {
	parent, err := Root()
	if err != nil {
		return nil, err
	}
	return l.list(parent)
}

// list returns the runs in a folder.
func (l *Lister) list(parent string) ([]Info, error) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.seen
	l.seen = make(map[string]listed, len(entries))
	var list []Info
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		if old, ok := before[dir]; ok {
			l.seen[dir] = old
		}
		list = append(list, l.look(dir))
	}
	slices.SortStableFunc(list, func(a, b Info) int {
		return cmp.Or(b.Created.Compare(a.Created), strings.Compare(b.ID, a.ID))
	})
	return list, nil
}

// look returns what is known of the run in dir, and reads it if it may have changed.
func (l *Lister) look(dir string) Info {
	// The lock is looked at first: a run that ends meanwhile has its summary then.
	running := Locked(dir)
	now := stampOf(dir)
	if old, ok := l.seen[dir]; ok && old.stamp == now && old.running == running {
		return old.info
	}
	info := inspect(dir, running, now)
	if info.Summary == nil {
		info.Last = lastPoint(dir)
		info.Step = max(info.Step, info.Last.Step)
	}
	if l.seen != nil {
		delete(l.seen, dir)
		if time.Since(now.latest()) > settled {
			l.seen[dir] = listed{now, running, info}
		}
	}
	return info
}

// settled is how old a file must be before its time of change tells whether it is
// the one that was read: the clocks of file systems are coarse.
const settled = 100 * time.Millisecond

// watched are the files that can change what is known of a run.
var watched = [...]string{configName, metricsName, checkpointName, summaryName, CrashFile, lockName, notesName}

// stamp is the time of change (nanoseconds since 1970; 0 for a file that is not
// there) and the size of each of the watched files.
type stamp [len(watched)]struct{ changed, size int64 }

func stampOf(dir string) stamp {
	var s stamp
	for i, name := range watched {
		if stat, err := os.Stat(filepath.Join(dir, name)); err == nil {
			s[i].changed, s[i].size = stat.ModTime().UnixNano(), stat.Size()
		}
	}
	return s
}

// latest returns the last change of any file.
func (s stamp) latest() time.Time { return s.last(func(string) bool { return true }) }

// written returns when the run itself last wrote anything.
func (s stamp) written() time.Time { return s.last(func(name string) bool { return ownNames[name] }) }

// last returns the last change of the files whose names count; the zero time if
// there are none.
func (s stamp) last(counts func(name string) bool) time.Time {
	var last int64
	for i, file := range s {
		if counts(watched[i]) {
			last = max(last, file.changed)
		}
	}
	if last == 0 {
		return time.Time{}
	}
	return time.Unix(0, last)
}

// inspect reads all of a run directory but its report lines.
func inspect(dir string, running bool, files stamp) Info {
	info := Info{ID: filepath.Base(dir), Dir: dir, State: Interrupted, Changed: files.written(), Last: noPoint}
	info.Notes, info.NotesErr = readNotes(dir)
	file, err := ReadConfig(dir)
	if err != nil {
		info.State, info.Err, info.Created = Broken, err, info.Changed
		return info
	}
	info.Config, info.Values, info.Created, info.Parent = file.Config, file.Values, file.Created, file.Parent
	info.Sweep, info.Data = file.Sweep, file.Data
	if steps, ok := file.Values["steps"]; ok {
		fmt.Sscan(steps, &info.Steps)
	}
	if running {
		info.State = Running
		return info
	}
	info.Summary, err = ReadSummary(dir)
	switch {
	case err != nil:
		info.State, info.Err = Broken, err
	case info.Summary != nil:
		info.State, info.Step = Ended, info.Summary.Steps
		info.Resumable = info.Summary.Stop == StopAsked || info.Summary.Stop == StopFailed
	default:
		info.Resumable = true
	}
	return info
}

var nan = math.NaN()

// noPoint is a report line that was not written.
var noPoint = Point{Seconds: nan, Objective: nan, ExpectedLogLik: nan, KL: nan, ValLogLik: nan, GradientNorm: nan}

// lastPoint returns the last whole report line, reading only the end of the file;
// noPoint if there is none.
func lastPoint(dir string) Point {
	const tail = 4096 // many lines
	file, err := os.Open(filepath.Join(dir, metricsName))
	if err != nil {
		return noPoint
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return noPoint
	}
	first := max(0, stat.Size()-tail)
	text, err := io.ReadAll(io.NewSectionReader(file, first, tail))
	if err != nil {
		return noPoint
	}
	if first > 0 { // begin with a whole line
		_, rest, _ := strings.Cut(string(text), "\n")
		text = []byte(rest)
	}
	last := noPoint
	_, _ = parseLines(text, func(p Point, _ int64) bool {
		last = p
		return true
	})
	return last
}
