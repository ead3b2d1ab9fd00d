package setup

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/tui/kit"
)

// fetch is a running download. The engine stores its progress, and the screen polls it on its tick.
type fetch struct {
	name   string
	cancel context.CancelFunc
	latest *atomic.Pointer[datasets.Progress]
	// starts is set if the run is to start after the download, provided that the data set is still selected.
	starts bool
}

// toggleFetch starts the download of the selected data set, or cancels the running download.
func (s *Setup) toggleFetch() tea.Cmd {
	if s.fetch != nil {
		s.fetch.cancel()
		return nil
	}
	s.plan.Cancel() // The previous inspection is outdated.
	ctx, cancel := context.WithCancel(s.host.Context())
	f := &fetch{name: s.info().Name, cancel: cancel, latest: &atomic.Pointer[datasets.Progress]{}}
	s.fetch = f
	delete(s.fetchErr, f.name)
	e := s.engine
	load := func() tea.Msg {
		defer cancel()
		err := e.Fetch(ctx, f.name, func(p datasets.Progress) { f.latest.Store(&p) })
		return fetchDoneMsg{f, err}
	}
	return tea.Batch(load, s.fetchTick())
}

// fetchObstacle returns the reason why there is nothing to download, or "" if there is.
func (s *Setup) fetchObstacle() string {
	switch {
	case s.isFile():
		return "files need no download"
	case s.info().Kind == datasets.Builtin:
		return s.info().Name + " is built in"
	case s.info().Cached:
		return s.info().Name + " is already downloaded"
	}
	return ""
}

// isAbsent reports whether the selected data set must be downloaded.
func (s *Setup) isAbsent() bool { return !s.isFile() && !s.info().Cached }

// absentText returns the state of a data set that must be downloaded.
func (s *Setup) absentText() string {
	name := s.info().Name
	switch {
	case s.fetch == nil:
		return name + " is not downloaded: enter downloads and starts, f downloads"
	case s.fetch.name != name:
		return s.fetch.name + " is still downloading; " + name + " is not downloaded"
	case s.fetch.starts:
		return "the run starts after downloading " + name
	}
	return "downloading " + name
}

// fetchTick returns the tick that redraws the progress.
func (s *Setup) fetchTick() tea.Cmd {
	f := s.fetch
	return tea.Tick(s.host.Frame(), func(time.Time) tea.Msg { return fetchTickedMsg{f} })
}

// fetchDone reads the catalogue again and inspects the data, or stores the error of the download.
func (s *Setup) fetchDone(msg fetchDoneMsg) tea.Cmd {
	if s.fetch != msg.fetch {
		return nil
	}
	s.fetch = nil
	switch {
	case errors.Is(msg.err, context.Canceled):
		s.fetchErr[msg.fetch.name] = errors.New("cancelled")
	case msg.err != nil:
		s.fetchErr[msg.fetch.name] = msg.err
	}
	s.data = s.engine.Catalogue()
	s.chosen = min(s.chosen, len(s.files.recent)+len(s.data))
	if msg.err == nil && msg.fetch.starts && s.dataset() == msg.fetch.name {
		return s.Start()
	}
	return s.plan.Schedule()
}

// startFetched downloads the selected data set, unless it is already being downloaded, and starts the run
// afterwards. It returns nil if there is nothing to download.
func (s *Setup) startFetched() tea.Cmd {
	if s.fetchObstacle() != "" || s.fetch != nil && s.fetch.name != s.dataset() {
		return nil
	}
	var load tea.Cmd
	if s.fetch == nil {
		load = s.toggleFetch()
	}
	s.fetch.starts = true
	return tea.Batch(load, s.host.Say(kit.Calm, s.absentText()))
}

// share returns the downloaded fraction.
func (f *fetch) share() float64 {
	p := f.latest.Load()
	if p == nil || p.Bytes <= 0 {
		return 0
	}
	return min(float64(p.BytesDone)/float64(p.Bytes), 1)
}
