package rundir

import (
	"os"
	"path/filepath"
	"time"
)

// minStampAge is the age of a file from which its modification time identifies its content. It allows for the
// coarse clocks of file systems.
const minStampAge = 100 * time.Millisecond

// watched holds the files that Info depends on.
var watched = [...]string{configName, metricsName, checkpointName, summaryName,
	CrashFile, lockName, notesName}

// Indices of files in watched.
const (
	watchedConfig     = 0
	watchedMetrics    = 1
	watchedCheckpoint = 2
	watchedSummary    = 3
	watchedLock       = 5
)

// stamp identifies the content of a run directory by modification times (in nanoseconds since 1970)
// and sizes.
type stamp struct {
	// Folder is the time at which a file of the directory was last created, replaced or removed.
	Folder int64
	Files  [len(watched)]fileStamp
}

// fileStamp is zero if the file is missing.
type fileStamp struct{ Changed, Size int64 }

func stampOf(dir string) (s stamp) {
	s.Folder = stampFile(dir).Changed
	for i, name := range watched {
		s.Files[i] = stampFile(filepath.Join(dir, name))
	}
	return s
}

func stampFile(path string) (s fileStamp) {
	if stat, err := os.Lstat(path); err == nil {
		s = fileStamp{stat.ModTime().UnixNano(), stat.Size()}
	}
	return s
}

// unlocked reports whether no process can have held the lock of the run. Its lock file is then missing,
// or empty, as an owner leaves it.
func (s *stamp) unlocked() bool { return ownersRecorded && s.Files[watchedLock].Size == 0 }

// holds reports whether an unlocked run is unchanged. It checks few files, because lists may have
// thousands of runs. The time of the folder changes when a file is created, replaced or removed. Files
// that are usually edited in place are also checked, and so are the report lines of a run that can
// continue.
func (s *stamp) holds(dir string) bool {
	if stampFile(dir).Changed != s.Folder {
		return false
	}
	ended := s.Files[watchedSummary] != fileStamp{}
	for i, name := range watched {
		switch {
		case s.Files[i] == fileStamp{}, i == watchedConfig && ended, i == watchedCheckpoint,
			i == watchedMetrics && ended:
			continue
		}
		if stampFile(dir+string(filepath.Separator)+name) != s.Files[i] {
			return false
		}
	}
	return true
}

// latest returns the time of the last change of the directory or of any file.
func (s *stamp) latest() time.Time {
	return last(s.Folder, s.last(func(string) bool { return true }))
}

// written returns the time at which the run itself last wrote a file.
func (s *stamp) written() time.Time {
	return last(0, s.last(func(name string) bool { return ownNames[name] }))
}

// last returns the time of the last change of the files accepted by counts, or 0 if there are none.
func (s *stamp) last(counts func(name string) bool) (changed int64) {
	for i, file := range s.Files {
		if counts(watched[i]) {
			changed = max(changed, file.Changed)
		}
	}
	return changed
}

// last returns the later of two times, or the zero time if both are 0.
func last(a, b int64) time.Time {
	if max(a, b) == 0 {
		return time.Time{}
	}
	return time.Unix(0, max(a, b))
}
