package kit

import (
	"os"
	"path/filepath"
	"reflect"
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
