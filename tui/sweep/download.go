package sweep

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
)

// toggleDownload downloads the missing data sets of the selected experiment, or cancels the download.
func (p *Published) toggleDownload() tea.Cmd {
	if p.download != nil {
		p.download.Cancel()
		return nil
	}
	if _, reason := p.Available(actDownload); reason != "" {
		return p.host.Say(kit.Calm, reason)
	}
	var load tea.Cmd
	p.download, load = kit.StartDownload(p.host, p.entries[p.chosen].Missing(), p.engine.Fetch)
	return load
}

// downloaded lists the experiments again, and says why a download failed.
func (p *Published) downloaded(msg kit.DownloadedMsg) tea.Cmd {
	p.download = nil
	list := p.listAgain()
	switch {
	case errors.Is(msg.Err, context.Canceled):
		return tea.Batch(list, p.host.Say(kit.Calm, "download cancelled"))
	case msg.Err != nil:
		return tea.Batch(list, p.host.Say(kit.Bad, fmt.Sprintf("download %s: %v", msg.Name, msg.Err)))
	}
	return list
}

// downloadRows returns the progress of a download, or the missing data sets of an experiment and the key that
// downloads them.
func (p *Published) downloadRows(missing []string, w int) []string {
	th := p.theme
	if p.download != nil {
		return kit.Paragraph(th.Accent, p.download.Text(), w)
	}
	if len(missing) == 0 {
		return nil
	}
	return kit.Paragraph(th.Warn, "! not downloaded: "+strings.Join(missing, ", ")+"; f downloads", w)
}
