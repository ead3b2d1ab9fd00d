//go:build unix

package journey

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// part moves through the parts of a form until the one with this title has the focus.
func (term *terminal) part(title string) {
	term.t.Helper()
	term.see(title)
	term.pressUntil("Tab", `▸ `+title+`\b`)
}

// down moves down a list to an item, up moves up.
func (term *terminal) down(item string) {
	term.t.Helper()
	term.pressUntil("Down", `› `+regexp.QuoteMeta(item)+`\s`)
}

func (term *terminal) up(item string) {
	term.t.Helper()
	term.pressUntil("Up", `› `+regexp.QuoteMeta(item)+`\s`)
}

// field moves down a form to a field.
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

// chosen matches the marks of the selection and the focus, with the text beside them.
var chosen = regexp.MustCompile(`[›▸][^│]*`)

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

// page opens a page of the dashboard and waits for texts on it.
func (term *terminal) page(number string, texts ...string) {
	term.t.Helper()
	term.press(number)
	term.see(append(texts, "▸ "+number)...)
}

// filter filters the browser by a query and checks the number of matching runs.
func (term *terminal) filter(query string, count int) {
	term.t.Helper()
	term.press("/", "C-u")
	term.write(query)
	term.press("Enter")
	term.line(`filter ` + regexp.QuoteMeta(query) + `\s*$`)
	term.line(fmt.Sprintf(`^ dgplab +%d( of \d+)? runs?\b`, count))
}

// drawn waits until the program has drawn a frame of w cells, with boxes from the left edge of the
// terminal to the right one.
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
