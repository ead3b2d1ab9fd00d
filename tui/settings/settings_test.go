package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"dgplab/session/slurm"
)

func TestAllSettings(t *testing.T) {
	got, problems := parse("f", `
theme = "high-contrast"
ascii = true
braille = true
frame_rate = 4
mouse = false
images = false
[keys]
stop = ["S", "ctrl+x"]
pause = "p"
checkpoint = []
"x axis" = "X"
take_away = "Z"
[slurm.big]
partition = "long"
account = "gp"
qos = "low"
constraint = "avx512"
time = 90
cpus = 4
parallel = 8
pack = 2
sbatch = ["nice=1"]
setup = ["module load go"]
[slurm.default]
mem = "2G"
`)
	dots := true
	want := Settings{Theme: HighContrast, ASCII: true, Braille: &dots, FrameRate: 4, Mouse: false,
		Images: false,
		Keys: map[string][]string{"stop": {"S", "ctrl+x"}, "pause": {"p"}, "checkpoint": nil,
			"x_axis": {"X"}, "remove": {"Z"}},
		Slurm: map[string]slurm.Options{"default": {Mem: "2G"}, "big": {Partition: "long", Time: "90",
			CPUs: 4, Setup: []string{"module load go"}, Account: "gp", QOS: "low",
			Constraint: "avx512", Parallel: 8, Pack: 2, Sbatch: []string{"nice=1"}}}}
	if len(problems) > 0 || !reflect.DeepEqual(got, want) {
		t.Fatalf("read %+v with %v, want %+v", got, problems, want)
	}
}

// Next to an invalid entry, a valid frame rate still applies.
func TestInvalidSettings(t *testing.T) {
	for text, want := range map[string]string{
		`theme = "blue"`: "f: theme: blue is not one of auto, light, dark, high-contrast",
		`theme = 3`:      "f: theme: 3 is not one of auto",
		`ascii = "yes"`:  "f: ascii: yes is not true or false",
		`colour = true`: "f: colour: unknown entry; known entries: ascii, braille, " +
			"frame_rate, images, mouse, theme, keys, slurm",
		`keys = 3`:                "f: keys: not a table",
		"[keys]\nstop = [3]":      "f: keys.stop: [3] is not a list of keys",
		"[keys]\nstop = \"\"":     "f: keys.stop:  is not a list of keys",
		"[keys]\nstop = {a = 1}":  "f: keys.stop: map[a:1] is not a list of keys",
		"[window]\nwidth = 3":     "f: window: unknown entry",
		`slurm = 3`:               "f: slurm: not a table",
		"[slurm]\ntime = 3":       "f: slurm.time: not a table",
		"[slurm.a]\ncpus = \"4\"": "f: slurm.a.cpus: 4 is not a whole number",
		"[slurm.a]\ncpus = -1":    "f: slurm.a: cpus=-1; want a whole number from 1",
		"[slurm.a]\nsetup = 4":    "f: slurm.a.setup: 4 is not a list of texts",
		"[slurm.a]\ntime = [4]":   "f: slurm.a.time: [4] is not text",
		"[slurm.a]\ntiem = 4": "f: slurm.a.tiem: unknown entry; known entries: account, constraint, cpus, " +
			"mem, pack, parallel, partition, qos, sbatch, setup, time",
	} {
		got, problems := parse("f", "frame_rate = 5\n"+text)
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), want) ||
			strings.Contains(problems[0].Error(), "\n") {
			t.Errorf("%s: %v, want %q", text, problems, want)
		}
		if got.FrameRate != 5 || got.Theme != Auto || len(got.Keys) != 0 {
			t.Errorf("%s: the other entries do not apply: %+v", text, got)
		}
	}
	for _, text := range []string{"frame_rate = 0", "frame_rate = 61", "frame_rate = 1.5"} {
		got, problems := parse("f", text)
		if len(problems) != 1 || got.FrameRate != Default().FrameRate {
			t.Errorf("%s: rate %d, %v", text, got.FrameRate, problems)
		}
	}
}

func TestInvalidSettingsFile(t *testing.T) {
	got, problems := parse("f", "mouse = false\ntheme = \n")
	if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), "f: line 2: ") ||
		strings.Contains(problems[0].Error(), "\n") {
		t.Fatalf("problems %v", problems)
	}
	if !reflect.DeepEqual(got, Default()) {
		t.Fatalf("part of it applies: %+v", got)
	}
}

func TestSettingsPath(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("HOME", folder)
	t.Setenv("XDG_CONFIG_HOME", "")
	if path, _ := Path(); path != filepath.Join(folder, ".config", "dgplab", "settings.toml") {
		t.Errorf("without a variable: %s", path)
	}
	t.Setenv("XDG_CONFIG_HOME", "relative")
	if path, _ := Path(); !strings.HasPrefix(path, folder) {
		t.Errorf("a relative path is not ignored: %s", path)
	}
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(folder, "elsewhere"))
	if got, problems := Load(); len(problems) > 0 || !reflect.DeepEqual(got, Default()) {
		t.Errorf("no file: %+v, %v", got, problems)
	}
	path, _ := Path()
	if err := os.MkdirAll(path, 0o755); err != nil { // A folder instead of the file.
		t.Fatal(err)
	}
	if got, problems := Load(); len(problems) != 1 || !reflect.DeepEqual(got, Default()) {
		t.Errorf("a folder: %+v, %v", got, problems)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("theme = \"dark\"\nframe_rate = 5\n[keys]\nstop = [\"S\"]\n")
	f.Add("theme = \"a\\nb\\u001b\"\n\"od\\nd\" = 1")
	f.Add("[[keys]]\nx = 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, problems := parse("f", text)
		for _, p := range problems {
			if strings.ContainsAny(p.Error(), "\n\r\x1b") {
				t.Errorf("%q is not one line", p.Error())
			}
		}
		if s.FrameRate < MinFrameRate || s.FrameRate > MaxFrameRate || s.Keys == nil || s.Theme == "" {
			t.Errorf("the settings are invalid: %+v", s)
		}
	})
}

// Without a home directory there are default settings and a problem.
func TestSettingsWithoutHome(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("HOME", "")
	s, problems := Load()
	if !reflect.DeepEqual(s, Default()) || len(problems) != 1 ||
		!strings.Contains(problems[0].Error(), "find settings.toml: ") {
		t.Errorf("%+v, %v", s, problems)
	}
}
