package kit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// The picker draws exactly its cells, opens folders and their parents, and shows errors.
func TestPicker(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "plots")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	var p kit.Picker
	stale := p.Open("/", nil)
	p.Update(p.Open(filepath.Join(dir, "x.csv"), []string{"/data/long/path/to/a/file.csv"})())
	th := kittest.PlainTheme()
	for w := 1; w < 60; w += 3 {
		for h := 1; h < 8; h++ {
			kittest.CheckFrame(t, "picker", strings.Join(p.Lines(th, w, h), "\n"), w, h)
		}
	}
	screen := func() string { return strings.Join(p.Lines(th, 200, 4), "\n") }
	p.Key(kittest.Press("end"))
	_, into := p.Key(kittest.Press("enter"))
	p.Update(into())
	if p.Update(stale()) || !strings.HasPrefix(screen(), kit.ShortPath(folder)) {
		t.Errorf("in the folder:\n%s", screen())
	}
	_, up := p.Key(kittest.Press("left"))
	p.Update(up())
	if text := screen(); !strings.HasPrefix(text, kit.ShortPath(dir)+" ") ||
		!strings.Contains(text, th.Glyphs.Cursor+" plots/") {
		t.Errorf("back in the parent folder:\n%s", text)
	}
	p.Update(p.Open(filepath.Join(dir, "gone")+"/", nil)())
	if text := screen(); !strings.Contains(text, "no such file") {
		t.Errorf("a folder that does not exist:\n%s", text)
	}
	p.Update(p.Open(dir+"/", []string{"/data/a.csv"})())
	if picked, _ := p.Click(1); picked != "/data/a.csv" || p.IsOpen() {
		t.Errorf("a click picked %q", picked)
	}
}

// Keys move the selection, search and open folders. Each step shows the head, the selected row and the number
// of rows.
func TestPickerKeys(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "more"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"iris.csv", "wine.csv", "wine.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 2048), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	th := kittest.PlainTheme()
	var p kit.Picker
	p.Update(p.Open(filepath.Join(dir, "wine.csv"), []string{"/data/wine.csv"})())
	for _, c := range []struct{ key, head, row, picked string }{
		{"", kit.ShortPath(dir), "› wine.csv 2.0 kB", ""},
		{"home", kit.ShortPath(dir), "› /data/wine.csv recent", ""},
		{"down", kit.ShortPath(dir), "› ../", ""},
		{"down", kit.ShortPath(dir), "› more/", ""},
		{"pgdown", kit.ShortPath(dir), "› wine.txt 2.0 kB", ""},
		{"pgup", kit.ShortPath(dir), "› /data/wine.csv recent", ""},
		{"w", "find w▏", "› /data/wine.csv recent", ""},
		{"end", "find w▏", "› wine.txt 2.0 kB", ""},
		{"x", "find wx▏", "", ""},
		{"enter", "find wx▏", "", ""},
		{"backspace", "find w▏", "› /data/wine.csv recent", ""},
		{"down", "find w▏", "› wine.csv 2.0 kB", ""},
		{"esc", kit.ShortPath(dir), "› /data/wine.csv recent", ""},
		{"T", "find T▏", "› wine.txt 2.0 kB", ""},
		{"enter", "", "", filepath.Join(dir, "wine.txt")},
	} {
		picked := ""
		if c.key != "" {
			picked, _ = p.Key(kittest.Press(c.key))
		}
		if picked != c.picked || p.IsOpen() != (c.picked == "") {
			t.Fatalf("%q picks %q, open: %v", c.key, picked, p.IsOpen())
		}
		if c.picked != "" {
			break
		}
		head, row := "", ""
		for i, line := range p.Lines(th, 120, 9) {
			line = strings.Join(strings.Fields(line), " ")
			if i == 0 {
				head = line
			} else if strings.HasPrefix(line, th.Glyphs.Cursor) {
				row = line
			}
		}
		if head != c.head || row != c.row {
			t.Fatalf("after %q: head %q, selected %q; want %q, %q", c.key, head, row, c.head, c.row)
		}
	}
	p.Update(p.Open(dir+"/", nil)())
	p.Key(kittest.Press("#"))
	if got := p.Lines(th, 20, 1); len(got) != 1 || !strings.HasPrefix(got[0], "find #") {
		t.Errorf("no match in one line: %q", got)
	}
	if got := p.Lines(th, 20, 3); len(got) != 3 || !strings.Contains(got[1], "no match") {
		t.Errorf("no match in three lines: %q", got)
	}
	p.Key(kittest.Press("esc"))
	p.Lines(th, 120, 9)
	for _, line := range []int{0, 3, 9} { // the head, a row that is not selected yet, below the rows
		if picked, cmd := p.Click(line); picked != "" || cmd != nil {
			t.Errorf("a click on line %d picks %q", line, picked)
		}
	}
	if picked, _ := p.Click(3); picked != filepath.Join(dir, "iris.csv") {
		t.Errorf("a second click picks %q", picked)
	}
	p.Open(dir+"/", nil)
	if p.Key(kittest.Press("esc")); p.IsOpen() {
		t.Error("esc does not close the picker")
	}
}
