package rundir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"dgplab/models/family"
)

// elbo is the objective of the runs in tests.
var elbo = family.Objective{
	Name: "ELBO", Kind: family.Bound, Noisy: true,
	Terms:  []family.Reading{family.ExpectedLogLik, family.KL},
	Gauges: []family.Reading{family.GradientNorm},
}

// runDir creates a run directory that contains only a configuration.
func runDir(t *testing.T, id string, change func(*ConfigFile)) string {
	t.Helper()
	parent, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(parent, id)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	file := &ConfigFile{
		Format:      configVersion,
		ID:          id,
		Config:      Config{Dataset: "line", Family: "fake"},
		Values:      map[string]string{"steps": "60"},
		ObjectiveIs: elbo,
	}
	if change != nil {
		change(file)
	}
	if err := WriteJSON(folder(t, dir), configName, file); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAnnotate(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	dir := runDir(t, "20250101-a", nil)
	tests := []struct {
		give Notes
		want Notes
		err  string
	}{
		{give: Notes{Name: "  first try ", Tags: []string{"b", "a ", "b"}, Note: " two\nlines\n"},
			want: Notes{Name: "first try", Tags: []string{"a", "b"}, Note: "two\nlines"}},
		{give: Notes{Tags: []string{}}, want: Notes{}},
		{give: Notes{Name: "größer als π"}, want: Notes{Name: "größer als π"}},
		{give: Notes{Name: "a\nb"}, err: "line break"},
		{give: Notes{Name: strings.Repeat("ä", longestName+1)}, err: "80 characters"},
		{give: Notes{Name: strings.Repeat("ä", longestName)},
			want: Notes{Name: strings.Repeat("ä", longestName)}},
		{give: Notes{Note: "a\tb\nc"}, want: Notes{Note: "a\tb\nc"}},
		{give: Notes{Tags: []string{"a b"}}, err: "one word"},
		{give: Notes{Tags: []string{"a,b"}}, err: "one word"},
		{give: Notes{Tags: []string{""}}, err: "empty"},
		{give: Notes{Tags: []string{"-x"}}, err: "begin"},
		{give: Notes{Tags: []string{strings.Repeat("ä", longestTag)}},
			want: Notes{Tags: []string{strings.Repeat("ä", longestTag)}}},
		{give: Notes{Tags: []string{strings.Repeat("ä", longestTag+1)}}, err: "characters"},
		{give: Notes{Note: "a\x1b[0m"}, err: "control"},
		{give: Notes{Name: "a\u202eb"}, err: "control"},
		{give: Notes{Name: "a\u2028b"}, err: "line break"},
		{give: Notes{Tags: []string{"a\u2067"}}, err: "one word"},
		{give: Notes{Note: strings.Repeat("a", 65536)}, want: Notes{Note: strings.Repeat("a", 65536)}},
		{give: Notes{Note: strings.Repeat("a", 65537)}, err: "65536 bytes"},
		{give: Notes{Name: "\xff"}, err: "UTF-8"},
		{give: Notes{Tags: []string{"\xff"}}, err: "UTF-8"},
		{give: Notes{Note: "\xff"}, err: "UTF-8"},
	}
	for _, tt := range tests {
		before, _ := readNotes(dir)
		err := Annotate("2025", func(n *Notes) { *n = tt.give })
		got, readErr := readNotes(dir)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if tt.err != "" {
			var refused *NotesError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.err) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%+v: error %v, want %q", tt.give, err, tt.err)
			}
			tt.want = before
		} else if err != nil {
			t.Errorf("%+v: %v", tt.give, err)
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%+v became %+v, want %+v", tt.give, got, tt.want)
		}
	}
	if err := Annotate("nothing", func(*Notes) {
		t.Error("change was called for an unknown run")
	}); !errors.Is(err, ErrNoRun) {
		t.Errorf("unknown run: %v", err)
	}
}

// Concurrent changes of notes are not lost.
func TestConcurrentAnnotate(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	dir := runDir(t, "20250101-a", nil)
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			if err := Annotate("20250101-a", func(n *Notes) {
				n.Tags = append(n.Tags, fmt.Sprintf("t%02d", i))
			}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if notes, err := readNotes(dir); err != nil || len(notes.Tags) != 12 {
		t.Errorf("%+v, %v", notes, err)
	}
}

// Without the lock for changing notes, runs are neither annotated nor moved.
func TestNotesWithoutLock(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("DGPLAB_RUNS", parent)
	dir := runDir(t, "20250101-a", nil)
	if err := os.Mkdir(filepath.Join(parent, folderLockName), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Annotate("20250101-a", func(*Notes) {
		t.Error("change was called without the lock")
	}); err == nil || !strings.HasPrefix(err.Error(), "lock "+parent) {
		t.Errorf("annotate: %v", err)
	}
	if err := Trash("20250101-a"); err == nil {
		t.Error("a run was moved without the lock")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

// Unreadable notes are reported and not overwritten. The run remains usable.
func TestDamagedNotes(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	dir := runDir(t, "20250101-a", nil)
	for _, text := range []string{`{"format": 1, "name": `, `{"format": 2, "name": "later"}`} {
		if err := os.WriteFile(filepath.Join(dir, notesName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		info, err := Find("20250101-a")
		if err != nil || info.State != Interrupted || info.NotesErr == nil ||
			strings.Contains(info.NotesErr.Error(), "\n") {
			t.Errorf("%s: %v, %+v", text, err, info)
		}
		var refused *NotesError
		if err := Annotate("20250101-a", func(n *Notes) {
			n.Name = "x"
		}); err == nil || errors.As(err, &refused) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestFindByName(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	for _, run := range []struct{ id, name string }{
		{"20250101-a", "best"}, {"20250102-b", "twice"}, {"20250103-c", "twice"},
		{"20250104-d", "20250101-a"}, {"20250105-e", "2025"},
	} {
		runDir(t, run.id, nil)
		if err := Annotate(run.id, func(n *Notes) { n.Name = run.name }); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ id, want string }{
		{"best", "20250101-a"},
		{" best ", "20250101-a"},
		{"20250101-a", "20250101-a"}, // An ID takes precedence over a name,
		{"2025", "20250105-e"},       // a name over the beginning of an ID.
		{"20250103", "20250103-c"},
		{"twice", ""}, {"202501", ""}, {"Best", ""}, {"", ""}, {" ", ""}, {"..", ""}, {".trash", ""},
	}
	for _, tt := range tests {
		info, err := Find(tt.id)
		if info.ID != tt.want || (err != nil) != (tt.want == "") || err != nil && !errors.Is(err, ErrNoRun) {
			t.Errorf("Find(%q): %q, %v; want %q", tt.id, info.ID, err, tt.want)
		}
	}
}
