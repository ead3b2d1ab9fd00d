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
