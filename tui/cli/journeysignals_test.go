//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// training starts the program with an endless run on the dashboard, and waits for its first
// checkpoint. tail is the end of the command line.
func (term *terminal) training(tail string) {
	term.t.Helper()
	term.shell("dgplab --dataset steps --family svgp --set inducing=8 --set early_stopping=off --set " +
		"checkpoint_every=200 --set steps=" + forever + " --start" + tail)
	term.line(`checkpoint step [1-9]`)
}

// signal sends a signal to the program.
func (term *terminal) signal(s syscall.Signal) {
	term.t.Helper()
	if err := syscall.Kill(term.process(), s); err != nil {
		term.t.Fatal(err)
	}
}

// On SIGQUIT the program restores the terminal and writes the stacks to standard error.
func TestQuitSignal(t *testing.T) {
	term := open(t, 120, 40)
	stty := term.output("stty -g")
	stacks := filepath.Join(term.home, "stacks")
	term.shell("clear")
	term.training(" 2>'" + stacks + "'")
	term.signal(syscall.SIGQUIT)
	term.see("resume with: dgplab train --resume")
	term.ended("2", stty)
	text, err := os.ReadFile(stacks)
	dump, found := strings.CutPrefix(string(text), "SIGQUIT: quit\n\ngoroutine ")
	if err != nil || !found || !strings.Contains(dump, "dgplab/session.") {
		t.Errorf("standard error has %.200q (%v)", text, err)
	}
	term.directories(0, 1)
}
