//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package datasets

// tryLock returns errNoLocks: locks are not supported on this system.
func tryLock(string) (release func(), err error) { return nil, errNoLocks }
