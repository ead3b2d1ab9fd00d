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

// All is the name under which Fetch fetches every set of the catalogue.
const All = "all"

// Progress says how far the fetch of a set is.
type Progress struct {
	// Name is the set, File the file being fetched.
	Name, File string
	// FilesDone and BytesDone count what is verified or, for the current file,
	// received, of Files and Bytes in the whole set.
	FilesDone, Files int
	BytesDone, Bytes int64
	// Attempt counts the attempts at the current file, from 1; it is 0 once the
	// file is verified.
	Attempt int
}

// Fetch downloads a set of the catalogue into the cache, or every set, up to the
// first error, if name is All. Files come from GitHub at the catalogue's commit,
// or from the mirror that $DGPLAB_MIRROR names (http://, https:// or file://). A
// set that is complete and undamaged is left as it is.
//
// Each file's size and SHA-256 are verified; the set appears in the cache all at
// once when its last file is there. Nothing half-written is resumed. Several
// processes may fetch the same set. Failures that may pass (no connection, status
// 5xx or 429, a connection that breaks or stalls) are tried again after a pause;
// others are errors at once: a *StatusError for a file that is not there, a
// *MismatchError for one that is not the catalogue's. When ctx is cancelled Fetch
// cleans up and returns an error that wraps ctx.Err().
//
// report, which may be nil, is called from the calling goroutine: it should be quick.
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

// fetch brings one set into the cache.
func (f *fetcher) fetch(ctx context.Context, name string) error {
	s, ok := findUpstream(name)
	if !ok {
		if _, builtin := findGenerator(name); builtin {
			return fmt.Errorf("data set %s is built in; there is nothing to fetch", name)
		}
		return fmt.Errorf("no data set %q to fetch; there are %s", name, strings.Join(upstreamNames(), ", "))
	}
	folder, err := s.folder()
	if err != nil {
		return err
	}
	if err := f.install(ctx, s, folder); err != nil {
		return fmt.Errorf("fetch %s: %w", name, err)
	}
	return nil
}

// install makes sure that the folder holds the set. Only the holder of the set's
// lock downloads; whoever waited for it finds the set complete.
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
		f.tell(Progress{
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
		f.tell(progress)
	}
	return nil
}

// publish gives a complete folder its final name. If a damaged set is in the way
// it is moved aside first; if somebody else was faster, theirs is as good.
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

// syncFolder makes the names in a folder durable. Systems that cannot sync a
// folder say so by an error, which is of no use to anybody.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = folder.Sync()
	return folder.Close()
}

// temporaryPrefix begins the name of every unfinished folder of a set.
func temporaryPrefix(name string) string { return "." + name + ".partial-" }

// clearLeftovers removes what killed fetches of the set left. The caller holds
// the lock.
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
	errNoLocks = errors.New("there are no locks here")
)

// lockPoll is the time between two tries at a lock.
const lockPoll = 50 * time.Millisecond

// lock waits for the lock file at path. It returns errNoLocks where the system
// or the file system has none: fetches then may download twice, each in a folder
// of its own, and leave what killed ones left behind.
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

// upstreamNames returns the names of the sets that can be fetched.
func upstreamNames() []string {
	var list []string
	for _, s := range upstreamSets() {
		list = append(list, s.Name)
	}
	return list
}
