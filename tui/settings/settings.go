package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"

	"dgplab/datasets/files"
	"dgplab/session/slurm"
)

// Themes.
const (
	Auto         = "auto" // light or dark, depending on the terminal, whose background it keeps
	Light        = "light"
	Dark         = "dark"
	HighContrast = "high-contrast"
)

// Themes holds the names of the themes.
var Themes = []string{Auto, Light, Dark, HighContrast}

// The bounds of FrameRate.
const (
	MinFrameRate = 1
	MaxFrameRate = 60
)

// Settings holds the user's preferences. They are read from $XDG_CONFIG_HOME/dgplab/settings.toml or
// ~/.config/dgplab/settings.toml. The settings page of the workbench changes single entries of the file; see
// Write. All entries are optional:
//
//	theme = "auto"        # auto, light, dark or high-contrast
//	ascii = false         # draw with ASCII characters only
//	braille = "auto"      # draw lines with braille dots: true, false, or auto, if the terminal can
//	frame_rate = 10       # frames with new data per second, 1 to 60; less on a slow connection
//	mouse = true          # false leaves the mouse to the terminal
//	images = true         # show maps as bitmaps, if the terminal can
//
//	[keys]                # actions by their names, with _ or, in quotes, with blanks as in the palette
//	stop = ["S", "ctrl+x"]
//	checkpoint = []       # no key
//
//	[slurm.NAME]          # options of "dgplab sweep --on slurm.NAME"
//	partition = "long"    # time, mem, cpus, partition, account, qos, constraint, parallel, pack
//	setup = ["module load go"]
//	sbatch = ["exclude=n7"]
//
// An unknown or invalid entry is reported as a Problem; all other entries apply. The file must be a
// regular file, or a link to one, of at most 64 KB.
//
// The workbench uses, in this order: the last change by the settings page, a key or the palette since its
// start, the flags of the command, the file, the saved choice between dots and strokes, and what the terminal
// can show.
type Settings struct {
	Theme string
	// ASCII restricts drawing to ASCII characters.
	ASCII bool
	// Braille draws lines with braille dots. If it is nil, the saved choice applies, or a default for the
	// terminal.
	Braille *bool
	// FrameRate is the maximum number of frames with new data per second. It does not delay the
	// response to keys.
	FrameRate int
	// Mouse enables the mouse at the start.
	Mouse bool
	// Images shows maps as bitmaps in terminals with the graphics protocol of kitty.
	Images bool
	// Keys maps the names of actions to Bubble Tea's names of keys. An empty list removes all keys.
	// Other actions keep their default keys.
	Keys map[string][]string
	// Slurm holds the options of submissions by the name of their profile. It is nil if there are none.
	Slurm map[string]slurm.Options
}

// Default returns the default settings.
func Default() Settings {
	return Settings{Theme: Auto, FrameRate: 10, Mouse: true, Images: true, Keys: map[string][]string{}}
}

// Problem is an error in the settings file.
type Problem struct {
	// File is the settings file. Where names the entry, or is "" for the whole file.
	File, Where string
	What        string
}

// Error returns the error in one line. The file may contain anything, so characters that are not printable
// are replaced with blanks.
func (p *Problem) Error() string {
	text := p.File + ": " + files.BriefText(p.What)
	if p.Where != "" {
		text = p.File + ": " + files.BriefText(p.Where+": "+p.What)
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

// Brief is like Error but omits the folder of the file.
func (p *Problem) Brief() string {
	short := *p
	short.File = filepath.Base(p.File)
	return short.Error()
}

// maxSize is the maximum size of a settings file. It also bounds the nesting of lists,
// because the TOML parser is recursive.
const maxSize = 64 << 10

// maxDepth is the maximum nesting of tables; see files.NestsDeeply.
const maxDepth = 100

// fileName is the name of the settings file.
const fileName = "settings.toml"

// Path returns the path of the settings file, whether or not it exists.
func Path() (string, error) {
	path, err := files.UserPath("XDG_CONFIG_HOME", ".config", fileName)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", fileName, err)
	}
	return path, nil
}

// Load reads the settings file and returns valid settings and the problems in the file. If
// the file does not exist, it returns the defaults.
func Load() (Settings, []*Problem) {
	path, err := Path()
	if err != nil {
		return Default(), []*Problem{{File: fileName, What: err.Error()}}
	}
	text, err := files.ReadLinked(path, maxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Default(), []*Problem{{File: path, What: files.WithoutPath(err).Error()}}
	}
	return parse(path, string(text))
}

// parse parses the text of a settings file. If the text is not valid TOML, it returns the
// defaults and one problem with the line number.
func parse(file, text string) (Settings, []*Problem) {
	s := Default()
	found, problem := decode(file, text)
	if problem != nil {
		return s, []*Problem{problem}
	}
	var problems []*Problem
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if name == "keys" {
			problems = append(problems, s.readKeys(file, found[name])...)
			continue
		}
		if name == "slurm" {
			problems = append(problems, s.readSlurm(file, found[name])...)
			continue
		}
		if err := s.Set(name, found[name]); err != nil {
			problems = append(problems, &Problem{file, name, err.Error()})
		}
	}
	return s, problems
}

// decode parses the TOML of a settings file.
func decode(file, text string) (map[string]any, *Problem) {
	if files.NestsDeeply(text, maxDepth) {
		return nil, &Problem{File: file, What: "tables are nested too deeply; file ignored"}
	}
	found := map[string]any{}
	_, err := toml.Decode(text, &found)
	if err == nil {
		return found, nil
	}
	var parse toml.ParseError
	if errors.As(err, &parse) {
		where := fmt.Sprintf("line %d", parse.Position.Line)
		return nil, &Problem{file, where, parse.Message + "; file ignored"}
	}
	what, _, _ := strings.Cut(err.Error(), "\n")
	return nil, &Problem{File: file, What: what}
}

// Set sets an entry other than a table to a value as in the file: a string, a bool or an int64. It returns an
// error if there is no such entry, or if the value is not allowed.
func (s *Settings) Set(name string, value any) error {
	set, known := entries[name]
	if !known {
		return errors.New("unknown entry; known entries: " + strings.Join(names(), ", "))
	}
	if want := set(s, value); want != "" {
		return errors.New(fmt.Sprint(value) + " is not " + want)
	}
	return nil
}

// names returns the names of all entries, sorted.
func names() []string {
	return append(slices.Sorted(maps.Keys(entries)), "keys", "slurm")
}

// entries maps the name of an entry to a function that sets it. For an invalid value the function
// returns a description of the allowed values.
var entries = map[string]func(s *Settings, value any) (want string){
	"theme": func(s *Settings, value any) string {
		name, ok := value.(string)
		if !ok || !slices.Contains(Themes, name) {
			return "one of " + strings.Join(Themes, ", ")
		}
		s.Theme = name
		return ""
	},
	"ascii": boolEntry(func(s *Settings) *bool { return &s.ASCII }),
	"braille": func(s *Settings, value any) string {
		yes, ok := value.(bool)
		switch {
		case ok:
			s.Braille = &yes
		case value == Auto:
			s.Braille = nil
		default:
			return `true, false or "auto"`
		}
		return ""
	},
	"mouse":  boolEntry(func(s *Settings) *bool { return &s.Mouse }),
	"images": boolEntry(func(s *Settings) *bool { return &s.Images }),
	"frame_rate": func(s *Settings, value any) string {
		n, ok := value.(int64)
		if !ok || n < MinFrameRate || n > MaxFrameRate {
			return fmt.Sprintf("a whole number from %d to %d", MinFrameRate, MaxFrameRate)
		}
		s.FrameRate = int(n)
		return ""
	},
}

// boolEntry returns the function for a boolean entry.
func boolEntry(field func(*Settings) *bool) func(*Settings, any) string {
	return func(s *Settings, value any) string {
		yes, ok := value.(bool)
		if !ok {
			return "true or false"
		}
		*field(s) = yes
		return ""
	}
}

// readKeys parses the table of keys. A value is a list of strings, or a string for a single key.
func (s *Settings) readKeys(file string, value any) []*Problem {
	table, ok := value.(map[string]any)
	if !ok {
		return []*Problem{{file, "keys",
			"not a table; write [keys] and lines such as stop = [\"S\"] below it"}}
	}
	var problems []*Problem
	for _, action := range slices.Sorted(maps.Keys(table)) {
		keys, ok := keyList(table[action])
		if !ok {
			problems = append(problems,
				&Problem{file, "keys." + action,
					fmt.Sprint(table[action]) + ` is not a list of keys such as ["x", "ctrl+x"]`})
			continue
		}
		name := strings.ReplaceAll(action, " ", "_")
		if now, renamed := renamedActions[name]; renamed {
			name = now
		}
		s.Keys[name] = keys
	}
	return problems
}

// renamedActions maps synonyms of actions to their names.
var renamedActions = map[string]string{
	"take_away":     "remove",
	"new_like":      "duplicate",
	"metric_before": "previous_metric",
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
