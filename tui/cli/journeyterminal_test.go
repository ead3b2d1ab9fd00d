//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// timeout is the time limit for an expected output. It is generous, because machines are shared.
const timeout = 2 * time.Minute

// terminal is a shell in a separate tmux server, with separate run directories, settings and state.
// Its methods send keys and wait for output, never for a fixed time.
type terminal struct {
	t *testing.T // reports failures
	// home contains everything that the program writes.
	home     string
	socket   string
	commands int // number of commands run in the shell
}

// open starts a terminal of w x h cells. It skips the test if tmux is not installed.
func open(t *testing.T, w, h int) *terminal {
	t.Helper()
	if testing.Short() {
		t.Skip("a journey takes several seconds")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, home: t.TempDir()}
	term.socket = filepath.Join(term.home, "tmux")
	args := []string{"-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h)}
	for _, setting := range []string{
		"DGPLAB_RUNS=" + term.runs(), "XDG_CONFIG_HOME=" + filepath.Join(term.home, "config"),
		"XDG_STATE_HOME=" + filepath.Join(term.home, "state"),
		"LC_ALL=C.UTF-8",
		// The environment of the tests may disable colours, which the journeys need.
		"NO_COLOR=", "CI=", "CLICOLOR=",
	} {
		args = append(args, "-e", setting)
	}
	term.tmux(append(args, "sh")...)
	t.Cleanup(func() {
		term.t = t
		term.hangUp()
	})
	// Shells override these settings, so the environment cannot contain them. The process ID of the
	// program is written to a file, because there is no portable way to query it.
	term.shell(fmt.Sprintf(`PS1='shell> '; dgplab() { sh -c 'echo $$ >"$0"; exec "$@"' '%s' '%s' "$@"; }; `+
		`clear`, term.pidFile(), path))
	term.until("the prompt", func(screen string) bool { return strings.TrimSpace(screen) == "shell>" })
	return term
}

// hangUp closes the terminal and waits until the program has saved its runs, at most for the program's time
// limit.
func (term *terminal) hangUp() {
	exec.Command("tmux", "-S", term.socket, "kill-server").Run()
	if _, err := os.Stat(term.pidFile()); err != nil {
		return // The program was never started.
	}
	const saving = 25 * time.Second // The program gives up after 20 s.
	program := term.process()
	for deadline := time.Now().Add(saving); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		if syscall.Kill(program, 0) != nil {
			return
		}
	}
}

// pidFile returns the file with the process ID of the program.
func (term *terminal) pidFile() string { return filepath.Join(term.home, "pid") }

// process returns the process ID of the program.
func (term *terminal) process() int {
	term.t.Helper()
	text, err := os.ReadFile(term.pidFile())
	if err != nil {
		term.t.Fatalf("the program was not started: %v", err)
	}
	id, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		term.t.Fatal(err)
	}
	return id
}

// runs returns the folder of the run directories.
func (term *terminal) runs() string { return filepath.Join(term.home, "runs") }

// file writes a file to the home folder and returns its path.
func (term *terminal) file(name, text string) string {
	term.t.Helper()
	path := filepath.Join(term.home, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		term.t.Fatal(err)
	}
	return path
}

// tmux sends a command to the terminal's server and returns its output.
func (term *terminal) tmux(args ...string) string {
	term.t.Helper()
	text, err := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, text)
	}
	return string(text)
}

// press sends keys by tmux's names, such as Enter, Tab, C-p and a.
func (term *terminal) press(keys ...string) {
	term.t.Helper()
	term.tmux(append([]string{"send-keys"}, keys...)...)
}

// write sends text literally.
func (term *terminal) write(text string) {
	term.t.Helper()
	term.tmux("send-keys", "-l", "--", text)
}

// shell types a command line.
func (term *terminal) shell(line string) {
	term.t.Helper()
	term.write(line)
	term.press("Enter")
}

// resize changes the size of the terminal.
func (term *terminal) resize(w, h int) {
	term.t.Helper()
	term.tmux("resize-window", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h))
}

// flag returns a flag of the terminal by tmux's name: cursor_flag, alternate_on or mouse_any_flag.
func (term *terminal) flag(name string) bool {
	term.t.Helper()
	return strings.TrimSpace(term.tmux("display-message", "-p", "#{"+name+"}")) == "1"
}

// screen returns the text on the terminal.
func (term *terminal) screen() string { return term.tmux("capture-pane", "-p") }

// see waits until all strings are on the screen at the same time and returns the screen.
func (term *terminal) see(texts ...string) string {
	term.t.Helper()
	return term.until(strings.Join(texts, ", "), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// gone waits until none of the strings is on the screen.
func (term *terminal) gone(texts ...string) {
	term.t.Helper()
	term.until("a screen without "+strings.Join(texts, ", "), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(screen, text) })
	})
}

// line waits for a line that matches a pattern and returns the groups of the pattern. ^ and $ match at line
// ends.
func (term *terminal) line(pattern string) []string {
	term.t.Helper()
	want := regexp.MustCompile("(?m)" + pattern)
	screen := term.until(pattern, want.MatchString)
	return want.FindStringSubmatch(screen)
}

// until waits until good returns true for the screen. It looks often at first and then less often, because
// each look starts a process.
func (term *terminal) until(what string, good func(screen string) bool) string {
	term.t.Helper()
	var screen string
	pause := 20 * time.Millisecond
	for deadline := time.Now().Add(timeout); time.Now().Before(deadline); time.Sleep(pause) {
		screen = term.screen()
		if good(screen) {
			return screen
		}
		pause = min(2*pause, 200*time.Millisecond)
	}
	term.t.Fatalf("not found within %v: %s\nthe screen is\n%s", timeout, what, screen)
	return ""
}
