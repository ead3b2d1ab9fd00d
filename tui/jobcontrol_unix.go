//go:build unix

package tui

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// watch calls send when the process continues, until done is closed. From now on a process in the background
// may change the modes of the terminal. Otherwise this would stop it, even while it ends.
func (j *jobControl) watch(done <-chan struct{}, send func(tea.Msg)) {
	signal.Ignore(syscall.SIGTTOU)
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGCONT)
	defer signal.Stop(heard)
	beat := time.NewTicker(time.Second)
	defer beat.Stop()
	alive := time.Now()
	stopped := time.Duration(0) // the longest time without a beat
	for {
		select {
		case <-done:
			return
		case <-beat.C:
		case <-heard:
			stopped = max(stopped, time.Since(alive))
			select {
			case j.continued <- stopped:
			case <-time.After(time.Second / 5):
				send(continuedMsg{stopped})
			}
			stopped = 0
		}
		stopped = max(stopped, time.Since(alive))
		alive = time.Now()
	}
}

// stopProcess stops the process group, as ctrl+z does without raw mode, and returns when it continues. The
// kernel does not stop a group without a shell that could continue it.
func (j *jobControl) stopProcess() (stopped time.Duration, err error) {
	err = syscall.Kill(0, syscall.SIGTSTP)
	if err != nil {
		return 0, err
	}
	const tick, ticks = time.Second / 20, 20
	for range ticks { // A stopped process counts no ticks.
		select {
		case stopped = <-j.continued:
			return stopped, nil
		case <-j.ended.Done():
			return 0, nil
		case <-time.After(tick):
		}
	}
	return 0, errors.New("no shell can continue the program")
}

// awaitForeground waits until the process is in the foreground of its terminal, if it has one. It returns
// false if the program is asked to end before.
func (j *jobControl) awaitForeground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return true
	}
	defer tty.Close()
	for {
		group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
		if err != nil || group == unix.Getpgrp() {
			return true
		}
		select {
		case <-j.ended.Done():
			return false
		case <-time.After(time.Second / 10):
		}
	}
}
