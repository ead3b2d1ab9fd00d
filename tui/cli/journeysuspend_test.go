//go:build unix

package cli

import (
	"strings"
	"syscall"
	"testing"
)

// ctrl+z returns the terminal to the shell. After fg, and after SIGSTOP and SIGCONT, the workbench draws its
// screen again and its status line shows the state of training. After SIGTERM the terminal is as before.
func TestSuspend(t *testing.T) {
	term := open(t, 120, 40)
	stty := term.output("stty -g")
	term.shell("clear")
	term.training("")
	term.press("C-z")
	term.until("the prompt of the shell", func(screen string) bool {
		return !term.flag("alternate_on") && strings.HasSuffix(strings.TrimSpace(screen), "shell>")
	})
	if got := term.output("stty -g"); got != stty {
		t.Errorf("the shell gets a terminal with the modes %s, want %s", got, stty)
	}
	term.shell("fg")
	term.see("was stopped", "; training continues", "space pause")
	if !term.flag("mouse_any_flag") && !term.flag("mouse_button_flag") {
		t.Error("the mouse is off after fg")
	}
	term.press("Space")
	term.see("paused")
	term.signal(syscall.SIGSTOP)
	term.see("shell>")
	term.write("clear; fg\n") // A line feed, because the terminal may be in raw mode.
	term.see("; 1 run remains paused", "space continue")
	term.press("?")
	term.see("▸ Keys")
	term.press("?")
	term.signal(syscall.SIGTERM)
	term.see("resume with: dgplab train --resume")
	term.ended("130", stty)
	term.directories(0, 1)
}
