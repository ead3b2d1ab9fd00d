package golden

import (
	"strings"
	"testing"
)

const somePage = `# Keys

Some words.

<!-- begin keys of dash -->

| key |  |
|---|---|
| x | the axis |
| y | copy |

<!-- end keys of dash -->

More words.
`

func TestPageProblems(t *testing.T) {
	for _, c := range []struct {
		name     string
		sections map[string]string
		want     []string
	}{
		{"the same",
			map[string]string{"keys of dash": Table([]string{"key", ""},
				[][]string{{"x", "the axis"}, {"y", "copy"}})}, nil},
		{"a new line and an old one",
			map[string]string{"keys of dash": Table([]string{"key", ""},
				[][]string{{"y", "copy"}, {"z", "a|b"}})},
			[]string{"lacks the line\n\t| z | a\\|b |", "outdated line\n\t| x | the axis |", pagesCommand}},
		{"another order",
			map[string]string{"keys of dash": Table([]string{"key", ""},
				[][]string{{"y", "copy"}, {"x", "the axis"}})},
			[]string{"wrong order", pagesCommand}},
		{"another section", map[string]string{"keys of sweep": ""},
			[]string{`section "keys of sweep" is missing: add the lines`,
				`section "keys of dash" is unknown: remove it`}},
	} {
		page, problems := check(somePage, "keys", c.sections, false)
		if page != somePage || len(problems) != len(c.want) {
			t.Errorf("%s: %d problems, want %d: %q", c.name, len(problems), len(c.want), problems)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(problems[i], want) {
				t.Errorf("%s: %q does not contain %q", c.name, problems[i], want)
			}
		}
	}
}

func TestPageUpdate(t *testing.T) {
	sections := map[string]string{"keys of dash": "nothing\n"}
	page, problems := check(somePage, "keys", sections, true)
	want := "# Keys\n\nSome words.\n\n<!-- begin keys of dash -->\n\nnothing\n\n<!-- end keys of dash " +
		"-->\n\nMore words.\n"
	if page != want || problems != nil {
		t.Errorf("%q, problems %q", page, problems)
	}
	if again, problems := check(page, "keys", sections, false); again != page || problems != nil {
		t.Errorf("read again: %q, problems %q", again, problems)
	}
}
