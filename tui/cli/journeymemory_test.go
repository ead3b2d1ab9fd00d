//go:build linux

package cli

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// resident returns the memory of a process in kB.
func (term *terminal) resident(process int) int {
	term.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		term.t.Fatal(err)
	}
	match := residentLine.FindSubmatch(status)
	if match == nil {
		term.t.Fatalf("no resident memory in the status of the process:\n%s", status)
	}
	kB, err := strconv.Atoi(string(match[1]))
	if err != nil {
		term.t.Fatal(err)
	}
	return kB
}

// TestMemoryIsFlat trains a cheap model for 40,000 steps with the dashboard open. Between the first quarter
// and the end, memory must not grow by more than the noise of the garbage collector.
func TestMemoryIsFlat(t *testing.T) {
	const slack = 12 << 10 // kB
	term := open(t, 120, 40)
	term.shell("dgplab --dataset steps --family svgp --set inducing=4 --set batch=16 --set steps=40000 " +
		"--set early_stopping=off --start")
	step := regexp.MustCompile(`([\d,]+) / 40,000`)
	term.until("step 10,000", func(screen string) bool {
		match := step.FindStringSubmatch(screen)
		if match == nil {
			return false
		}
		n, err := strconv.Atoi(strings.ReplaceAll(match[1], ",", ""))
		return err == nil && n >= 10_000
	})
	process := term.process()
	before := term.resident(process)
	term.see("all 40,000 steps done")
	after := term.resident(process)
	t.Logf("resident memory: %d kB at a quarter, %d kB at the end", before, after)
	if after > before+slack {
		t.Errorf("resident memory grew from %d to %d kB", before, after)
	}
	term.press("q")
	term.see("shell>")
}
