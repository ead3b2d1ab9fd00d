// Package settings reads what a person prefers from their settings file, and keeps
// what the workbench remembers from one start to the next.
//
// The settings file is $XDG_CONFIG_HOME/dgplab/settings.toml, or
// ~/.config/dgplab/settings.toml; the program never writes it. Every entry may be
// left out:
//
//	theme = "auto"        # auto, light, dark or high-contrast
//	ascii = false         # draw with ASCII characters only
//	braille = true        # draw lines with braille dots; left out: where the terminal can
//	frame_rate = 10       # frames of new data a second, 1 to 60; less for a slow link
//	mouse = true          # false leaves the mouse to the terminal; m changes it
//
//	[keys]                # actions by the names that the palette (ctrl+p) shows
//	stop = ["S", "ctrl+x"]
//	checkpoint = []       # no key
//
// An entry that is unknown or wrong is a Problem of one line, and the rest holds. The file is a
// regular one, or a link to one, of at most 64 KB.
//
// What is remembered is in $XDG_STATE_HOME/dgplab/workbench.json, or
// ~/.local/state/dgplab/workbench.json: one JSON object with an entry for each
// screen. It may be deleted at any time.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"

	"dgplab/datasets/files"
)

// Themes.
const (
	Auto         = "auto" // light or dark, as the terminal says
	Light        = "light"
	Dark         = "dark"
	HighContrast = "high-contrast"
)

// The bounds of FrameRate.
const (
	LeastFrameRate = 1
	MostFrameRate  = 60
)

// Settings are what a person prefers.
type Settings struct {
	Theme string
	// ASCII keeps to characters that every terminal shows.
	ASCII bool
	// Braille draws lines with braille dots; nil leaves it to the terminal, and to what
	// was chosen the last time.
	Braille *bool
	// FrameRate is the most frames a second that show new data. Keys are answered at
	// once whatever it is.
	FrameRate int
	// Mouse says whether the workbench starts with the mouse.
	Mouse bool
	// Keys are the keys of actions by name, in Bubble Tea's names; an empty list
	// means none. Actions that are not here have their usual keys.
	Keys map[string][]string
}

// Default returns the settings of somebody without a settings file.
func Default() Settings {
	return Settings{Theme: Auto, FrameRate: 10, Mouse: true, Keys: map[string][]string{}}
}

// Problem is something wrong in the settings file.
type Problem struct {
	// File is the settings file, Where the entry in it, "" for the whole file.
	File, Where string
	What        string
}

// Error says in one line what is wrong and where. What cannot be printed is blank:
// the file may have anything in it.
func (p *Problem) Error() string {
	text := p.File + ": " + p.What
	if p.Where != "" {
		text = p.File + ": " + p.Where + ": " + p.What
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

// Brief is Error without the folder of the file.
func (p *Problem) Brief() string {
	short := *p
	short.File = filepath.Base(p.File)
	return short.Error()
}

// largest bounds the bytes of a settings file, and so how deep lists lie in lists, for each of
// which the reader of TOML calls itself.
const largest = 64 << 10

// deepest bounds the tables within tables, which that reader takes minutes for where they are
// thousands.
const deepest = 100

// deep reports whether tables may lie in tables beyond that: by inline ones, or by a key with
// dots. It is meant to have no false negatives.
func deep(text string) bool {
	if strings.Count(text, "{") > deepest {
		return true
	}
	for line := range strings.Lines(text) {
		if strings.Count(line, ".") > deepest && !strings.HasPrefix(line, "#") {
			return true
		}
	}
	return false
}

// Path returns where the settings file is, whether it exists or not.
func Path() (string, error) { return inHome("XDG_CONFIG_HOME", ".config", "settings.toml") }

// inHome returns the path of one of our files below the folder that an environment
// variable names, or else below a folder of the home directory.
func inHome(variable, folder, name string) (string, error) {
	base := os.Getenv(variable)
	if !filepath.IsAbs(base) { // As the XDG base directory specification says.
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find %s: %w", name, err)
		}
		base = filepath.Join(home, folder)
	}
	return filepath.Join(base, "dgplab", name), nil
}

// Load reads the settings file. It always returns settings that can be used, with
// what is wrong in the file; a file that does not exist is the defaults.
func Load() (Settings, []*Problem) {
	path, err := Path()
	if err != nil {
		return Default(), []*Problem{{File: "settings.toml", What: err.Error()}}
	}
	text, err := files.ReadLinked(path, largest)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Default(), []*Problem{{File: path, What: files.WithoutPath(err).Error()}}
	}
	return Parse(path, string(text))
}

// Parse reads the text of a settings file. A text that is no TOML has one problem,
// with its line, and counts as empty.
func Parse(file, text string) (Settings, []*Problem) {
	s := Default()
	if deep(text) {
		return s, []*Problem{{File: file, What: "tables lie too deep in tables; nothing of the file holds"}}
	}
	var found map[string]any
	if _, err := toml.Decode(text, &found); err != nil {
		what, _, _ := strings.Cut(err.Error(), "\n")
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return s,
				[]*Problem{{file, fmt.Sprintf("line %d", parse.Position.Line),
					parse.Message + "; nothing of the file holds"}}
		}
		return s, []*Problem{{File: file, What: what}}
	}
	var problems []*Problem
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if name == "keys" {
			problems = append(problems, s.readKeys(file, found[name])...)
			continue
		}
		set, known := entries[name]
		switch {
		case !known:
			problems = append(problems,
				&Problem{file, name, "there is no such entry; there are " + strings.Join(Names(), ", ")})
		default:
			if want := set(&s, found[name]); want != "" {
				problems = append(problems, &Problem{file, name, excerpt(found[name]) + " is not " + want})
			}
		}
	}
	return s, problems
}

// excerpt returns the beginning of the text of a value.
func excerpt(value any) string {
	const most = 60
	text := []rune(fmt.Sprint(value))
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}

// Names returns the entries that there are, in order.
func Names() []string { return append(slices.Sorted(maps.Keys(entries)), "keys") }

// entries set one entry each, or return what it should be.
var entries = map[string]func(s *Settings, value any) (want string){
	"theme": func(s *Settings, value any) string {
		names := []string{Auto, Light, Dark, HighContrast}
		name, ok := value.(string)
		if !ok || !slices.Contains(names, name) {
			return "one of " + strings.Join(names, ", ")
		}
		s.Theme = name
		return ""
	},
	"ascii": truth(func(s *Settings) *bool { return &s.ASCII }),
	"braille": truth(func(s *Settings) *bool {
		s.Braille = new(bool)
		return s.Braille
	}),
	"mouse": truth(func(s *Settings) *bool { return &s.Mouse }),
	"frame_rate": func(s *Settings, value any) string {
		n, ok := value.(int64)
		if !ok || n < LeastFrameRate || n > MostFrameRate {
			return fmt.Sprintf("a whole number from %d to %d", LeastFrameRate, MostFrameRate)
		}
		s.FrameRate = int(n)
		return ""
	},
}

// truth sets an entry that is true or false.
func truth(field func(*Settings) *bool) func(*Settings, any) string {
	return func(s *Settings, value any) string {
		yes, ok := value.(bool)
		if !ok {
			return "true or false"
		}
		*field(s) = yes
		return ""
	}
}

// readKeys reads the table of keys: lists of strings, or a string for one key.
func (s *Settings) readKeys(file string, value any) []*Problem {
	table, ok := value.(map[string]any)
	if !ok {
		return []*Problem{{file, "keys",
			"it is not a table; write [keys], and below it lines such as stop = [\"S\"]"}}
	}
	var problems []*Problem
	for _, action := range slices.Sorted(maps.Keys(table)) {
		keys, ok := keyList(table[action])
		if !ok {
			problems = append(problems,
				&Problem{file, "keys." + action,
					excerpt(table[action]) + ` is not a list of keys such as ["x", "ctrl+x"]`})
			continue
		}
		s.Keys[action] = keys
	}
	return problems
}

func keyList(value any) (keys []string, ok bool) {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for _, item := range list {
		key, isText := item.(string)
		if !isText || key == "" {
			return nil, false
		}
		keys = append(keys, key)
	}
	return keys, true
}
