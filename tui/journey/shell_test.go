//go:build unix

package journey

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// run runs a command line on an empty screen, waits until it succeeds, and checks its output.
func (term *terminal) run(line string, texts ...string) {
	term.t.Helper()
	term.commands++ // Distinguishes this output from the one of the previous command.
	number := strconv.Itoa(term.commands)
	term.shell("clear; " + line + `; echo "exit status $? of command ` + number + `."`)
	term.line(`exit status \d+ of command ` + number + `\.`)
	term.see(append(texts, "exit status 0 of command "+number+".")...)
}

// output returns the output of a command without the final newline.
func (term *terminal) output(command string) string {
	term.t.Helper()
	file := filepath.Join(term.home, "output")
	term.run(command + " >'" + file + "'")
	text, err := os.ReadFile(file)
	if err != nil {
		term.t.Fatal(err)
	}
	return strings.TrimSuffix(string(text), "\n")
}

// left waits until the program has ended successfully, and checks that it restored the terminal.
// before is the previous output of stty -g.
func (term *terminal) left(before string) {
	term.t.Helper()
	term.prompt()
	term.shell(`echo "left with $?."`)
	term.see("left with 0.")
	if term.flag("alternate_on") {
		term.t.Error("the terminal is still on the screen of the program")
	}
	term.usable()
	if now := term.output("stty -g"); now != before {
		term.t.Errorf("the terminal has the settings %s; before the program it had %s", now, before)
	}
}

// prompt waits for the prompt of the shell.
func (term *terminal) prompt() {
	term.t.Helper()
	term.line(`shell>\s*\z`)
}

// usable checks that the terminal is usable in a shell.
func (term *terminal) usable() {
	term.t.Helper()
	term.run("echo so; echo it works", "so\nit works\n")
	if !term.flag("cursor_flag") {
		term.t.Error("the cursor is hidden")
	}
	if term.flag("mouse_any_flag") {
		term.t.Error("the mouse is still captured")
	}
	settings := strings.Fields(strings.ReplaceAll(term.output("stty -a"), ";", " "))
	for _, setting := range settings {
		switch setting {
		case "-icanon", "-echo", "-isig", "-icrnl", "-opost":
			term.t.Errorf("the terminal has the setting %s", setting)
		}
	}
}

// directories checks that every run directory is complete, and that evaluated of runs runs were
// evaluated on the test set.
func (term *terminal) directories(evaluated, runs int) {
	term.t.Helper()
	match := func(pattern ...string) []string {
		found, err := filepath.Glob(filepath.Join(append([]string{term.runs()}, pattern...)...))
		if err != nil {
			term.t.Fatal(err)
		}
		return found
	}
	folders := match("[0-9]*")
	for _, name := range []string{"config.json", "metrics.jsonl", "checkpoint", "summary.json"} {
		if n := len(match("[0-9]*", name)); n != len(folders) {
			term.t.Errorf("%d of %d run directories have a %s", n, len(folders), name)
		}
	}
	if left := match("[0-9]*", ".*"); len(left) > 0 {
		term.t.Errorf("files that are half written are left: %v", left)
	}
	if n := len(match("[0-9]*", "test_points.csv")); n != evaluated || len(folders) != runs {
		term.t.Errorf("%d of %d runs were evaluated, want %d of %d", n, len(folders), evaluated, runs)
	}
}
