package kit_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// A download fetches its data sets in order up to the first error, and describes what it does.
func TestDownload(t *testing.T) {
	var d *kit.Download
	var texts []string
	failure := errors.New("404 Not Found")
	fetch := func(_ context.Context, name string, report func(datasets.Progress)) error {
		report(datasets.Progress{Name: name, Files: 3, FilesDone: 3, Bytes: 1000, BytesDone: 500, Attempt: 2})
		texts = append(texts, d.Text())
		if d.Share() != 0.5 {
			t.Errorf("%s: the share is %g, want 0.5", name, d.Share())
		}
		if name == "energy" {
			return failure
		}
		return nil
	}
	var all tea.Cmd
	d, all = kit.StartDownload(&kittest.Host{}, []string{"boston", "energy", "yacht"}, fetch)
	if got, want := d.Text(), "downloading boston; f: cancel"; got != want {
		t.Errorf("at the start %q, want %q", got, want)
	}
	load := all().(tea.BatchMsg)[0]
	if got, want := load(), (kit.DownloadedMsg{Of: d, Name: "energy", Err: failure}); got != want {
		t.Errorf("the download ends with %+v, want %+v", got, want)
	}
	want := []string{
		"downloading boston (1 of 3): file 3 of 3, 500 B of 1.0 kB, attempt 2; f: cancel",
		"downloading energy (2 of 3): file 3 of 3, 500 B of 1.0 kB, attempt 2; f: cancel",
	}
	if !reflect.DeepEqual(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
}
