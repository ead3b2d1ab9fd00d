package sweep

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// download fetches the data sets of an experiment one after another. The engine stores the progress, and the
// screen polls it.
type download struct {
	cancel context.CancelFunc
	latest atomic.Pointer[string] // the progress in words
}

// downloadTickedMsg redraws the progress of a download.
type downloadTickedMsg struct{ of *download }

// downloadedMsg is the result of a download.
type downloadedMsg struct {
	of  *download
	err error
}

// toggleDownload downloads the missing data sets of the selected experiment, or cancels the download.
func (p *Published) toggleDownload() tea.Cmd {
	if p.download != nil {
		p.download.cancel()
		return nil
	}
	if _, reason := p.Available(actDownload); reason != "" {
		return p.host.Say(kit.Calm, reason)
	}
	names := p.entries[p.chosen].Missing()
	ctx, cancel := context.WithCancel(p.host.Context())
	d := &download{cancel: cancel}
	p.download = d
	e := p.engine
	fetch := func() tea.Msg {
		defer cancel()
		for i, name := range names {
			where := fmt.Sprintf("%s (%d of %d)", name, i+1, len(names))
			err := e.Fetch(ctx, name, func(now datasets.Progress) {
				text := report.Downloading(where, &now)
				d.latest.Store(&text)
			})
			if err != nil {
				return downloadedMsg{d, fmt.Errorf("download %s: %w", name, err)}
			}
		}
		return downloadedMsg{d, nil}
	}
	return tea.Batch(fetch, p.downloadTick(d))
}

// downloadTick returns the tick that redraws the progress.
func (p *Published) downloadTick(d *download) tea.Cmd {
	return tea.Tick(p.host.Frame(), func(time.Time) tea.Msg { return downloadTickedMsg{d} })
}

// downloaded lists the experiments again, and says why a download failed.
func (p *Published) downloaded(msg downloadedMsg) tea.Cmd {
	p.download = nil
	list := p.listAgain()
	switch {
	case errors.Is(msg.err, context.Canceled):
		return tea.Batch(list, p.host.Say(kit.Calm, "download cancelled"))
	case msg.err != nil:
		return tea.Batch(list, p.host.Say(kit.Bad, msg.err.Error()))
	}
	return list
}

// downloadRows returns the progress of a download, or the missing data sets of an experiment and the key that
// downloads them.
func (p *Published) downloadRows(missing []string, w int) []string {
	th := p.theme
	if p.download != nil {
		text := "downloading"
		if latest := p.download.latest.Load(); latest != nil {
			text = *latest
		}
		return kit.Paragraph(th.Accent, text+"; f: cancel", w)
	}
	if len(missing) == 0 {
		return nil
	}
	return kit.Paragraph(th.Warn, "! not downloaded: "+strings.Join(missing, ", ")+"; f downloads", w)
}
