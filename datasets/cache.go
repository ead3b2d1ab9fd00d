package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"

	"dgplab/datasets/files"
)

// CacheDir returns the folder of the downloaded sets, with a subfolder for each set: $DGPLAB_CACHE
// if it is set, otherwise dgplab/datasets in $XDG_CACHE_HOME or in ~/.cache. The folder need not
// exist.
func CacheDir() (string, error) {
	if dir := os.Getenv("DGPLAB_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := files.UserPath("XDG_CACHE_HOME", ".cache", "datasets")
	if err != nil {
		return "", fmt.Errorf("no folder for fetched data sets (set DGPLAB_CACHE): %w", err)
	}
	return dir, nil
}

// NotFetchedError reports that a set of the catalogue is missing from the cache or damaged.
type NotFetchedError struct {
	Name string
	// Problem describes the damage, or "" if the set has not been downloaded.
	Problem string
}

// Error includes the command that downloads the set.
func (e *NotFetchedError) Error() string {
	problem := e.Problem
	if problem == "" {
		problem = "not downloaded yet"
	}
	return fmt.Sprintf("data set %s: %s; run: dgplab datasets fetch %s", e.Name, problem, e.Name)
}

// folder returns the path of the set in the cache.
func (s upstreamSet) folder() (string, error) {
	dir, err := CacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, s.Name), nil
}

// cached reports whether all files are in the cache and undamaged. Verified files are checked again
// only if their size or modification time has changed.
func (s upstreamSet) cached() bool {
	folder, err := s.folder()
	if err != nil {
		return false
	}
	known := readVerified(folder)
	found := make(verified, len(s.Files))
	for _, f := range s.Files {
		stat, err := os.Stat(filepath.Join(folder, f.Name))
		if err != nil || !stat.Mode().IsRegular() || stat.Size() != f.Bytes {
			return false
		}
		found[f.Name] = stat.ModTime().UnixNano()
		if known[f.Name] == found[f.Name] {
			continue
		}
		if _, err := s.read(folder, f); err != nil {
			return false
		}
	}
	if !maps.Equal(known, found) {
		found.write(folder)
	}
	return true
}

// verified maps the names of verified files of a set to their modification times in nanoseconds
// since 1970.
type verified map[string]int64

// verifiedName is the name of the file that stores verified in the folder of a set.
const verifiedName = ".verified.json"

// readVerified reads the verified files of a folder. It returns nil if they cannot be read.
func readVerified(folder string) verified {
	text, err := files.Read(files.OS, filepath.Join(folder, verifiedName), 1<<20)
	if err != nil {
		return nil
	}
	var v verified
	if json.Unmarshal(text, &v) != nil {
		return nil
	}
	return v
}

// write stores v in a folder. If it fails, the hashes are verified again next time.
func (v verified) write(folder string) {
	_ = files.ReplaceAt(files.OS, filepath.Join(folder, verifiedName), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(v)
	})
}

// read returns the verified content of one file in the folder. It returns a *NotFetchedError if the
// file is missing or damaged.
func (s upstreamSet) read(folder string, f upstreamFile) ([]byte, error) {
	content, err := readExactly(filepath.Join(folder, f.Name), f.Bytes)
	switch {
	case errors.Is(err, errOtherSize):
		return nil, &NotFetchedError{Name: s.Name, Problem: f.Name + " in the cache is damaged"}
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

var errOtherSize = errors.New("unexpected file size")

// readExactly returns the content of a regular file of exactly size bytes.
func readExactly(path string, size int64) ([]byte, error) {
	file, err := files.OpenLinked(path)
	var irregular *files.IrregularError
	if errors.As(err, &irregular) {
		return nil, errOtherSize
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, size+1))
	if err == nil && int64(len(content)) != size {
		err = errOtherSize
	}
	return content, err
}

// intact reports whether every file in the folder matches the catalogue.
func (s upstreamSet) intact(folder string) bool {
	for _, f := range s.Files {
		if _, err := s.read(folder, f); err != nil {
			return false
		}
	}
	return true
}
