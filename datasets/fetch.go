package datasets

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// All makes Fetch download every set of the catalogue.
const All = "all"

// Progress describes the progress of a download.
type Progress struct {
	// Name is the name of the set, and File is the file being downloaded.
	Name, File string
	// FilesDone is the number of verified files out of Files. BytesDone is the number of verified
	// bytes plus the bytes received of the current file, out of Bytes.
	FilesDone, Files int
	BytesDone, Bytes int64
	// Attempt counts the attempts at the current file, from 1; it is 0 once the file is verified.
	Attempt int
}

// Fetch downloads a set of the catalogue into the cache. If name is All, it downloads all sets and
// stops at the first error. Files come from GitHub at the commit in the catalogue, or from the
// mirror $DGPLAB_MIRROR (http://, https:// or file://). Its address may have a user, a password and a
// query, which errors do not show. Complete and undamaged sets are not
// downloaded again.
//
// Fetch verifies the size and SHA-256 of each file. The set appears in the cache atomically after
// its last file. Partial downloads are not resumed. Several processes may fetch the same set
// concurrently. Temporary failures (no connection, status 5xx or 429, a broken or stalled
// connection) are retried after a pause. Other failures are returned immediately: a *StatusError
// for a missing file, a *MismatchError for a file that differs from the catalogue. If ctx is
// cancelled, Fetch cleans up and returns an error that wraps ctx.Err().
//
// report may be nil. It is called on the calling goroutine and should be fast.
func Fetch(ctx context.Context, name string, report func(Progress)) error {
	f, err := newFetcher(os.Getenv("DGPLAB_MIRROR"))
	if err != nil {
		return err
	}
	f.report = report
	if name != All {
		return f.fetch(ctx, name)
	}
	for _, s := range upstreamSets() {
		if err := f.fetch(ctx, s.Name); err != nil {
			return err
		}
	}
	return nil
}

// fetch downloads one set into the cache.
func (f *fetcher) fetch(ctx context.Context, name string) error {
	s, ok := findUpstream(name)
	if !ok {
		if _, builtin := findGenerator(name); builtin {
			return fmt.Errorf("data set %s is built in; there is nothing to fetch", name)
		}
		return fmt.Errorf("unknown data set %q; the downloadable ones are %s",
			name, strings.Join(upstreamNames(), ", "))
	}
	folder, err := s.folder()
	if err != nil {
		return err
	}
	err = f.install(ctx, s, folder)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", name, discreet(err))
	}
	return nil
}

// install ensures that the folder contains the set. Only the process with the lock of the set
// downloads; processes that waited for the lock find the set complete.
func (f *fetcher) install(ctx context.Context, s upstreamSet, folder string) error {
	cache := filepath.Dir(folder)
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return err
	}
	release, err := lock(ctx, filepath.Join(cache, "."+s.Name+".lock"))
	switch {
	case err == nil:
		defer release()
		if err := clearLeftovers(cache, s.Name); err != nil {
			return err
		}
	case !errors.Is(err, errNoLocks):
		return err
	}
	if s.intact(folder) {
		f.reportProgress(Progress{
			Name:      s.Name,
			FilesDone: len(s.Files),
			Files:     len(s.Files),
			BytesDone: s.bytes(),
			Bytes:     s.bytes(),
		})
		return nil
	}
	temporary := filepath.Join(cache, temporaryPrefix(s.Name)+rand.Text())
	if err := os.Mkdir(temporary, 0o777); err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	if err := f.downloadAll(ctx, s, temporary); err != nil {
		return err
	}
	return publish(s, temporary, folder)
}

// downloadAll downloads every file of the set into an empty folder.
func (f *fetcher) downloadAll(ctx context.Context, s upstreamSet, folder string) error {
	progress := Progress{Name: s.Name, Files: len(s.Files), Bytes: s.bytes()}
	for _, file := range s.Files {
		progress.File = file.Name
		if err := f.download(ctx, s, file, filepath.Join(folder, file.Name), progress); err != nil {
			return err
		}
		progress.FilesDone++
		progress.BytesDone += file.Bytes
		f.reportProgress(progress)
	}
	return nil
}

// publish renames a complete folder to its final name. An existing damaged set is moved aside
// first. If another process has published the set in the meantime, its copy is kept.
func publish(s upstreamSet, temporary, folder string) error {
	if err := syncFolder(temporary); err != nil {
		return err
	}
	err := os.Rename(temporary, folder)
	if err != nil && !s.intact(folder) {
		aside := temporary + ".old"
		if err := os.Rename(folder, aside); err != nil {
			return err
		}
		defer os.RemoveAll(aside)
		if err := os.Rename(temporary, folder); err != nil {
			return err
		}
	}
	return syncFolder(filepath.Dir(folder))
}

// syncFolder makes the directory entries of a folder durable. It ignores errors on systems that
// cannot sync folders.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = folder.Sync()
	return folder.Close()
}

// temporaryPrefix returns the name prefix of the unfinished folders of a set.
func temporaryPrefix(name string) string { return "." + name + ".partial-" }

// clearLeftovers removes unfinished folders of killed processes. The caller must hold the lock.
func clearLeftovers(cache, name string) error {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), temporaryPrefix(name)) {
			if err := os.RemoveAll(filepath.Join(cache, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

var (
	errHeld    = errors.New("the lock is held")
	errNoLocks = errors.New("locks are not supported")
)

// lockPoll is the time between two attempts to take a lock.
const lockPoll = 50 * time.Millisecond

// lock waits for the lock file at path. It returns errNoLocks if the operating system or the file
// system does not support locks. Without locks, concurrent fetches may download the set twice, each
// into its own folder, and leftovers are not removed.
func lock(ctx context.Context, path string) (release func(), err error) {
	for {
		release, err := tryLock(path)
		if !errors.Is(err, errHeld) {
			return release, err
		}
		if err := sleep(ctx, lockPoll); err != nil {
			return nil, err
		}
	}
}

// upstreamNames returns the names of the downloadable sets.
func upstreamNames() []string {
	var list []string
	for _, s := range upstreamSets() {
		list = append(list, s.Name)
	}
	return list
}
