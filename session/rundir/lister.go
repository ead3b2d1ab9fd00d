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

// List returns all runs, newest first. A run that cannot be read is listed as broken. A missing folder has no
// runs.
func List() ([]Info, error) { return new(Lister).Runs() }

// Newer compares two runs for sorting by creation time and ID, newest first.
func Newer(aCreated, bCreated time.Time, a, b string) int {
	return cmp.Or(bCreated.Compare(aCreated), strings.Compare(b, a))
}

// Find returns the run that id selects. id is, in this order of precedence, an ID or a path, Latest or a
// name, or the beginning of a single ID. For a broken run, Find returns no error but an Info with State
// Broken and Err.
func Find(id string) (Info, error) {
	dir, err := findRun(id)
	if err != nil {
		return Info{}, err
	}
	return new(Lister).readCached(dir), nil
}

// Lister lists the runs repeatedly, for screens. It reads only directories that have changed, which
// makes it cheap to watch thousands of runs. It keeps an index of thousands of runs beside them, which
// makes the first list cheap, too. One Lister serves a whole program. It is safe for concurrent use. The
// zero value is ready for use.
type Lister struct {
	mu    sync.Mutex
	cache map[string]*cacheEntry // by directory
	index *index                 // of the folder of all runs; nil before the first list
}

// cacheEntry is the cached content of a directory.
type cacheEntry struct {
	stamp   stamp
	running bool
	info    Info
	agrees  bool // The results have the data of the configuration.
	indexed bool // The index has it.
}

// Runs is like the function List.
func (l *Lister) Runs() ([]Info, error) {
	runs, _, err := l.Newest(math.MaxInt)
	return runs, err
}

// Newest is like Runs but reads at most the given number of runs. It chooses the last IDs, which begin with
// the creation time. all is true if there are no more runs.
func (l *Lister) Newest(most int) (runs []Info, all bool, err error) {
	parent, err := Root()
	if err != nil {
		return nil, false, err
	}
	l.openIndex(parent)
	runs, all, err = l.list(parent, most)
	if all {
		l.saveIndex(parent, runs)
	}
	return runs, all, err
}

// list is Newest for the given folder.
func (l *Lister) list(parent string, most int) (runs []Info, all bool, err error) {
	names, err := runsIn(parent)
	if err != nil {
		return nil, false, err
	}
	most = min(most, len(names))
	runs = make([]Info, most)
	dirs := make([]string, most)
	for i, name := range names[len(names)-most:] {
		dirs[most-1-i] = filepath.Join(parent, name)
	}
	inParallel(most, func(i int) { runs[i] = l.readCached(dirs[i]) })
	all = most == len(names)
	if all {
		l.evictOthers(dirs)
	}
	newer := func(a, b Info) int { return Newer(a.Created, b.Created, a.ID, b.ID) }
	if !slices.IsSortedFunc(runs, newer) { // Sorting large values takes long.
		slices.SortStableFunc(runs, newer)
	}
	return runs, all, nil
}

// openIndex reads the index of a folder, unless it has been read.
func (l *Lister) openIndex(parent string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index == nil || l.index.parent != parent {
		l.index = readIndex(parent)
	}
}

// saveIndex writes the index of a folder if many of its ended runs are not in it.
func (l *Lister) saveIndex(parent string, runs []Info) {
	l.mu.Lock()
	l.index = &index{parent: parent} // The cache has all runs.
	var entries, added []*cacheEntry
	for i := range runs {
		e := l.cache[runs[i].Dir]
		if e == nil || !e.lasting() {
			continue
		}
		entries = append(entries, e)
		if !e.indexed {
			added = append(added, e)
		}
	}
	enough := len(added) > unindexedRuns+len(runs)/unindexedShare
	if enough {
		for _, e := range added {
			e.indexed = true // If writing fails, the next attempt would fail, too.
		}
	}
	l.mu.Unlock()
	if enough {
		writeIndex(parent, entries)
	}
}

// lasting reports whether the index can hold the entry: its run has ended, all files could be read, and
// they agree.
func (e *cacheEntry) lasting() bool {
	return e.info.State == Ended && e.info.NotesErr == nil && e.agrees && e.stamp.unlocked() &&
		time.Since(e.stamp.latest()) >= minIndexAge
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
	maps.DeleteFunc(l.cache, func(dir string, _ *cacheEntry) bool { return !there[dir] })
}

// readCached returns the run in dir. It reads the run if it may have changed.
func (l *Lister) readCached(dir string) Info {
	old := l.cached(dir)
	if old != nil && !old.running && old.stamp.unlocked() && old.stamp.holds(dir) {
		return old.info
	}
	// Check the lock first: if the run ends in between, its summary exists when it is read.
	running := Locked(dir)
	now := stampOf(dir)
	if old != nil && old.stamp == now && old.running == running {
		return old.info
	}
	info := readInfo(dir, running, now)
	if info.Results == nil {
		info.readLast()
	}
	agrees := info.share()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.cache, dir)
	if time.Since(now.latest()) > minStampAge {
		l.keep(dir, &cacheEntry{stamp: now, running: running, info: info, agrees: agrees})
	}
	return info
}

// cached returns the entry of a directory in the cache or the index, or nil if there is none.
func (l *Lister) cached(dir string) *cacheEntry {
	l.mu.Lock()
	e, x := l.cache[dir], l.index
	l.mu.Unlock()
	if e != nil || x == nil || x.parent != filepath.Dir(dir) {
		return e
	}
	e = x.entry(filepath.Base(dir))
	if e != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.keep(dir, e)
	}
	return e
}

// keep puts an entry into the cache. The caller holds the mutex.
func (l *Lister) keep(dir string, e *cacheEntry) {
	if l.cache == nil {
		l.cache = map[string]*cacheEntry{}
	}
	l.cache[dir] = e
}
