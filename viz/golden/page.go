package golden

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pagesCommand updates the sections of all pages.
const pagesCommand = "go test ./datasets ./models ./tui ./tui/cli -run Pages -update"

// Page compares sections of a Markdown page with generated text. With -update it writes them into the page. A
// section is between the lines "<!-- begin NAME -->" and "<!-- end NAME -->". The page must have the given
// sections and no other section whose name begins with prefix.
func Page(t *testing.T, path, prefix string, sections map[string]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page, problems := check(string(text), prefix, sections, updating())
	for _, problem := range problems {
		t.Errorf("%s: %s", filepath.Clean(path), problem)
	}
	if page == string(text) {
		return
	}
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// check returns the page, with updated sections if update is true, and its problems.
func check(page, prefix string, sections map[string]string, update bool) (string, []string) {
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		begin, end := marks(name)
		before, rest, opened := strings.Cut(page, begin)
		section, after, closed := strings.Cut(rest, end)
		want := strings.TrimSpace(sections[name])
		was := strings.TrimSpace(section)
		switch {
		case !opened || !closed:
			problems = append(problems,
				fmt.Sprintf("section %q is missing: add the lines %q and %q, then run %s",
					name, begin, end, pagesCommand))
		case update:
			page = before + begin + "\n\n" + want + "\n\n" + end + after
		case was != want:
			problems = append(problems, differences(name, was, want)...)
		}
	}
	for _, line := range strings.Split(page, "\n") {
		name, ok := strings.CutPrefix(line, "<!-- begin "+prefix)
		name = prefix + strings.TrimSuffix(name, " -->")
		if _, known := sections[name]; ok && !known {
			problems = append(problems,
				fmt.Sprintf("section %q is unknown: remove it", name))
		}
	}
	return page, problems
}

// marks returns the first and the last line of a section.
func marks(name string) (begin, end string) {
	return "<!-- begin " + name + " -->", "<!-- end " + name + " -->"
}

// differences lists the lines in which a section differs from the wanted text.
func differences(name, was, want string) []string {
	var problems []string
	has := strings.Split(was, "\n")
	wants := strings.Split(want, "\n")
	for _, line := range wants {
		if !slices.Contains(has, line) {
			problems = append(problems, fmt.Sprintf("section %q lacks the line\n\t%s", name, line))
		}
	}
	for _, line := range has {
		if !slices.Contains(wants, line) {
			problems = append(problems,
				fmt.Sprintf("section %q has an outdated line\n\t%s", name, line))
		}
	}
	if len(problems) == 0 {
		problems = append(problems, fmt.Sprintf("section %q has its lines in the wrong order", name))
	}
	return append(problems, "to update run "+pagesCommand)
}

// Table returns a Markdown table.
func Table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("|")
		for _, cell := range cells {
			b.WriteString(" " + strings.ReplaceAll(cell, "|", `\|`) + " |")
		}
		b.WriteString("\n")
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}
