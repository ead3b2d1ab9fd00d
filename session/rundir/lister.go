package rundir

import (
	"cmp"
	"maps"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// List lists all run directories, the newest first. A directory that cannot be
// read is listed as broken; a missing folder has no runs.
func List() ([]Info, error) { return new(Lister).Runs() }

// Dirs returns the directories of all runs, those with the last names first, which begin with
// the time at which a run was made. A missing folder has none. Read reads them.
func Dirs() ([]string, error) {
	parent, err := Root()
	if err != nil {
		return nil, err
	}
	return dirsIn(parent)
}

// dirsIn is Dirs in a folder.
func dirsIn(parent string) ([]string, error) {
	names, err := runsIn(parent)
	for i, name := range names {
		names[i] = filepath.Join(parent, name)
	}
	slices.Reverse(names)
	return names, err
}

// Read reads the runs in some directories, in their order, several at a time. Whoever reads
// many reads them in pieces, of which only what is needed stays in memory.
func Read(dirs []string) []Info {
	runs := make([]Info, len(dirs))
	inParallel(len(dirs), func(i int) { runs[i] = new(Lister).look(dirs[i]) })
	return runs
}

// Newer orders runs as lists do, the newest first.
func Newer(aCreated, bCreated time.Time, a, b string) int {
	return cmp.Or(bCreated.Compare(aCreated), strings.Compare(b, a))
}

// Find returns the run whose ID is id, or whose path it is, or else that has this name, or else whose
// ID is the only one that starts with id. A broken run is returned with State
// Broken and Err, not as an error.
func Find(id string) (Info, error) {
	dir, err := findRun(id)
	if err != nil {
		return Info{}, err
	}
	return new(Lister).look(dir), nil
}

// Lister lists the runs again and again, for screens. It reads only the directories
// in which something has changed since, so that thousands of runs can be watched; one
// Lister serves a whole program. It may be used by several goroutines; the zero value
// is ready.
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

// Runs is like the function List.
func (l *Lister) Runs() ([]Info, error) {
	runs, _, err := l.Newest(math.MaxInt)
	return runs, err
}

// Newest is like Runs, but reads at most so many runs: those with the last IDs, which
// begin with the time at which a run was made. all says that there are no more.
func (l *Lister) Newest(most int) (runs []Info, all bool, err error) {
	parent, err := Root()
	if err != nil {
		return nil, false, err
	}
	return l.list(parent, most)
}

// list is Newest in a folder.
func (l *Lister) list(parent string, most int) (runs []Info, all bool, err error) {
	names, err := runsIn(parent)
	if err != nil {
		return nil, false, err
	}
	most = min(most, len(names))
	runs = make([]Info, most)
	dirs := make([]string, most)
	for i, name := range names[len(names)-most:] {
		dirs[i] = filepath.Join(parent, name)
	}
	inParallel(most, func(i int) { runs[i] = l.look(dirs[i]) })
	all = most == len(names)
	if all {
		l.forgetOthers(dirs)
	}
	slices.SortStableFunc(runs, func(a, b Info) int { return Newer(a.Created, b.Created, a.ID, b.ID) })
	return runs, all, nil
}

// inParallel calls do for all numbers below n, as many at a time as there are
// processors: what is read takes memory until it is done.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// forgetOthers forgets the directories that are gone.
func (l *Lister) forgetOthers(dirs []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	there := make(map[string]bool, len(dirs))
	for _, dir := range dirs {
		there[dir] = true
	}
	maps.DeleteFunc(l.seen, func(dir string, _ listed) bool { return !there[dir] })
}

// look returns what is known of the run in dir, and reads it if it may have changed.
func (l *Lister) look(dir string) Info {
	// The lock is looked at first: a run that ends meanwhile has its summary then.
	running := Locked(dir)
	now := stampOf(dir)
	l.mu.Lock()
	old, ok := l.seen[dir]
	l.mu.Unlock()
	if ok && old.stamp == now && old.running == running {
		return old.info
	}
	info := inspect(dir, running, now)
	if info.Summary == nil {
		info.Last = lastPoint(dir)
		info.Step = max(info.Step, info.Last.Step)
	}
	info.share()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen == nil {
		l.seen = map[string]listed{}
	}
	delete(l.seen, dir)
	if time.Since(now.latest()) > settled {
		l.seen[dir] = listed{now, running, info}
	}
	return info
}
