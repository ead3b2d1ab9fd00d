package background_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	_ "github.com/charmbracelet/bubbletea" // queries the terminal when it is imported
	"golang.org/x/sys/unix"

	"dgplab/tui/background"
)

// Importing Bubble Tea does not query the terminal. The test runs its binary again with a terminal that does
// not answer.
func TestNoQueryWithoutScreen(t *testing.T) {
	if out := onSilentTerminal(t, "^$"); bytes.Contains(out, []byte("\x1b")) {
		t.Errorf("the terminal received %q", out)
	}
}

func TestSilentTerminalIsDark(t *testing.T) {
	if os.Getenv("DGPLAB_SILENT") == "" {
		if out := onSilentTerminal(t, "^"+t.Name()+"$"); !bytes.Contains(out, []byte("\x1b]11;?")) ||
			!bytes.Contains(out, []byte("PASS")) {
			t.Errorf("the terminal received %q", out)
		}
		return
	}
	before, err := unix.IoctlGetTermios(1, unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	if !background.IsDark(os.Stdout) {
		t.Error("a silent terminal does not count as dark")
	}
	if after, err := unix.IoctlGetTermios(1, unix.TCGETS); err != nil || *after != *before {
		t.Errorf("the terminal's modes are %+v, were %+v (%v)", after, before, err)
	}
}

// onSilentTerminal runs tests of this binary with a controlling terminal that does not answer, and
// returns the output.
func onSilentTerminal(t *testing.T, tests string) []byte {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("cannot create a terminal: ", err)
	}
	defer master.Close()
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run", tests)
	cmd.Env = append(os.Environ(), "DGPLAB_SILENT=1", "TERM=xterm-256color", "COLORFGBG=", "CI=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	out, _ := io.ReadAll(master) // This fails when the last process closes the terminal.
	cmd.Wait()
	return out
}
