package rundir

import (
	"os"
	"path/filepath"
	"time"
)

// settled is how old a file must be before its time of change tells whether it is
// the one that was read: the clocks of file systems are coarse.
const settled = 100 * time.Millisecond

// watched are the files that can change what is known of a run.
var watched = [...]string{configName, metricsName, checkpointName, summaryName,
	CrashFile, lockName, notesName}

// stamp is the time of change (nanoseconds since 1970; 0 for a file that is not
// there) and the size of each of the watched files.
type stamp [len(watched)]struct{ changed, size int64 }

func stampOf(dir string) stamp {
	var s stamp
	for i, name := range watched {
		if stat, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			s[i].changed = stat.ModTime().UnixNano()
			s[i].size = stat.Size()
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
