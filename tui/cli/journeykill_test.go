//go:build unix

package cli

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// If the program is killed while two runs are training, the terminal and the runs can be recovered.
func TestKill(t *testing.T) {
	term := open(t, 120, 40)
	term.shell("dgplab --dataset steps --family mean-field --set layers=2 --set inducing=8 --set " +
		"early_stopping=off --set checkpoint_every=200 --set steps=" + forever + " --start")
	term.line(`checkpoint step [1-9]`)
	term.press("n")
	term.part("Family")
	term.down("star")
	term.press("Enter")
	term.line(`star\b.*` + going)
	term.line(`checkpoint step [1-9]`)

	process := term.process()
	if err := syscall.Kill(process, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	// The prompt can lie across two lines, because the cursor is where the workbench left it.
	term.until("the end of the workbench", func(string) bool {
		return errors.Is(syscall.Kill(process, 0), syscall.ESRCH)
	})
	term.press("C-j") // In the current state of the terminal, Enter does not end a line.
	term.write("reset; echo mended")
	term.press("C-j")
	term.line(`^mended`)
	term.usable()

	before := term.beginnings()
	stty := term.output("stty -g")
	term.shell("clear; dgplab")
	term.see("Data set", "Family")
	term.resume("state:interrupted", 2)
	term.resume("state:interrupted", 1)
	term.line(`mean-field\b.*` + going)
	term.line(`star\b.*` + going)
	term.press("q")
	term.see("quit?")
	term.press("y")
	term.ended("0", stty)
	if after := term.beginnings(); len(before) != 2 || !maps.Equal(before, after) {
		t.Errorf("the runs began with\n%v\nand after resuming with\n%v", before, after)
	}
}

// beginnings returns the beginning of the metrics of every run, by run directory. They contain times and
// therefore differ if a run is restarted.
func (term *terminal) beginnings() map[string]string {
	term.t.Helper()
	const length = 1000
	files, err := filepath.Glob(filepath.Join(term.runs(), "[0-9]*", "metrics.jsonl"))
	if err != nil {
		term.t.Fatal(err)
	}
	list := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || len(text) < length {
			term.t.Fatalf("%s has %d bytes: %v", file, len(text), err)
		}
		list[filepath.Dir(file)] = string(text[:length])
	}
	return list
}
