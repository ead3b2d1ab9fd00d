package files

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// UserPath returns the path of a file or a folder of the program, whether or not it exists. It is in the
// directory named by an environment variable of the XDG base directory specification, or in a folder of the
// home directory if the variable is not set.
func UserPath(variable, folder, name string) (string, error) {
	base := os.Getenv(variable)
	if !filepath.IsAbs(base) { // The specification requires relative paths to be ignored.
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		base = filepath.Join(home, folder)
	}
	return filepath.Join(base, "dgplab", name), nil
}

// StatePath returns the path of a file with the state of the program.
func StatePath(name string) (string, error) {
	return UserPath("XDG_STATE_HOME", filepath.Join(".local", "state"), name)
}

// WaitForLock locks a file, which it creates, and returns the function that releases the lock. It waits while
// another process holds the lock, but not longer than patience. On a file system without locks it does not
// wait: the last process to write then decides.
func WaitForLock(path string, patience time.Duration) (release func()) {
	if os.MkdirAll(filepath.Dir(path), DirMode) != nil {
		return func() {} // The process cannot write there either.
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|SafeFlags), flock.SetPermissions(Mode))
	_, _ = lock.TryLockContext(ctx, 5*time.Millisecond)
	return func() { lock.Close() }
}
