package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// randomSettings returns the text of a settings file, now and then with wrong entries.
func randomSettings(f *golden.Filler) string {
	var b strings.Builder
	some := func(share int, lines ...string) {
		if f.IntN(share) == 0 {
			b.WriteString(golden.Pick(f, lines...) + "\n")
		}
	}
	some(2, `theme = "dark"`, `theme = "light"`, `theme = "high-contrast"`, `theme = "blue"`, "theme = 3")
	some(3, "ascii = true", "ascii = false", `ascii = "yes"`)
	some(3, "braille = true", "braille = false", "braille = 1")
	some(2, "frame_rate = 1", "frame_rate = 60", "frame_rate = 61", "frame_rate = 0", "frame_rate = 1.5")
	some(3, "mouse = false", "images = false", `images = "no"`)
	some(20, "colour = true", "theme = ", `x = {a = {b = 1}}`, strings.Repeat("a.", 101)+"b = 1")
	if f.IntN(2) == 0 {
		b.WriteString("[keys]\n")
		some(1, `stop = ["S", "ctrl+x"]`, `stop = "S"`, `stop = "j"`, `stop = []`, "stop = [3]", `stop = ""`)
		some(2, `help = "h"`, `quit = ["Q", "S"]`, `"previous metric" = "M"`, `take_away = "Z"`,
			`nothing = "n"`)
		some(2, `palette = "ctrl+c"`, `up = ["k"]`, `pause = ["p", "p"]`, `checkpoint = {a = 1}`)
	}
	if f.IntN(2) == 0 {
		b.WriteString(golden.Pick(f, "[slurm.big]\n", "[slurm]\n"))
		some(1, `partition = "long"`, "time = 90", `time = "1:00"`, "time = [4]", `qos = "a\"b"`)
		some(1, "cpus = 4", "cpus = -1", "cpus = 3000000000", `pack = "2"`, "timeouts = 0", "timeouts = -2")
		some(2, `setup = ["module load go", "a"]`, `sbatch = ["nice=1"]`, `sbatch = ["array=1"]`, "setup = 4",
			"tiem = 3")
	}
	return b.String()
}

// TestRecordedSettings compares the settings and the problems of random files with recorded ones.
func TestRecordedSettings(t *testing.T) {
	f := golden.NewTypicalFiller(51)
	var sums golden.Sums
	for range 600 {
		s, problems := parseSettings("/home/settings.toml", randomSettings(f))
		dots := "unset"
		if s.Braille != nil {
			dots = fmt.Sprint(*s.Braille)
		}
		s.Braille = nil
		for name, o := range s.Slurm {
			if o.Timeouts != nil {
				dots += fmt.Sprint(name, *o.Timeouts)
				o.Timeouts = nil
				s.Slurm[name] = o
			}
		}
		sums.Add("settings", fmt.Sprintf("%+v %s", s, dots))
		for _, p := range problems {
			sums.Add("problems", p.Error(), p.Brief())
		}
	}
	sums.Check(t, "settings")
}

// walkKeys are the keys of random walks. The keys that read folders are missing.
var walkKeys = strings.Fields("tab shift+tab enter esc up down left right pgup pgdown home end space ? f1 " +
	"q y n ctrl+p b m D 1 2 3 4 5 6 j k h l s t a x r R g G d c / p z + - ctrl+u ctrl+c w v e i S")

// TestRecordedWalks compares the frames of random walks of keys, clicks and sizes with recorded ones. The
// walks begin in the states of the program.
func TestRecordedWalks(t *testing.T) {
	var sums golden.Sums
	begins := states()
	begins["two runs"] = func() *app {
		a, _ := dashApp(kittest.Training(someConfig, 700), 100, 30)
		begin(a, rundir.Config{Dataset: "steps", Family: "svgp"})
		press(a, "q")
		return a
	}
	begins["ended runs"] = func() *app {
		a, _ := dashApp(kittest.Ended(someConfig, rundir.StopSteps), 100, 30)
		for range maxEnded + 1 {
			begin(a, rundir.Config{Dataset: "steps", Family: "svgp"})
			r := a.started[len(a.started)-1].Run.(*kittest.Run)
			r.Finish()
			a.Update(runEndedMsg{r})
		}
		return a
	}
	for seed, name := range []string{"dashboard", "set-up", "question", "status", "palette", "help",
		"two runs", "ended runs"} {
		f := golden.NewTypicalFiller(uint64(60 + seed))
		for range 4 {
			a := begins[name]()
			for range 45 {
				var message tea.Msg
				switch f.IntN(16) {
				case 0:
					message = tea.WindowSizeMsg{Width: 20 + f.IntN(140), Height: 4 + f.IntN(50)}
					if f.IntN(8) == 0 {
						message = tea.WindowSizeMsg{Width: f.IntN(30), Height: f.IntN(3)}
					}
				case 1, 2:
					message = tea.MouseMsg{X: f.IntN(100), Y: f.IntN(30), Button: golden.Pick(f,
						tea.MouseButtonLeft,
						tea.MouseButtonWheelDown, tea.MouseButtonWheelUp), Action: tea.MouseActionPress}
				case 3:
					if a.palette == nil {
						a.Go(golden.Pick(f, kit.Setup, kit.Dash, kit.Browse), nil)
					}
				case 4:
					message = golden.Pick[tea.Msg](f, statusExpiredMsg{}, frameDueMsg{}, tea.FocusMsg{},
						tea.BlurMsg{})
				default:
					message = kittest.Press(golden.Pick(f, walkKeys...))
				}
				if message != nil {
					a.Update(message)
				}
				sums.Add(name, a.View())
			}
			a.farewell(sums.Group("farewells"))
			sums.AddRounded(t, "kept states", a.keep())
		}
	}
	sums.Check(t, "walks")
}
