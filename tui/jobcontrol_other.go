//go:build !unix

package tui

import (
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// watch does nothing, because the system cannot stop processes.
func (*jobControl) watch(<-chan struct{}, func(tea.Msg)) {}

func (*jobControl) stopProcess() (time.Duration, error) {
	return 0, errors.New("this system cannot stop programs")
}

func (*jobControl) awaitForeground() bool { return true }
