//go:build unix

package journey

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// part goes from part to part of a form until the one with this title is in focus.
func (term *terminal) part(title string) {
	term.t.Helper()
	term.see(title)
	term.pressUntil("Tab", `▸ `+title+`\b`)
}

// down goes down a list to an item, up goes up.
func (term *terminal) down(item string) {
	term.t.Helper()
	term.pressUntil("Down", `› `+regexp.QuoteMeta(item)+`\s`)
}

func (term *terminal) up(item string) {
	term.t.Helper()
	term.pressUntil("Up", `› `+regexp.QuoteMeta(item)+`\s`)
}

// field goes down a form to the field of a name.
func (term *terminal) field(name string) {
	term.t.Helper()
	term.pressUntil("Down", fieldPattern(name))
}

// fill writes a value into the field of a name, which is below where the form is. What
// is typed takes the place of what was there.
func (term *terminal) fill(name, value string) {
	term.t.Helper()
	term.field(name)
	term.write(value)
	term.line(fieldPattern(name) + `\W*` + regexp.QuoteMeta(value) + `\b`)
}

// fieldPattern is how a chosen field looks; • marks those that were changed.
func fieldPattern(name string) string { return `› [ •]` + regexp.QuoteMeta(name) + `\s` }

// chosen are the signs of what is chosen, with what is beside them.
var chosen = regexp.MustCompile(`[›▸][^│]*`)

// pressUntil presses a key until a line is as it should be, and each time waits
// until the key did something.
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

// page turns to a page of the dashboard and waits for what is there.
func (term *terminal) page(number string, texts ...string) {
	term.t.Helper()
	term.press(number)
	term.see(append(texts, "▸ "+number)...)
}

// filter has the browser show only the runs that a query matches, which are so many.
func (term *terminal) filter(query string, count int) {
	term.t.Helper()
	term.press("/", "C-u")
	term.write(query)
	term.press("Enter")
	term.line(`filter ` + regexp.QuoteMeta(query) + `\s*$`)
	term.line(fmt.Sprintf(`^ dgplab +%d( of \d+)? runs?\b`, count))
}

// drawn waits until the program has drawn a frame for w cells: boxes begin at the
// left edge of the terminal and end at the right one.
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
