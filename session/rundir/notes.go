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

// Notes are what people write about a run: the content of notes.json.
type Notes struct {
	// Name is one line, by which the run can be found instead of its ID. Names need
	// not be unique; one that is not means no run.
	Name string `json:"name,omitempty"`
	// Tags are words, in order, none of them twice.
	Tags []string `json:"tags,omitempty"`
	// Note is free text and may have several lines.
	Note string `json:"note,omitempty"`
}

// notesVersion is the format of notes.json.
const notesVersion = 1

// notesFile is notes.json.
type notesFile struct {
	Format int `json:"format"`
	Notes
}

// The most that names and tags may have, in characters, and notes in bytes.
const (
	longestName = 80
	longestTag  = 40
	longestNote = 1 << 16
)

// NotesError is what is not allowed in notes.
type NotesError struct{ text string }

func (e *NotesError) Error() string { return e.text }

func refuse(format string, args ...any) error {
	return &NotesError{fmt.Sprintf(format, args...)}
}

// Annotate changes the notes of the run that id means (see Find). The file is
// replaced as a whole, and nobody else changes notes meanwhile; the run may be
// training, also in another process. Blanks around names, tags and notes are
// dropped, tags are sorted, and what is not allowed is refused without a change:
// the error is a *NotesError then.
//
// change is called once, and must not call Annotate.
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

// readNotes returns the notes of a run, none if there is no file.
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

// tidy brings notes into the form in which they are kept, or refuses them.
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
	tangled := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	switch {
	case !utf8.ValidString(n.Name) || !utf8.ValidString(n.Note):
		return refuse("the text is not UTF-8")
	case len([]rune(n.Name)) > longestName:
		return refuse("the name has more than %d characters", longestName)
	case strings.ContainsFunc(n.Name, hidden):
		return refuse("the name has a line break or a control character")
	case len(n.Note) > longestNote:
		return refuse("the note has more than %d bytes", longestNote)
	case strings.ContainsFunc(n.Note, tangled):
		return refuse("the note has a control character")
	}
	return nil
}

// checkTag refuses what would be hard to type in a filter or on a command line.
func checkTag(tag string) error {
	odd := func(r rune) bool { return unicode.IsSpace(r) || hidden(r) || strings.ContainsRune(`,"'`, r) }
	switch {
	case tag == "":
		return refuse("a tag is empty")
	case !utf8.ValidString(tag):
		return refuse("tag %q is not UTF-8", tag)
	case strings.ContainsFunc(tag, odd):
		return refuse("tag %q: a tag is one word without commas and quotation marks", tag)
	case strings.HasPrefix(tag, "-"):
		return refuse("tag %q: a tag does not begin with -", tag)
	case len([]rune(tag)) > longestTag:
		return refuse("tag %q: a tag has at most %d characters", tag, longestTag)
	}
	return nil
}

// hidden says whether a character breaks the line that it is in, or turns its
// direction.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}
