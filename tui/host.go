package tui

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/tui/settings"
)

// The methods of kit.Host that do not concern screens (screens.go) or runs (runs.go).

// Context returns the context of all work.
func (a *app) Context() context.Context { return a.work.ctx }

// Theme returns the theme of the screens.
func (a *app) Theme() *kit.Theme { return a.theme }

// Frame returns the minimum time between two frames with new data.
func (a *app) Frame() time.Duration {
	rate := a.settings.FrameRate
	if rate <= 0 {
		rate = settings.Default().FrameRate
	}
	return time.Second / time.Duration(rate)
}

// Say shows a status line for a while.
func (a *app) Say(t kit.Tone, text string) tea.Cmd {
	a.status = status{text: text, tone: t, gen: a.status.gen + 1}
	a.dirty = true
	gen := a.status.gen
	return tea.Tick(statusTime, func(time.Time) tea.Msg { return statusExpiredMsg{gen} })
}

// Hold shows a status line until the next key.
func (a *app) Hold(t kit.Tone, text string) tea.Cmd {
	a.Say(t, text) // Without the returned command, the line does not expire.
	return nil
}

// Ask opens a question.
func (a *app) Ask(q kit.Question) {
	a.question, a.dirty = &q, true
}

// Copy copies text to the clipboard of the terminal.
func (a *app) Copy(text string) tea.Cmd {
	if text == "" {
		return a.Say(kit.Calm, "nothing to copy")
	}
	lines := strings.Count(strings.TrimRight(text, "\n"), "\n") + 1
	note := report.Plural(lines, "line", "lines") + " copied to the terminal's clipboard"
	if a.clipboard.tmux {
		note += "; tmux needs set-clipboard on"
	}
	return tea.Batch(a.clipboard.write(text), a.Say(kit.Calm, note))
}
