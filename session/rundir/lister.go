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

// List returns all runs, newest first. A directory that cannot be read is listed as broken. A
// missing folder has no runs.
func List() ([]Info, error) { return new(Lister).Runs() }

// Dirs returns the directories of all runs for Read, in descending order of their names, which
// begin with the creation time. A missing folder has none.
func Dirs() ([]string, error) {
	parent, err := Root()
	if err != nil {
		return nil, err
	}
	return dirsIn(parent)
}

// dirsIn is like Dirs, but for the given folder.
func dirsIn(parent string) ([]string, error) {
	names, err := runsIn(parent)
	for i, name := range names {
		names[i] = filepath.Join(parent, name)
	}
	slices.Reverse(names)
	return names, err
}

// Read reads the runs in dirs in parallel and returns them in the same order. To limit memory,
// callers with many directories should read them in pieces and keep only what they need.
func Read(dirs []string) []Info {
	runs := make([]Info, len(dirs))
	inParallel(len(dirs), func(i int) { runs[i] = new(Lister).readCached(dirs[i]) })
	return runs
}

// Newer compares two runs by creation time and ID, newest first.
func Newer(aCreated, bCreated time.Time, a, b string) int {
	return cmp.Or(bCreated.Compare(aCreated), strings.Compare(b, a))
}

// Find returns the run with the given ID or path, or else the run that Latest or a name selects, or
// else the run with the only ID that starts with id. A broken run is returned with State Broken and
// Err, not as an error.
func Find(id string) (Info, error) {
	dir, err := findRun(id)
	if err != nil {
		return Info{}, err
	}
	return new(Lister).readCached(dir), nil
}

// Lister lists the runs repeatedly, for screens. It reads only directories that have changed, which
// makes it cheap to watch thousands of runs. One Lister serves a whole program. It is safe for
// concurrent use. The zero value is ready for use.
type Lister struct {
	mu    sync.Mutex
	cache map[string]cacheEntry // by directory
}

// cacheEntry is the cached content of a directory.
type cacheEntry struct {
	stamp   stamp
	running bool
	info    Info
}

// Runs is like the function List.
func (l *Lister) Runs() ([]Info, error) {
	runs, _, err := l.Newest(math.MaxInt)
	return runs, err
}

// Newest is like Runs but reads at most the given number of runs, taken from the last IDs. IDs
// begin with the creation time. all is true if there are no more runs.
func (l *Lister) Newest(most int) (runs []Info, all bool, err error) {
	parent, err := Root()
	if err != nil {
		return nil, false, err
	}
	return l.list(parent, most)
}

// list is like Newest, but for the given folder.
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
	inParallel(most, func(i int) { runs[i] = l.readCached(dirs[i]) })
	all = most == len(names)
	if all {
		l.evictOthers(dirs)
	}
	slices.SortStableFunc(runs, func(a, b Info) int { return Newer(a.Created, b.Created, a.ID, b.ID) })
	return runs, all, nil
}

// inParallel calls do for all integers below n on GOMAXPROCS goroutines. The limit bounds the
// memory of the runs that are being read.
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

// evictOthers removes all other directories from the cache.
func (l *Lister) evictOthers(dirs []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	there := make(map[string]bool, len(dirs))
	for _, dir := range dirs {
		there[dir] = true
	}
	maps.DeleteFunc(l.cache, func(dir string, _ cacheEntry) bool { return !there[dir] })
}

// readCached returns the run in dir. It reads the run if it may have changed.
func (l *Lister) readCached(dir string) Info {
	// Check the lock first: if the run ends in between, the summary is there when it is read.
	running := Locked(dir)
	now := stampOf(dir)
	l.mu.Lock()
	old, ok := l.cache[dir]
	l.mu.Unlock()
	if ok && old.stamp == now && old.running == running {
		return old.info
	}
	info := readInfo(dir, running, now)
	if info.Summary == nil {
		info.readLast()
	}
	info.share()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cache == nil {
		l.cache = map[string]cacheEntry{}
	}
	delete(l.cache, dir)
	if time.Since(now.latest()) > minStampAge {
		l.cache[dir] = cacheEntry{now, running, info}
	}
	return info
}
