package settings

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"dgplab/datasets/files"
	"dgplab/datasets/files/filestest"
)

// someFile is a settings file with comments, tables and a list of several lines.
const someFile = `# my settings
theme = "dark"   # for the evening
"frame_rate"=5
mouse = true

# the keys of my editor
[keys]
stop = [
  "S", # mouse = false
  "ctrl+x",
]
[slurm.big]
setup = """
theme = "light"
[keys]
"""
cpus = 4`

// writes holds two values for each entry.
var writes = map[string][]any{
	"theme": {"light", "high-contrast"}, "ascii": {true, false}, "braille": {false, "auto"},
	"frame_rate": {int64(1), int64(60)}, "mouse": {false, true}, "images": {false, true},
}

// values returns the entries of a text. It fails the test if the text is not valid.
func values(t *testing.T, text string) map[string]any {
	t.Helper()
	found, problem := decode("f", text)
	if problem != nil {
		t.Fatalf("%v in\n%s", problem, text)
	}
	return found
}

// Setting an entry, once or several times, changes only this entry, and keeps all comments and other lines.
func TestSetEntryKeepsTheRest(t *testing.T) {
	for name, text := range map[string]string{
		"empty":            "",
		"comments":         "# nothing\n# yet",
		"no table":         "theme = 'dark' # it's dark\nascii=false",
		"tables":           someFile,
		"only tables":      "[keys]\nstop = \"S\"\n",
		"Windows":          strings.ReplaceAll(someFile, "\n", "\r\n"),
		"byte order mark":  byteOrderMark + someFile,
		"invalid values":   "theme = 3\nbraille = \"dots\" # no\nmouse = 1979-05-27 # ?\n",
		"unknown entries":  "note = \"\"\"\nmouse = true\n[keys]\n\"\"\"\nlist = [\n[1],\n[2]]\n[x]\n",
		"dotted keys":      "keys.stop = \"S\"\nslurm.big.cpus = 4\n",
		"a table of table": "[[more]]\na = 1\n[[more]]\na = 2\n",
	} {
		for _, entry := range slices.Sorted(maps.Keys(writes)) {
			changed := text
			for _, value := range append(writes[entry], writes[entry]...) {
				before := values(t, changed)
				next, err := setEntry(changed, entry, value)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, entry, err)
				}
				after := values(t, next)
				if after[entry] != value {
					t.Errorf("%s: %s is %v, want %v in\n%s", name, entry, after[entry], value, next)
				}
				delete(before, entry)
				delete(after, entry)
				if !reflect.DeepEqual(before, after) {
					t.Errorf("%s: setting %s also changes others: %v, before %v", name, entry, after, before)
				}
				checkLines(t, name+", "+entry, changed, next, entry)
				changed = next
			}
		}
	}
}

// checkLines fails the test unless a change has kept all lines without the entry, in their order and with
// their ends, and the comment of the line with the entry.
func checkLines(t *testing.T, what, before, after, entry string) {
	t.Helper()
	rest := after
	for line := range strings.Lines(before) {
		if strings.HasPrefix(strings.Trim(line, byteOrderMark+"\""), entry) {
			_, line, _ = strings.Cut(line, "#")
		}
		line = strings.TrimRight(line, "\r\n")
		_, found, ok := strings.Cut(rest, line)
		if !ok {
			t.Fatalf("%s: the line %q is lost or moved:\n%s", what, line, after)
		}
		rest = found
	}
	if strings.Count(after, "\r\n") > 0 && strings.Count(after, "\r\n") != strings.Count(after, "\n") {
		t.Errorf("%s: ends of lines are mixed: %q", what, after)
	}
	if n := strings.Count(after, "\n") - strings.Count(before, "\n"); n < 0 || n > 2 {
		t.Errorf("%s: %d lines more", what, n)
	}
}

// New entries follow the other entries, above the comment of the first table.
func TestPlaceOfNewEntries(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "ascii = true\n"},
		{"mouse = true", "mouse = true\nascii = true\n"},
		{"mouse = true\n\n# keys\n[keys]\n", "mouse = true\nascii = true\n\n# keys\n[keys]\n"},
		{"[keys]\n", "ascii = true\n\n[keys]\n"},
		{"# mine\n\n[keys]\n", "# mine\nascii = true\n\n[keys]\n"},
		{"mouse = true # on\r\n[keys]\r\n", "mouse = true # on\r\nascii = true\r\n\r\n[keys]\r\n"},
		{"ascii  =  false  # plain\n", "ascii  =  true  # plain\n"},
		{"ascii = \"no # really\" # plain", "ascii = true # plain"},
	} {
		if got, err := setEntry(c.text, "ascii", true); err != nil || got != c.want {
			t.Errorf("%q becomes %q (%v), want %q", c.text, got, err, c.want)
		}
	}
}

// Write refuses a file that is not TOML, or whose entry spans several lines, and the error says what to do.
func TestSetEntryRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"mouse = \n":                 "settings.toml: line 1: ",
		"theme = \"dark\"\n[keys\n":  "settings.toml: line 3: ",
		"mouse = [\ntrue]\n":         "cannot find the place of mouse; change it in an editor",
		"[mouse]\nleft = true\n":     "cannot find the place of mouse; change it in an editor",
		"\"mou\\u0073e\" = true\n":   "cannot find the place of mouse; change it in an editor",
		"mouse = \"\"\"\ntrue\"\"\"": "cannot find the place of mouse; change it in an editor",
	} {
		got, err := setEntry(text, "mouse", true)
		if err == nil || got != "" || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "in an editor") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q becomes %q with %v, want the error %q", text, got, err, want)
		}
	}
}

// inFolder sets the folders of settings and state for a test, and returns the path of the settings file.
func inFolder(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	path, err := Path()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// put writes the settings file of a test.
func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode),
		os.Chmod(path, mode))
	if err != nil {
		t.Fatal(err)
	}
}

// textOf returns the text of a file.
func textOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Write creates the file and its folder, and what it writes can be loaded.
func TestWriteAndLoad(t *testing.T) {
	path := inFolder(t)
	for name, list := range writes {
		if err := Write(name, list[0]); err != nil {
			t.Fatal(err)
		}
	}
	off := false
	want := Settings{Theme: Light, ASCII: true, Braille: &off, FrameRate: 1, Keys: map[string][]string{}}
	if got, problems := Load(); len(problems) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("loaded %+v with %v, want %+v from\n%s", got, problems, want, textOf(t, path))
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("the folder contains %v, want only the settings", list)
	}
	if err := Write("braille", Auto); err != nil {
		t.Fatal(err)
	}
	if got, problems := Load(); len(problems) > 0 || got.Braille != nil {
		t.Errorf("braille = \"auto\": %+v, %v", got, problems)
	}
}

// Write keeps the mode of the file.
func TestWriteKeepsTheMode(t *testing.T) {
	path := inFolder(t)
	put(t, path, someFile, 0o600)
	if err := Write("mouse", false); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v (%v), want 0600", info.Mode(), err)
	}
}

// A file that cannot be changed stays as it is, and the error is one line.
func TestWriteRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"read-only": {someFile, 0o444, "write settings.toml: the file is read-only"},
		"no TOML":   {"theme = \n", 0o644, "settings.toml: line 1: "},
		"nested":    {"a = " + strings.Repeat("{", 200), 0o644, "nested too deeply"},
		"large":     {"# " + strings.Repeat("x", maxSize-5) + "\n", 0o644, "larger than 64 KB"},
		"too large": {strings.Repeat("#\n", maxSize), 0o644, "larger than 64 KB"},
	} {
		path := inFolder(t)
		put(t, path, c.text, c.mode)
		err := Write("mouse", false)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %v, want %q", name, err, c.want)
		}
		if textOf(t, path) != c.text {
			t.Errorf("%s: the file has changed", name)
		}
	}
	path := inFolder(t)
	put(t, filepath.Dir(path), "a file instead of a folder", 0o644)
	if err := Write("mouse", false); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("without a folder the error is %v", err)
	}
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("HOME", "")
	if err := Write("mouse", false); err == nil || !strings.Contains(err.Error(), "find settings.toml: ") {
		t.Errorf("without a home folder the error is %v", err)
	}
}

// Whenever the disk fails, the error is reported, and the file is the old or the new one.
func TestWriteOnAFailingDisk(t *testing.T) {
	var path string
	changed, err := setEntry(someFile, "mouse", false)
	if err != nil {
		t.Fatal(err)
	}
	filestest.EveryFault(t, func(t *testing.T) {
		path = inFolder(t)
		put(t, path, someFile, 0o644)
	}, func(t *testing.T) error {
		err := Write("mouse", false)
		if text := textOf(t, path); text != someFile && text != changed {
			t.Errorf("the file is %q", text)
		}
		if err != nil && strings.Contains(err.Error(), files.TempPrefix) {
			t.Errorf("the error names a temporary file: %v", err)
		}
		return err
	})
}

// Workbenches that write at the same time lose no entry of each other.
func TestWritesAtTheSameTime(t *testing.T) {
	path := inFolder(t)
	put(t, path, someFile, 0o644)
	var group sync.WaitGroup
	for name, list := range writes {
		group.Go(func() {
			for i := range 11 {
				if err := Write(name, list[i%2]); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	group.Wait()
	got := values(t, textOf(t, path))
	want := values(t, someFile)
	for name, list := range writes {
		want[name] = list[0]
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the file holds %v, want %v", got, want)
	}
}

func FuzzSetEntry(f *testing.F) {
	f.Add(someFile, "mouse")
	f.Add("mouse = \"\"\"\n[keys]\n\"\"\" # x", "ascii")
	f.Fuzz(func(t *testing.T, text, name string) {
		if writes[name] == nil {
			name = "mouse"
		}
		value := writes[name][0]
		got, err := setEntry(text, name, value)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Errorf("%q is not one line", err)
			}
			return
		}
		if found := values(t, got); found[name] != value {
			t.Errorf("%s is %v, want %v", name, found[name], value)
		}
	})
}
