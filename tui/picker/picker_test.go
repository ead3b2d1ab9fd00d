package picker

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"dgplab/tui/kit/kittest"
)

func TestEntries(t *testing.T) {
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
	list, err := entries(dir, false)
	for i := range list {
		if list[i].Dir {
			list[i].Size = 0 // The size of a folder depends on the file system.
		}
	}
	want := []Entry{{"z", true, 0}, {"A.csv", false, 4}, {"b.csv", false, 4}, {"link.csv", false, 4}}
	if err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("%v, %v; want %v", list, err, want)
	}
	if got := Complete(filepath.Join(dir, ".h")).To; got != filepath.Join(dir, ".hidden.csv") {
		t.Errorf("a hidden file is completed to %s", got)
	}
	if got := Complete(filepath.Join(dir, "none")); got.To != got.Typed || got.Names != nil {
		t.Errorf("nothing to complete: %v", got)
	}
}

func TestHome(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for short, long := range map[string]string{
		"~": "/home/me", "~/x.csv": "/home/me/x.csv", "/home/mel": "/home/mel", "~you": "~you", "/": "/",
	} {
		if got := Expand(short); got != long {
			t.Errorf("%s is %s", short, got)
		}
		if got := Short(long); got != short {
			t.Errorf("%s is short for %s", got, long)
		}
	}
	if got := Complete("~").To; got != "~/" {
		t.Errorf("~ is completed to %s", got)
	}
}

// The picker draws exactly its cells, opens folders and their parents, and shows errors.
func TestPicker(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "plots"), 0o755); err != nil {
		t.Fatal(err)
	}
	var p Picker
	p.Update(p.Open(filepath.Join(dir, "x.csv"), []string{"/data/long/path/to/a/file.csv"})())
	th := kittest.PlainTheme()
	for w := 1; w < 60; w += 3 {
		for h := 1; h < 8; h++ {
			kittest.CheckFrame(t, "picker", strings.Join(p.Lines(th, w, h), "\n"), w, h)
		}
	}
	stale := p.read("/")
	p.Key(kittest.Press("end"))
	_, into := p.Key(kittest.Press("enter"))
	p.Update(into())
	if p.dir != filepath.Join(dir, "plots") || p.Update(stale()) {
		t.Errorf("in %s", p.dir)
	}
	_, up := p.Key(kittest.Press("left"))
	p.Update(up())
	if p.dir != dir || p.rows()[p.at].entry.Name != "plots" {
		t.Errorf("in %s on %v", p.dir, p.rows()[p.at])
	}
	p.Update(p.read(filepath.Join(dir, "gone"))())
	if lines := p.Lines(th, 120, 4); !strings.Contains(lines[0], "no such file") {
		t.Errorf("a folder that is gone: %q", lines)
	}
	p.Update(p.Open(dir+"/", []string{"/data/a.csv"})())
	if picked, _ := p.Click(1); picked != "/data/a.csv" || p.IsOpen() {
		t.Errorf("a click picked %q", picked)
	}
}
