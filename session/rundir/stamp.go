package rundir

import (
	"os"
	"path/filepath"
	"time"
)

// minStampAge is the minimum age of a file at which its modification time identifies its content. It
// allows for the coarse clocks of file systems.
const minStampAge = 100 * time.Millisecond

// watched holds the files that Info depends on.
var watched = [...]string{configName, metricsName, checkpointName, summaryName,
	CrashFile, lockName, notesName}

// stamp holds the modification time (in nanoseconds since 1970, or 0 if the file is missing) and
// the size of each watched file.
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

// latest returns the time of the last change of any file.
func (s stamp) latest() time.Time { return s.last(func(string) bool { return true }) }

// written returns the time at which the run itself last wrote a file.
func (s stamp) written() time.Time { return s.last(func(name string) bool { return ownNames[name] }) }

// last returns the time of the last change of the files accepted by counts, or the zero time if
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
