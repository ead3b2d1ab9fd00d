package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// CacheDir returns the folder that holds the fetched sets, one folder for each:
// $DGPLAB_CACHE if set, else dgplab/datasets in $XDG_CACHE_HOME, else in
// ~/.cache. The folder need not exist.
func CacheDir() (string, error) {
	if dir := os.Getenv("DGPLAB_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	// The XDG specification says to ignore a path that is not absolute.
	if dir := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "dgplab", "datasets"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no folder for fetched data sets (set DGPLAB_CACHE): %w", err)
	}
	return filepath.Join(home, ".cache", "dgplab", "datasets"), nil
}

// NotFetchedError says that a set of the catalogue cannot be used from the cache.
type NotFetchedError struct {
	Name string
	// Problem says what is wrong with the copy in the cache; "" if there is none.
	Problem string
}

// Error names the command that helps.
func (e *NotFetchedError) Error() string {
	problem := e.Problem
	if problem == "" {
		problem = "not downloaded yet"
	}
	return fmt.Sprintf("data set %s: %s; run: dgplab datasets fetch %s", e.Name, problem, e.Name)
}

// folder returns where the set lives in the cache.
func (s upstreamSet) folder() (string, error) {
	dir, err := CacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, s.Name), nil
}

// cached says whether all files are in the cache with the right sizes.
func (s upstreamSet) cached() bool {
	folder, err := s.folder()
	if err != nil {
		return false
	}
	for _, f := range s.Files {
		stat, err := os.Stat(filepath.Join(folder, f.Name))
		if err != nil || !stat.Mode().IsRegular() || stat.Size() != f.Bytes {
			return false
		}
	}
	return true
}

// read returns the verified content of one file in the folder, or a
// *NotFetchedError.
func (s upstreamSet) read(folder string, f upstreamFile) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(folder, f.Name))
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Stat(folder); err != nil {
			return nil, &NotFetchedError{Name: s.Name}
		}
		return nil, &NotFetchedError{Name: s.Name, Problem: f.Name + " is missing from the cache"}
	case err != nil:
		return nil, fmt.Errorf("data set %s: %w", s.Name, err)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != f.SHA256 {
		return nil, &NotFetchedError{Name: s.Name, Problem: f.Name + " in the cache is damaged"}
	}
	return content, nil
}

// intact says whether every file in the folder is what the catalogue wants.
func (s upstreamSet) intact(folder string) bool {
	for _, f := range s.Files {
		if _, err := s.read(folder, f); err != nil {
			return false
		}
	}
	return true
}
