package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"dgplab/datasets/files"
)

// lockTimeout is the time for which Write waits for other workbenches that are writing the file.
const lockTimeout = 2 * time.Second

// Write sets an entry of the settings file to a string, a bool or an int64, and keeps everything else in the
// file: other entries, tables, comments and their order. It creates the file and its folder if they are
// missing, and replaces the file atomically. If the path is a link, its target is replaced. A file that is
// not valid TOML, or that is read-only, is left unchanged. Errors are one line.
func Write(name string, value any) error {
	path, err := Path()
	if err != nil {
		return err
	}
	if lock, err := files.StatePath("settings.lock"); err == nil {
		release := files.WaitForLock(lock, lockTimeout)
		defer release()
	}
	target, mode, err := findTarget(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", fileName, err)
	}
	text, err := files.ReadLinked(target, maxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write %s: %w", fileName, files.WithoutPath(err))
	}
	changed, err := setEntry(string(text), name, value)
	if err != nil {
		return err
	}
	if len(changed) > maxSize {
		return fmt.Errorf("write %s: it would be larger than %d KB", fileName, maxSize>>10)
	}
	if err := os.MkdirAll(filepath.Dir(target), files.DirMode); err != nil {
		return fmt.Errorf("write %s: create its folder: %w", fileName, files.WithoutPath(err))
	}
	err = files.ReplaceAt(files.OS, target, func(w io.Writer) error {
		_, err := io.WriteString(w, changed)
		return err
	})
	if err == nil && mode != 0 {
		err = os.Chmod(target, mode)
	}
	return err
}

// findTarget follows the links of a path and returns the file that they lead to, and its mode, which is 0 if
// the file does not exist.
func findTarget(path string) (target string, mode fs.FileMode, err error) {
	target, err = filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return "", 0, errors.New("it is a link to a file that does not exist")
		}
		return path, 0, nil
	}
	if err != nil {
		return "", 0, files.WithoutPath(err)
	}
	info, err := os.Stat(target)
	if err != nil {
		return "", 0, files.WithoutPath(err)
	}
	if info.Mode().Perm()&0o200 == 0 {
		return "", 0, errors.New("the file is read-only")
	}
	return target, info.Mode().Perm(), nil
}

// byteOrderMark may begin a file that was written on Windows.
const byteOrderMark = "\ufeff"

// setEntry returns the text of a settings file with one entry changed. It does not parse lines itself,
// because a line may also be part of a text or a list of several lines: it tries the places that look right,
// and returns the first text that the TOML parser reads as the wanted settings.
func setEntry(text, name string, value any) (string, error) {
	found, problem := decode(fileName, text)
	if problem != nil {
		return "", errors.New(problem.Brief() + "; correct it in an editor")
	}
	want := maps.Clone(found)
	want[name] = value
	text, marked := strings.CutPrefix(text, byteOrderMark)
	lines := strings.SplitAfter(text, "\n")
	places := insertions(lines, name+" = "+literal(value))
	if _, exists := found[name]; exists {
		places = replacements(lines, name, literal(value))
	}
	for changed := range places {
		if marked {
			changed = byteOrderMark + changed
		}
		got, problem := decode(fileName, changed)
		if problem == nil && reflect.DeepEqual(got, want) {
			return changed, nil
		}
	}
	return "", fmt.Errorf("write %s: cannot find the place of %s; change it in an editor", fileName, name)
}

// literal returns a value in TOML.
func literal(value any) string {
	if text, ok := value.(string); ok {
		return strconv.Quote(text)
	}
	return fmt.Sprint(value)
}

// replacements returns the texts with another value in one of the lines that look like the entry. The line
// keeps its comment.
func replacements(lines []string, name, value string) iter.Seq[string] {
	key := regexp.QuoteMeta(name)
	const oldValue = `"(?:[^"\\]|\\.)*"|'[^']*'|[^#"'\s][^#"']*?`
	entry := regexp.MustCompile(`^(\s*(?:` + key + `|"` + key + `"|'` + key + `')\s*=\s*)(?:` + oldValue +
		`)(\s*(?:#.*)?)$`)
	return func(yield func(string) bool) {
		for i, line := range lines {
			parts := entry.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
			if parts == nil {
				continue
			}
			end := line[len(strings.TrimRight(line, "\r\n")):]
			before := strings.Join(lines[:i], "")
			after := strings.Join(lines[i+1:], "")
			if !yield(before + parts[1] + value + parts[2] + end + after) {
				return
			}
		}
	}
}

// insertions returns the texts with an entry above one of the lines that look like the header of a table, and
// the text with the entry at the end.
func insertions(lines []string, entry string) iter.Seq[string] {
	newline := "\n"
	if strings.HasSuffix(lines[0], "\r\n") {
		newline = "\r\n"
	}
	return func(yield func(string) bool) {
		for i, line := range lines {
			if !strings.HasPrefix(strings.TrimSpace(line), "[") {
				continue
			}
			for _, at := range []int{aboveComments(lines, i), i} {
				before := strings.Join(lines[:at], "")
				after := strings.Join(lines[at:], "")
				if strings.TrimSpace(lines[at]) != "" {
					after = newline + after
				}
				if !yield(before + entry + newline + after) {
					return
				}
			}
		}
		text := strings.Join(lines, "")
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += newline
		}
		yield(text + entry + newline)
	}
}

// aboveComments returns the index of the first of the comments directly above a line, and of the blank lines
// above these.
func aboveComments(lines []string, at int) int {
	for at > 0 && strings.HasPrefix(strings.TrimSpace(lines[at-1]), "#") {
		at--
	}
	for at > 0 && strings.TrimSpace(lines[at-1]) == "" {
		at--
	}
	return at
}
