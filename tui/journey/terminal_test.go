//go:build unix

package journey

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a terminal is watched for what should appear: much longer
// than it takes, since machines are shared.
const patience = 90 * time.Second

// binary builds the program once.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "dgplab-journey-*")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "dgplab")
	if text, err := exec.Command("go", "build", "-o", path, "dgplab").CombinedOutput(); err != nil {
		return "", errors.New(string(text))
	}
	return path, nil
})

// built is the folder of the binary, once there is one.
var built string

func TestMain(m *testing.M) {
	status := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(status)
}

// terminal is a shell in a tmux server of its own, with run directories, settings
// and state of its own.
type terminal struct {
	t *testing.T
	// home holds everything that the program writes.
	home   string
	socket string
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
	} {
		args = append(args, "-e", setting)
	}
	term.tmux(append(args, "sh")...)
	t.Cleanup(func() { exec.Command("tmux", "-S", term.socket, "kill-server").Run() })
	// The environment cannot say these: shells have their own.
	term.shell("PS1='shell> '; alias dgplab='" + path + "'; clear")
	term.until("the prompt", func(screen string) bool { return strings.TrimSpace(screen) == "shell>" })
	return term
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
	term.tmux("send-keys", "-l", text)
}

// shell types a command line.
func (term *terminal) shell(line string) {
	term.t.Helper()
	term.write(line)
	term.press("Enter")
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

// until waits for a screen that is as it should be.
func (term *terminal) until(what string, good func(screen string) bool) string {
	term.t.Helper()
	var screen string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		if screen = term.screen(); good(screen) {
			return screen
		}
	}
	term.t.Fatalf("never seen: %s; the screen is\n%s", what, screen)
	return ""
}
