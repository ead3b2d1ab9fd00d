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
	term.shell("dgplab --dataset steps --family svgp --set inducing=8 --set early_stopping=off --set steps=" +
		forever + " --start" + tail)
	term.line(`checkpoint step [1-9]`)
}

// paste sends a string as a bracketed paste.
func (term *terminal) paste(text string) {
	term.t.Helper()
	term.tmux("load-buffer", term.file("pasted", text))
	term.tmux("paste-buffer", "-p")
}

// signal sends a signal to the program.
func (term *terminal) signal(s syscall.Signal) {
	term.t.Helper()
	if err := syscall.Kill(term.process(), s); err != nil {
		term.t.Fatal(err)
	}
}

// TestLargePaste pastes much more text than a path can have into the path of a data set, and erases it as one
// word.
func TestLargePaste(t *testing.T) {
	term := open(t, 120, 40)
	stty := term.output("stty -g")
	term.shell("clear")
	term.training("")
	term.press("n")
	term.see("Data set", "Family")
	term.press("/")
	term.see("/▏")
	term.paste(strings.Repeat("folder/of/files/", 20_000/16))
	term.see("paste cut to 4,096 characters", "of/files▏")
	term.press("C-w")
	term.gone("of/files▏")
	term.paste("/a.csv")
	term.see("/a.csv▏")
	term.signal(syscall.SIGTERM)
	term.see("resume with: dgplab train --resume")
	term.ended("130", stty)
	term.directories(0, 1)
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
