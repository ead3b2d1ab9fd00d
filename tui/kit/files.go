package kit

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// FolderEntry is a file or a folder.
type FolderEntry struct {
	Name string
	Dir  bool
	Size int64
}

// maxEntries is the maximum number of entries of a folder that are shown.
const maxEntries = 5000

// homeMark is the abbreviation of the home folder.
const homeMark = "~"

// ExpandPath replaces a leading ~ with the home folder.
func ExpandPath(path string) string {
	rest, ok := strings.CutPrefix(path, homeMark)
	if !ok || rest != "" && rest[0] != filepath.Separator {
		return path
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return dir + rest
}

// ShortPath is the inverse of ExpandPath.
func ShortPath(path string) string {
	dir, err := os.UserHomeDir()
	rest, ok := strings.CutPrefix(path, dir)
	if err != nil || !ok || dir == string(filepath.Separator) || rest != "" && rest[0] != filepath.Separator {
		return path
	}
	return homeMark + rest
}

// MaxRecentFiles is the maximum number of recent files.
const MaxRecentFiles = 5

// AddRecentFile returns the recent files with path moved to the front, at most MaxRecentFiles.
func AddRecentFile(before []string, path string) []string {
	list := append([]string{path},
		slices.DeleteFunc(slices.Clone(before), func(old string) bool { return old == path })...)
	return list[:min(len(list), MaxRecentFiles)]
}

// RecentFiles returns the data sets that are absolute paths, without duplicates and at most MaxRecentFiles.
// It leaves out open files such as /dev/fd/63, which name other data, or none, in another process.
func RecentFiles(datasets []string) (list []string) {
	for _, path := range datasets {
		if len(list) < MaxRecentFiles && filepath.IsAbs(path) && !slices.Contains(list, path) &&
			!strings.HasPrefix(path, "/dev/fd/") && !strings.HasPrefix(path, "/proc/") &&
			path != "/dev/stdin" {
			list = append(list, path)
		}
	}
	return list
}

// SavedFiles returns the recent files that are worth saving: regular files, and files that are missing now.
func SavedFiles(recent []string) []string {
	return slices.DeleteFunc(RecentFiles(recent), func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && !info.Mode().IsRegular()
	})
}

// folderEntries returns the subfolders of a folder, then its files, sorted by name. Names that begin with a
// dot are included only if hidden is set. Links are followed.
func folderEntries(dir string, hidden bool) ([]FolderEntry, error) {
	if dir == "" {
		dir = "."
	}
	folder, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	read, err := folder.ReadDir(maxEntries)
	if err != nil && len(read) == 0 && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var list []FolderEntry
	for _, e := range read {
		if strings.HasPrefix(e.Name(), ".") && !hidden {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
			continue // A broken link, or not a regular file.
		}
		list = append(list, FolderEntry{e.Name(), info.IsDir(), info.Size()})
	}
	slices.SortFunc(list, func(a, b FolderEntry) int {
		if a.Dir != b.Dir {
			return map[bool]int{true: -1, false: 1}[a.Dir]
		}
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)),
			cmp.Compare(a.Name, b.Name))
	})
	return list, nil
}

// Completion is the completion of a path.
type Completion struct {
	// Typed is the text before completion. To is the text extended by the common prefix of the completions.
	Typed, To string
	// Names are the possible completions.
	Names []string
}

// CompletePath completes a path. It reads the folder of the path.
func CompletePath(path string) Completion {
	c := Completion{Typed: path, To: path}
	if path == homeMark {
		c.To = homeMark + string(filepath.Separator)
		return c
	}
	dir, begun := filepath.Split(path)
	list, err := folderEntries(ExpandPath(dir), strings.HasPrefix(begun, "."))
	if err != nil {
		return c // The error is reported when the path is used.
	}
	list = slices.DeleteFunc(list, func(e FolderEntry) bool { return !strings.HasPrefix(e.Name, begun) })
	for _, e := range list {
		name := e.Name
		if e.Dir {
			name += string(filepath.Separator)
		}
		c.Names = append(c.Names, name)
	}
	if len(c.Names) > 0 {
		c.To = dir + CommonPrefix(c.Names)
	}
	return c
}

// WithNames adds known names to the completions.
func (c Completion) WithNames(names []string) Completion {
	var begun []string
	for _, name := range names {
		if c.Typed != "" && strings.HasPrefix(name, c.Typed) && !slices.Contains(begun, name) {
			begun = append(begun, name)
		}
	}
	if len(begun) == 0 {
		return c
	}
	all := slices.Clone(begun)
	dir, _ := filepath.Split(c.Typed)
	if len(c.Names) > 0 {
		for _, name := range c.Names {
			all = append(all, dir+name)
		}
	}
	c.Names = append(begun, c.Names...)
	c.To = CommonPrefix(all)
	return c
}

// CompletedMsg is a requested completion. Owner identifies the screen that requested it.
type CompletedMsg struct {
	Owner any
	Completion
}

// RequestCompletion returns a command that completes a path.
func RequestCompletion(owner any, path string) tea.Cmd {
	return func() tea.Msg { return CompletedMsg{owner, CompletePath(path)} }
}

// CommonPrefix returns the longest common prefix of names, in whole characters.
func CommonPrefix(names []string) string {
	out := []rune(names[0])
	for _, name := range names[1:] {
		other, n := []rune(name), 0
		for n < len(out) && n < len(other) && out[n] == other[n] {
			n++
		}
		out = out[:n]
	}
	return string(out)
}
