//go:build unix

package journey

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (j *traveller) askForHelp() {
	j.press("C-p")
	j.see("Commands")
	j.write("health")
	j.line(`› page_health`)
	j.press("Enter")
	j.see("▸ 4", "K_MM of layer 1")
	j.press("?")
	j.see("Show this page, and leave it.")
	j.press("?")
	j.gone("Show this page, and leave it.")
}

func (j *traveller) resizeTerminal() {
	j.resize(80, 24)
	j.drawn(80)
	j.line(`▸.*training +[\d,]+`)
	j.resize(40, 10)
	j.drawn(40)
	j.press("1")
	j.see("▸ 1", "ELBO")
	j.press("4")
	j.see("▸ 4", "Health")
	j.resize(120, 40)
	j.drawn(120)
	j.line(`▸.*` + going)
}

// quit leaves while a run is going, which wants to be said twice.
func (j *traveller) quit() {
	j.press("q")
	j.see("quit?")
	j.press("n")
	j.gone("quit?")
	j.line(`▸.*` + going)
	j.press("q")
	j.see("quit?")
	j.press("y")
	j.see("go on with: dgplab train --resume")
	j.left(j.stty)
}

// TestBrokenSettings starts with settings files in which something is wrong: the
// program says so in a line, here and there, and opens.
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
			term.line(`^ settings\.toml: .*\n\z`) // In the last line.
			term.see("Data set", "Family", "Settings")
			term.press("q")
			term.prompt()
			if n := strings.Count(term.screen(), "dgplab: "); n != 1 {
				t.Errorf("%d lines are about the settings, want 1; the screen is\n%s", n, term.screen())
			}
			term.left(stty)
		})
	}
}
