//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// part moves through the parts of a form until the part with this title has the focus.
func (term *terminal) part(title string) {
	term.t.Helper()
	term.see(title)
	term.pressUntil("Tab", `▸ `+title+`\b`)
}

// down moves down in a list to an item, and up moves up.
func (term *terminal) down(item string) {
	term.t.Helper()
	term.pressUntil("Down", `› `+regexp.QuoteMeta(item)+`\s`)
}

func (term *terminal) up(item string) {
	term.t.Helper()
	term.pressUntil("Up", `› `+regexp.QuoteMeta(item)+`\s`)
}

// field moves down in a form to a field.
func (term *terminal) field(name string) {
	term.t.Helper()
	term.pressUntil("Down", fieldPattern(name))
}

// fill types a value into a field, which must be below the selected one. Typing replaces the old
// value.
func (term *terminal) fill(name, value string) {
	term.t.Helper()
	term.field(name)
	term.write(value)
	term.line(fieldPattern(name) + `\W*` + regexp.QuoteMeta(value) + `\b`)
}

// fieldPattern matches a selected field; • marks changed fields.
func fieldPattern(name string) string { return `› [ •]` + regexp.QuoteMeta(name) + `\s` }

// chosen matches the marks of the selection and the focus and the text next to them, without the numbers of
// entries, which change when files are found.
var chosen = regexp.MustCompile(`[›▸][^│─]*`)

// pressUntil presses a key until a line matches, and waits after each press for the key to take
// effect.
func (term *terminal) pressUntil(key, pattern string) {
	term.t.Helper()
	want := regexp.MustCompile(pattern)
	marks := func(screen string) string { return strings.Join(chosen.FindAllString(screen, -1), "\n") }
	for {
		screen := term.screen()
		if want.MatchString(screen) {
			return
		}
		before := marks(screen)
		term.press(key)
		term.until(pattern+" by pressing "+key, func(screen string) bool { return marks(screen) != before })
	}
}

// page opens a page of the dashboard and waits for strings on it.
func (term *terminal) page(number string, texts ...string) {
	term.t.Helper()
	term.press(number)
	term.see(append(texts, "▸ "+number)...)
}

// filter filters the list of runs by a query and checks the number of matching runs.
func (term *terminal) filter(query string, count int) {
	term.t.Helper()
	term.press("/", "C-u")
	term.write(query)
	term.press("Enter")
	term.line(`filter ` + regexp.QuoteMeta(query) + `\s*$`)
	term.line(fmt.Sprintf(`^ dgplab +%d( of \d+)? runs?\b`, count))
}

// resume resumes the first of the count runs that match a query, in the browser.
func (term *terminal) resume(query string, count int) {
	term.t.Helper()
	term.press("b")
	term.see("Details")
	term.filter(query, count)
	term.press("R")
	term.see("training", "/ 10,000,000")
}

// drawn waits until the program has drawn a frame of w cells, with boxes from the left edge of the terminal
// to the right edge.
func (term *terminal) drawn(w int) {
	term.t.Helper()
	term.until("a frame that fits", func(screen string) bool {
		boxes := 0
		for _, line := range strings.Split(screen, "\n") {
			if !strings.HasPrefix(line, "╭") && !strings.HasPrefix(line, "╰") {
				continue
			}
			if utf8.RuneCountInString(line) != w ||
				!strings.HasSuffix(line, "╮") && !strings.HasSuffix(line, "╯") {
				return false
			}
			boxes++
		}
		return boxes >= 2
	})
}

// run runs a command line on an empty screen, waits until it has succeeded, and checks its output.
func (term *terminal) run(line string, texts ...string) {
	term.t.Helper()
	term.commands++ // This distinguishes the output from that of the previous command.
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

// ended waits until the program has ended with a status, and checks that it restored the terminal.
// before is the previous output of stty -g.
func (term *terminal) ended(status, before string) {
	term.t.Helper()
	term.prompt()
	term.shell(`echo "ended with $?."`)
	term.see("ended with " + status + ".")
	if term.flag("alternate_on") {
		term.t.Error("the terminal still shows the screen of the program")
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

// directories checks the number of runs and of evaluated runs, and that each run directory is complete.
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
		term.t.Errorf("half-written files are left: %v", left)
	}
	if n := len(match("[0-9]*", "test_points.csv")); n != evaluated || len(folders) != runs {
		term.t.Errorf("%d of %d runs were evaluated, want %d of %d", n, len(folders), evaluated, runs)
	}
}
