package kit

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestFolderEntries(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.csv", "A.csv", ".hidden.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("1234"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link.csv": "b.csv", "nowhere.csv": "gone.csv"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "z"), 0o755); err != nil {
		t.Fatal(err)
	}
	list, err := folderEntries(dir, false)
	for i := range list {
		if list[i].Dir {
			list[i].Size = 0 // The size of a folder depends on the file system.
		}
	}
	want := []FolderEntry{{"z", true, 0}, {"A.csv", false, 4}, {"b.csv", false, 4}, {"link.csv", false, 4}}
	if err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("%v, %v; want %v", list, err, want)
	}
	if got := CompletePath(filepath.Join(dir, ".h")).To; got != filepath.Join(dir, ".hidden.csv") {
		t.Errorf("a hidden file is completed to %s", got)
	}
	if got := CompletePath(filepath.Join(dir, "none")); got.To != got.Typed || got.Names != nil {
		t.Errorf("completions of an unknown name: %v", got)
	}
	for _, name := range []string{"none", "A.csv"} {
		if list, err := folderEntries(filepath.Join(dir, name), false); err == nil || list != nil {
			t.Errorf("%s is read as a folder: %v, %v", name, list, err)
		}
	}
	t.Chdir(dir)
	if got := CompletePath("").Names; !slices.Equal(got, []string{"z/", "A.csv", "b.csv", "link.csv"}) {
		t.Errorf("completions in the current folder: %q", got)
	}
}

func TestRecentFiles(t *testing.T) {
	datasets := []string{"/a", "concrete", "/b", "/a", "rel/c", "/c", "/d", "/e", "/f"}
	if got := RecentFiles(datasets); strings.Join(got, " ") != "/a /b /c /d /e" {
		t.Errorf("recent files %q", got)
	}
	for path, want := range map[string]string{"/new": "/new /a /b /c /d", "/c": "/c /a /b /d /e"} {
		before := []string{"/a", "/b", "/c", "/d", "/e"}
		if got := AddRecentFile(before, path); strings.Join(got, " ") != want || before[2] != "/c" {
			t.Errorf("with %s added: %q, want %s", path, got, want)
		}
	}
}

// Known names precede the files of the folder. The text grows by the prefix of all completions.
func TestCompletionWithNames(t *testing.T) {
	names := []string{"boston", "bost_2", "concrete", "boston"}
	for _, c := range []struct {
		c         Completion
		to, names string
	}{
		{Completion{Typed: "bo", To: "bo"}, "bost", "boston bost_2"},
		{Completion{Typed: "co", To: "co"}, "concrete", "concrete"},
		{Completion{Typed: "bo", To: "book", Names: []string{"book"}}, "bo", "boston bost_2 book"},
		{Completion{Typed: "x", To: "x/y", Names: []string{"x/y"}}, "x/y", "x/y"},
		{Completion{To: ""}, "", ""},
	} {
		got := c.c.WithNames(names)
		if got.To != c.to || strings.Join(got.Names, " ") != c.names {
			t.Errorf("%+v becomes %+v, want %q, %q", c.c, got, c.to, c.names)
		}
	}
	for _, c := range []struct {
		names []string
		want  string
	}{{[]string{"größe", "größer"}, "größe"}, {[]string{"größe", "grün"}, "gr"}, {[]string{"a", "b"}, ""}} {
		if got := CommonPrefix(c.names); got != c.want {
			t.Errorf("the common prefix of %q is %q", c.names, got)
		}
	}
}

func TestHome(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for short, long := range map[string]string{
		"~": "/home/me", "~/x.csv": "/home/me/x.csv", "/home/mel": "/home/mel", "~you": "~you", "/": "/",
	} {
		if got := ExpandPath(short); got != long {
			t.Errorf("%s is %s", short, got)
		}
		if got := ShortPath(long); got != short {
			t.Errorf("the short form of %s is %s", got, long)
		}
	}
	if got := CompletePath("~").To; got != "~/" {
		t.Errorf("~ is completed to %s", got)
	}
}
