package setup

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/datasets"
	"dgplab/tui/kit"
)

// fetch is the running download of a data set.
type fetch struct {
	*kit.Download
	// starts is set if the run is to start after the download, provided that the data set is still selected.
	starts bool
}

// name returns the name of the data set.
func (f *fetch) name() string { return f.Names[0] }

// toggleFetch starts the download of the selected data set, or cancels the running download.
func (s *Setup) toggleFetch() tea.Cmd {
	if s.fetch != nil {
		s.fetch.Cancel()
		return nil
	}
	s.plan.Cancel() // The previous inspection is outdated.
	name := s.info().Name
	delete(s.fetchErr, name)
	download, load := kit.StartDownload(s.host, []string{name}, s.engine.Fetch)
	s.fetch = &fetch{Download: download}
	return load
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
	case s.fetch.name() != name:
		return s.fetch.name() + " is still downloading; " + name + " is not downloaded"
	case s.fetch.starts:
		return "the run starts after downloading " + name
	}
	return "downloading " + name
}

// fetched reads the catalogue again and inspects the data, or stores the error of the download.
func (s *Setup) fetched(err error) tea.Cmd {
	done := s.fetch
	s.fetch = nil
	switch {
	case errors.Is(err, context.Canceled):
		s.fetchErr[done.name()] = errors.New("cancelled")
	case err != nil:
		s.fetchErr[done.name()] = err
	}
	s.data = s.engine.Catalogue()
	s.chosen = min(s.chosen, len(s.files.recent)+len(s.data))
	if err == nil && done.starts && s.dataset() == done.name() {
		return s.Start()
	}
	return s.plan.Schedule()
}

// startFetched downloads the selected data set, unless it is already being downloaded, and starts the run
// afterwards. It returns nil if there is nothing to download.
func (s *Setup) startFetched() tea.Cmd {
	if s.fetchObstacle() != "" || s.fetch != nil && s.fetch.name() != s.dataset() {
		return nil
	}
	var load tea.Cmd
	if s.fetch == nil {
		load = s.toggleFetch()
	}
	s.fetch.starts = true
	return tea.Batch(load, s.host.Say(kit.Calm, s.absentText()))
}
