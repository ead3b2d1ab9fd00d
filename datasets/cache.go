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

// cached says whether all files are in the cache and not damaged. What was found sound is
// looked at again when its size or its time of change is another one.
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

// verified are the times of change (nanoseconds since 1970) of the files of a set whose
// hashes were found right, by name.
type verified map[string]int64

// verifiedName is the file of a set's folder that has them.
const verifiedName = ".verified.json"

// readVerified returns those of a folder, none if they cannot be read.
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

// write keeps them in a folder. Where that fails the hashes are looked at again.
func (v verified) write(folder string) {
	_ = files.ReplaceAt(files.OS, filepath.Join(folder, verifiedName), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(v)
	})
}

// read returns the verified content of one file in the folder, or a
// *NotFetchedError.
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

var errOtherSize = errors.New("the file has another size")

// readExactly returns the content of a regular file of so many bytes.
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

// intact says whether every file in the folder is what the catalogue wants.
func (s upstreamSet) intact(folder string) bool {
	for _, f := range s.Files {
		if _, err := s.read(folder, f); err != nil {
			return false
		}
	}
	return true
}
