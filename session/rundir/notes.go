package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dgplab/datasets/files"
)

// Notes holds the user's notes on a run: the content of notes.json.
type Notes struct {
	// Name is a single line that can be used instead of the ID. A name shared by several runs selects none of
	// them.
	Name string `json:"name,omitempty"`
	// Tags holds words in ascending order without duplicates.
	Tags []string `json:"tags,omitempty"`
	// Note is free text of any number of lines.
	Note string `json:"note,omitempty"`
}

// notesVersion is the format of notes.json.
const notesVersion = 1

// notesFile is the content of notes.json.
type notesFile struct {
	Format int `json:"format"`
	Notes
}

// The maximum lengths of names and tags in characters, and of notes in bytes.
const (
	longestName = 80
	longestTag  = 40
	longestNote = 1 << 16
)

// NotesError reports invalid notes.
type NotesError struct{ text string }

func (e *NotesError) Error() string { return e.text }

func notesErrorf(format string, args ...any) error {
	return &NotesError{fmt.Sprintf(format, args...)}
}

// Annotate changes the notes of the run that matches id (see Find). It replaces the file atomically while
// holding the lock for notes. The run can be training, even in another process. Annotate trims names, tags
// and notes and sorts the tags. If the result is invalid, nothing is changed and the error is a *NotesError.
//
// Annotate calls change once. change must not call Annotate.
func Annotate(id string, change func(*Notes)) error {
	dir, folder, err := findAndLock("", id)
	if err != nil {
		return err
	}
	defer folder.Close()
	old, err := readNotes(dir)
	if err != nil {
		return err
	}
	notes := old
	notes.Tags = slices.Clone(old.Tags)
	change(&notes)
	if err := notes.tidy(); err != nil {
		return err
	}
	if reflect.DeepEqual(notes, old) {
		return nil
	}
	run, err := files.OpenDir(files.OS, dir)
	if err != nil {
		return err
	}
	defer run.Close()
	return WriteJSON(run, notesName, notesFile{notesVersion, notes})
}

// CheckName returns a *NotesError for a name that is not allowed.
func CheckName(name string) error {
	n := Notes{Name: name}
	return n.tidy()
}

// readNotes returns the notes of a run. They are empty if there is no file.
func readNotes(dir string) (Notes, error) {
	path := filepath.Join(dir, notesName)
	var file notesFile
	if err := ReadJSON(path, &file); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return Notes{}, nil
		}
		return Notes{}, err
	}
	if file.Format != notesVersion {
		return Notes{}, fmt.Errorf("%s: format %d; this program reads format %d",
			path, file.Format, notesVersion)
	}
	return file.Notes, nil
}

// tidy normalises the notes. It returns an error if they are invalid.
func (n *Notes) tidy() error {
	n.Name = strings.TrimSpace(n.Name)
	n.Note = strings.TrimSpace(n.Note)
	for i, tag := range n.Tags {
		n.Tags[i] = strings.TrimSpace(tag)
		if err := checkTag(n.Tags[i]); err != nil {
			return err
		}
	}
	slices.Sort(n.Tags)
	n.Tags = slices.Compact(n.Tags)
	if len(n.Tags) == 0 {
		n.Tags = nil
	}
	_, reserved := latestOffset(n.Name)
	control := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	switch {
	case !utf8.ValidString(n.Name) || !utf8.ValidString(n.Note):
		return notesErrorf("the text is not UTF-8")
	case len([]rune(n.Name)) > longestName:
		return notesErrorf("the name has more than %d characters", longestName)
	case reserved:
		return notesErrorf("the name %q selects the newest runs", n.Name)
	case strings.ContainsFunc(n.Name, breaksLine):
		return notesErrorf("the name has a line break or a control character")
	case len(n.Note) > longestNote:
		return notesErrorf("the note has more than %d bytes", longestNote)
	case strings.ContainsFunc(n.Note, control):
		return notesErrorf("the note has a control character")
	}
	return nil
}

// checkTag rejects tags that would be hard to type in a filter or on a command line.
func checkTag(tag string) error {
	odd := func(r rune) bool { return unicode.IsSpace(r) || breaksLine(r) || strings.ContainsRune(`,"'`, r) }
	switch {
	case tag == "":
		return notesErrorf("a tag is empty")
	case !utf8.ValidString(tag):
		return notesErrorf("tag %q is not UTF-8", tag)
	case strings.ContainsFunc(tag, odd):
		return notesErrorf("tag %q: a tag is one word without commas or quotation marks", tag)
	case strings.HasPrefix(tag, "-"):
		return notesErrorf("tag %q: a tag must not begin with -", tag)
	case len([]rune(tag)) > longestTag:
		return notesErrorf("tag %q: a tag has at most %d characters", tag, longestTag)
	}
	return nil
}

// breaksLine reports whether a character breaks a line or changes the writing direction.
func breaksLine(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}
