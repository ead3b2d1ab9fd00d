//go:build unix

package journey

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

	"dgplab/tui/programtest"
)

// patience is how long a terminal is watched for what should appear: much longer
// than it takes, since machines are shared.
const patience = 90 * time.Second

func TestMain(m *testing.M) { programtest.Main(m) }

// terminal is a shell in a tmux server of its own, with run directories, settings
// and state of its own.
type terminal struct {
	t *testing.T // who is told of a failure
	// home holds everything that the program writes.
	home     string
	socket   string
	commands int // that were carried out in the shell
}

// open starts a terminal of w x h cells. It skips the test where there is no tmux.
func open(t *testing.T, w, h int) *terminal {
	t.Helper()
	if testing.Short() {
		t.Skip("a journey takes some seconds")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux on this machine")
	}
	path, err := programtest.Binary()
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
		// Whoever runs the tests may want no colours; the screens of the journeys have them.
		"NO_COLOR=", "CI=", "CLICOLOR=",
	} {
		args = append(args, "-e", setting)
	}
	term.tmux(append(args, "sh")...)
	t.Cleanup(func() {
		term.t = t
		term.hangUp()
	})
	// The environment cannot say these: shells have their own. The program's process
	// ID is written down, since nobody else can be asked for it everywhere.
	term.shell(fmt.Sprintf(`PS1='shell> '; dgplab() { sh -c 'echo $$ >"$0"; exec "$@"' '%s' '%s' "$@"; }; `+
		`clear`, term.pidFile(), path))
	term.until("the prompt", func(screen string) bool { return strings.TrimSpace(screen) == "shell>" })
	return term
}

// hangUp closes the terminal and waits for a program that still has to save its runs,
// for as long as it takes at most.
func (term *terminal) hangUp() {
	exec.Command("tmux", "-S", term.socket, "kill-server").Run()
	if _, err := os.Stat(term.pidFile()); err != nil {
		return // It was never started.
	}
	const saving = 25 * time.Second // It gives up after 20 itself.
	program := term.process()
	for deadline := time.Now().Add(saving); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		if syscall.Kill(program, 0) != nil {
			return
		}
	}
}

// pidFile has the ID of the process of the program that was started last.
func (term *terminal) pidFile() string { return filepath.Join(term.home, "pid") }

// process returns that ID.
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

// runs is the folder of the run directories.
func (term *terminal) runs() string { return filepath.Join(term.home, "runs") }

// tmux sends a command to the terminal's server and returns what it prints.
func (term *terminal) tmux(args ...string) string {
	term.t.Helper()
	text, err := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, text)
	}
	return string(text)
}

// press sends keys by tmux's names: Enter, Tab, C-p, a.
func (term *terminal) press(keys ...string) {
	term.t.Helper()
	term.tmux(append([]string{"send-keys"}, keys...)...)
}

// write sends text as it is.
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

// resize gives the terminal another size.
func (term *terminal) resize(w, h int) {
	term.t.Helper()
	term.tmux("resize-window", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h))
}

// flag reports what the terminal says of itself by one of tmux's names: cursor_flag,
// alternate_on, mouse_any_flag.
func (term *terminal) flag(name string) bool {
	term.t.Helper()
	return strings.TrimSpace(term.tmux("display-message", "-p", "#{"+name+"}")) == "1"
}

// screen returns what is on the terminal.
func (term *terminal) screen() string { return term.tmux("capture-pane", "-p") }

// see waits until all texts are on the screen at the same time, and returns it.
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

// gone waits until none of the texts is on the screen.
func (term *terminal) gone(texts ...string) {
	term.t.Helper()
	term.until("a screen without "+strings.Join(texts, ", "), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(screen, text) })
	})
}

// line waits for a line that a pattern matches, and returns the pattern's groups. ^
// and $ are the ends of the line.
func (term *terminal) line(pattern string) []string {
	term.t.Helper()
	want := regexp.MustCompile("(?m)" + pattern)
	screen := term.until(pattern, want.MatchString)
	return want.FindStringSubmatch(screen)
}

// until waits for a screen that is as it should be.
func (term *terminal) until(what string, good func(screen string) bool) string {
	term.t.Helper()
	var screen string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		screen = term.screen()
		if good(screen) {
			return screen
		}
	}
	term.t.Fatalf("within %v there was never: %s\nthe screen is\n%s", patience, what, screen)
	return ""
}
