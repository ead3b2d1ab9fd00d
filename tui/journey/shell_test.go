//go:build unix

package journey

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// run carries a command line out on an empty screen and waits for its end, which
// must be a good one, and for what it should have written.
func (term *terminal) run(line string, texts ...string) {
	term.t.Helper()
	term.commands++ // Tells this end from that of the command before.
	number := strconv.Itoa(term.commands)
	term.shell("clear; " + line + `; echo "exit status $? of command ` + number + `."`)
	term.line(`exit status \d+ of command ` + number + `\.`)
	term.see(append(texts, "exit status 0 of command "+number+".")...)
}

// output returns what a command writes, without the last line's end.
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

// left waits until the program has ended well and left the terminal as it was: its
// settings are those that stty -g said before.
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

// prompt waits until the shell asks for a command.
func (term *terminal) prompt() {
	term.t.Helper()
	term.line(`shell>\s*\z`)
}

// usable checks that the terminal is as a shell wants it.
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

// directories checks that every run directory has what a run leaves that has ended,
// and that so many of so many were evaluated on their test parts.
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
