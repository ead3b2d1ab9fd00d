package kit

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/tui/report"
)

// Fetch downloads a data set, and reports its progress.
type Fetch func(ctx context.Context, name string, report func(datasets.Progress)) error

// Download is a running download of data sets, one after another. A screen draws its progress on its ticks.
type Download struct {
	Names  []string
	cancel context.CancelFunc
	latest atomic.Pointer[downloadProgress]
}

// downloadProgress is the progress of data set number At of a download.
type downloadProgress struct {
	at  int
	now datasets.Progress
}

// DownloadTickedMsg redraws the progress of a download.
type DownloadTickedMsg struct{ Of *Download }

// DownloadedMsg is the end of a download. Err is about the data set Name, or nil.
type DownloadedMsg struct {
	Of   *Download
	Name string
	Err  error
}

// StartDownload downloads data sets up to the first error.
func StartDownload(h Host, names []string, fetch Fetch) (*Download, tea.Cmd) {
	ctx, cancel := context.WithCancel(h.Context())
	d := &Download{Names: names, cancel: cancel}
	load := func() tea.Msg {
		defer cancel()
		for at, name := range names {
			err := fetch(ctx, name, func(now datasets.Progress) {
				d.latest.Store(&downloadProgress{at, now})
			})
			if err != nil {
				return DownloadedMsg{d, name, err}
			}
		}
		return DownloadedMsg{Of: d}
	}
	return d, tea.Batch(load, d.Tick(h))
}

// Tick returns the tick that redraws the progress.
func (d *Download) Tick(h Host) tea.Cmd {
	return tea.Tick(h.Frame(), func(time.Time) tea.Msg { return DownloadTickedMsg{d} })
}

// Cancel ends the download with the error context.Canceled.
func (d *Download) Cancel() { d.cancel() }

// Share returns the downloaded part of the current data set, from 0 to 1.
func (d *Download) Share() float64 {
	p := d.latest.Load()
	if p == nil || p.now.Bytes <= 0 {
		return 0
	}
	return min(float64(p.now.BytesDone)/float64(p.now.Bytes), 1)
}

// Text describes the progress, and names the key f, which cancels.
func (d *Download) Text() string {
	p := d.latest.Load()
	if p == nil {
		return report.Downloading(d.Names[0], nil) + "; f: cancel"
	}
	name := d.Names[p.at]
	if len(d.Names) > 1 {
		name += fmt.Sprintf(" (%d of %d)", p.at+1, len(d.Names))
	}
	return report.Downloading(name, &p.now) + "; f: cancel"
}
