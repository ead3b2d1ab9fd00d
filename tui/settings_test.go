package tui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"dgplab/session/rundir"
	"dgplab/session/slurm"
	"dgplab/tui/kit"
)

func TestAllSettings(t *testing.T) {
	got, problems := parseSettings("f", `
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
	want := Settings{Theme: themeHighContrast, ASCII: true, Braille: &dots, FrameRate: 4, Mouse: false,
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
		got, problems := parseSettings("f", "frame_rate = 5\n"+text)
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), want) ||
			strings.Contains(problems[0].Error(), "\n") {
			t.Errorf("%s: %v, want %q", text, problems, want)
		}
		if got.FrameRate != 5 || got.Theme != themeAuto || len(got.Keys) != 0 {
			t.Errorf("%s: the other entries do not apply: %+v", text, got)
		}
	}
	for _, text := range []string{"frame_rate = 0", "frame_rate = 61", "frame_rate = 1.5"} {
		got, problems := parseSettings("f", text)
		if len(problems) != 1 || got.FrameRate != DefaultSettings().FrameRate {
			t.Errorf("%s: rate %d, %v", text, got.FrameRate, problems)
		}
	}
}

func TestInvalidSettingsFile(t *testing.T) {
	got, problems := parseSettings("f", "mouse = false\ntheme = \n")
	if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), "f: line 2: ") ||
		strings.Contains(problems[0].Error(), "\n") {
		t.Fatalf("problems %v", problems)
	}
	if !reflect.DeepEqual(got, DefaultSettings()) {
		t.Fatalf("part of it applies: %+v", got)
	}
}

func TestSettingsPath(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("HOME", folder)
	t.Setenv("XDG_CONFIG_HOME", "")
	if path, _ := settingsPath(); path != filepath.Join(folder, ".config", "dgplab", "settings.toml") {
		t.Errorf("without a variable: %s", path)
	}
	t.Setenv("XDG_CONFIG_HOME", "relative")
	if path, _ := settingsPath(); !strings.HasPrefix(path, folder) {
		t.Errorf("a relative path is not ignored: %s", path)
	}
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(folder, "elsewhere"))
	if got, problems := LoadSettings(); len(problems) > 0 || !reflect.DeepEqual(got, DefaultSettings()) {
		t.Errorf("no file: %+v, %v", got, problems)
	}
	path, _ := settingsPath()
	if err := os.MkdirAll(path, 0o755); err != nil { // A folder instead of the file.
		t.Fatal(err)
	}
	if got, problems := LoadSettings(); len(problems) != 1 || !reflect.DeepEqual(got, DefaultSettings()) {
		t.Errorf("a folder: %+v, %v", got, problems)
	}
}

// Workbenches that end at the same time save a whole state, and none loses the recent files of another.
func TestWorkbenchesSaveAtTheSameTime(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	var paths []string
	var group sync.WaitGroup
	for i := range kit.MaxRecentFiles {
		path := filepath.Join(dir, fmt.Sprintf("%d.csv", i))
		if err := os.WriteFile(path, []byte("a,b\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
		a := withOptions(Options{Config: rundir.Config{Dataset: path}, Given: true})
		group.Go(func() {
			for range 10 {
				if err := a.save(); err != nil {
					t.Errorf("save: %v", err)
				}
			}
		})
	}
	group.Wait()
	var state struct{ Files []string }
	if err := json.Unmarshal(loadState()["setup"], &state); err != nil {
		t.Fatalf("the state is not whole: %v", err)
	}
	slices.Sort(state.Files)
	if !slices.Equal(state.Files, paths) {
		t.Errorf("saved the recent files %q, want those of all workbenches: %q", state.Files, paths)
	}
}

func TestSavedState(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_STATE_HOME", folder)
	if got := loadState(); got == nil || len(got) != 0 {
		t.Fatalf("state %v without a file", got)
	}
	want := SavedState{"dash": json.RawMessage(`{"zoomed":true}`)}
	if err := want.Save(); err != nil {
		t.Fatal(err)
	}
	var look struct{ Zoomed bool }
	if got := loadState(); json.Unmarshal(got["dash"], &look) != nil || !look.Zoomed {
		t.Fatalf("remembered %s", got["dash"])
	}
	files, _ := os.ReadDir(filepath.Join(folder, "dgplab"))
	if len(files) != 1 {
		t.Fatalf("files left: %v", files)
	}
	for _, damaged := range []string{"{", "null", "[1]"} {
		if err := os.WriteFile(filepath.Join(folder, "dgplab", "workbench.json"),
			[]byte(damaged), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := loadState(); got == nil || len(got) != 0 {
			t.Errorf("from %q the state is %v", damaged, got)
		}
	}
}

// Every failure to save the state is reported, and the old state is kept.
func TestStateNotSaved(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_STATE_HOME", folder)
	old := SavedState{"dash": json.RawMessage(`1`)}
	if err := old.Save(); err != nil {
		t.Fatal(err)
	}
	damaged := SavedState{"dash": json.RawMessage(`{`)}
	if err := damaged.Save(); err == nil || !strings.HasPrefix(err.Error(), "save the workbench state: ") {
		t.Errorf("a screen with invalid JSON: %v", err)
	}
	if got := loadState(); !reflect.DeepEqual(got, old) {
		t.Errorf("after the error: %v", got)
	}
	t.Setenv("XDG_STATE_HOME", filepath.Join(folder, "dgplab", "workbench.json")) // a file
	if err := old.Save(); err == nil || !strings.HasPrefix(err.Error(), "save the workbench state: ") {
		t.Errorf("no folder: %v", err)
	}
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "")
	if err := old.Save(); err == nil {
		t.Error("no error without a home folder")
	}
	if got := loadState(); got == nil || len(got) > 0 {
		t.Errorf("state %v without a home folder", got)
	}
}

func FuzzParseSettings(f *testing.F) {
	f.Add("theme = \"dark\"\nframe_rate = 5\n[keys]\nstop = [\"S\"]\n")
	f.Add("theme = \"a\\nb\\u001b\"\n\"od\\nd\" = 1")
	f.Add("[[keys]]\nx = 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, problems := parseSettings("f", text)
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
	s, problems := LoadSettings()
	if !reflect.DeepEqual(s, DefaultSettings()) || len(problems) != 1 ||
		!strings.Contains(problems[0].Error(), "find settings.toml: ") {
		t.Errorf("%+v, %v", s, problems)
	}
}
