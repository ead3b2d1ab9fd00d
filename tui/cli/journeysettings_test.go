//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// With an invalid settings file, the program opens and reports the error in one line in the terminal and on
// the screen.
func TestBrokenSettings(t *testing.T) {
	term := open(t, 120, 40)
	file := filepath.Join(term.home, "config", "dgplab", "settings.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"no TOML":        "theme = \"dark\"\n[keys\n",
		"a wrong entry":  "theme = \"purple\"\nframe_rate = 30\n",
		"no text at all": "\x00\xff\xfe",
	} {
		t.Run(name, func(t *testing.T) {
			term.t = t
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			stty := term.output("stty -g")
			term.shell("clear; dgplab")
			term.line(`╰─ settings\.toml: .* ─+╯\n.*\n\z`) // Above the keys, which stay visible.
			term.see("Data set", "Family", "Settings")
			term.press("q")
			term.prompt()
			if n := strings.Count(term.screen(), "dgplab: "); n != 1 {
				t.Errorf("%d lines are about the settings, want 1; the screen is\n%s", n, term.screen())
			}
			term.ended("0", stty)
		})
	}
}

// The settings page of the program in a terminal changes the file, which the next start uses.
func TestSettingsPage(t *testing.T) {
	term := open(t, 120, 40)
	file := filepath.Join(term.home, "config", "dgplab", "settings.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("# mine\nascii = false # for now\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stty := term.output("stty -g")
	term.shell("clear; dgplab")
	term.see("Data set", "Family")
	term.press("F2")
	term.see("changes are saved at once", "╭")
	term.press("Down", "Down", "Down", "Left")
	term.see("+->", "v saved")
	term.gone("╭")
	term.press("q")
	term.prompt()
	term.ended("0", stty)
	text, err := os.ReadFile(file)
	if want := "# mine\nascii = true # for now\n"; err != nil || string(text) != want {
		t.Errorf("the file is %q (%v), want %q", text, err, want)
	}
	term.shell("clear; dgplab")
	term.see("Data set", "+->")
	term.press("q")
	term.prompt()
}
