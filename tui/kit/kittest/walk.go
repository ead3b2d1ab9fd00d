package kittest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"dgplab/tui/kit"
)

// Walk is a seeded random walk over a screen. It presses keys, types, clicks, turns the wheel, changes the
// size and lets events happen.
type Walk struct {
	*Host
	*rand.Rand
	// Events are changes of the data, and messages that otherwise only a clock sends.
	Events []func()
	// Scripts are sequences of words: names of keys and texts to type.
	Scripts []string
	// Omits holds parts of the names of functions whose commands are not run, because they wait or write
	// files. The ticks of a clock are omitted, too.
	Omits []string
}

// NewWalk returns a walk with a seed.
func NewWalk(h *Host, seed uint64) *Walk {
	return &Walk{Host: h, Rand: rand.New(rand.NewPCG(seed, 1))}
}

// Home creates a home folder with files for a walk, and makes the folder with the files the current one.
func Home(t *testing.T, files map[string]string) string {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		path := filepath.Join(home, "work", "data", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", home)
	t.Chdir(filepath.Join(home, "work", "data"))
	return home
}

// walkSizes holds the usual sizes of screens. Walks also use others.
var walkSizes = [][2]int{{80, 24}, {120, 40}, {100, 30}, {160, 48}, {60, 20}, {40, 10}}

// walkMoves holds the keys that change the selection or the focus on most screens.
var walkMoves = []string{"up", "down", "left", "right", "tab", "shift+tab", "pgup", "pgdown", "home", "end",
	"enter", "esc", " "}

// Take performs steps of the walk and draws the last state at other sizes. It fails the test if a frame does
// not fill the screen exactly.
func (w *Walk) Take(t testing.TB, what string, steps int) {
	t.Helper()
	*w.Theme() = *[]*kit.Theme{PlainTheme(), ASCIITheme(), kit.NewTheme(termenv.TrueColor, true, kit.Unicode),
		kit.NewTheme(termenv.TrueColor, false, kit.Unicode)}[w.IntN(4)]
	size := walkSizes[w.IntN(3)]
	w.Size(size[0], size[1])
	for i := range steps {
		did := w.step()
		frame := w.View()
		CheckFrame(t, fmt.Sprintf("%s, step %d, %s", what, i, did), frame, w.w, w.h)
		if w.IntN(8) == 0 {
			w.Screen.PlainText()
		}
		w.answer()
	}
	for range 12 {
		w.Size(1+w.IntN(150), 1+w.IntN(50))
		CheckFrame(t, what+" at the end", w.View(), w.w, w.h)
	}
}

// kept returns the saved state of the screen.
func (w *Walk) kept() string {
	k, ok := w.Screen.(kit.Keeper)
	if !ok {
		return ""
	}
	text, err := json.Marshal(k.Keep())
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// step performs one input and returns its description.
func (w *Walk) step() string {
	x := w.IntN(w.w)
	y := w.IntN(w.h)
	switch n := w.IntN(100); {
	case n < 35:
		return w.anyKey()
	case n < 52:
		key := walkMoves[w.IntN(len(walkMoves))]
		for range w.IntN(4) {
			w.Press(key)
		}
		return w.Press(key)
	case n < 62 && len(w.Scripts) > 0:
		script := w.Scripts[w.IntN(len(w.Scripts))]
		for word := range strings.SplitSeq(script, " ") {
			w.word(word)
		}
		return script
	case n < 70:
		w.Run(w.Click(x, y))
		return fmt.Sprintf("click at %d, %d", x, y)
	case n < 75:
		w.Run(w.Wheel(x, y, 2*w.IntN(2)-1))
		return fmt.Sprintf("wheel at %d, %d", x, y)
	case n < 78:
		size := walkSizes[w.IntN(len(walkSizes))]
		if w.IntN(4) == 0 {
			size = [2]int{1 + w.IntN(150), 1 + w.IntN(50)}
		}
		w.Size(size[0], size[1])
		return "another size"
	case n < 80:
		if s, ok := w.Screen.(kit.Leaver); ok {
			s.Leave()
		}
		w.Run(w.Screen.Open(nil))
		return "return to the screen"
	case n < 81:
		if s, ok := w.Screen.(kit.Keeper); ok {
			s.Restore([]byte(w.kept()))
		}
		return "restart"
	}
	if len(w.Events) == 0 {
		return "nothing"
	}
	n := w.IntN(len(w.Events))
	w.Events[n]()
	return fmt.Sprintf("event %d", n)
}

// anyKey presses a random key of the screen.
func (w *Walk) anyKey() string {
	table := w.Screen.Bindings()
	if l, ok := w.Screen.(kit.Layered); ok && l.Layer() != nil {
		table = l.Layer()
	}
	b := table[w.IntN(len(table))]
	keys := b.Keys()
	if len(keys) == 0 || b.Action.IsGlobal() {
		return "nothing"
	}
	return w.Press(keys[w.IntN(len(keys))])
}

// word presses a key if the word is its name, and otherwise types or pastes the word.
func (w *Walk) word(word string) {
	if _, ok := named[word]; ok {
		w.Press(word)
	} else if word == "space" {
		w.Press(" ")
	} else if w.IntN(3) == 0 {
		w.Run(w.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(word), Paste: len(word) > 1}))
	} else {
		for _, r := range word {
			w.Press(string(r))
		}
	}
}

// Press presses a key and runs its command.
func (w *Walk) Press(key string) string {
	w.Run(w.Keys(key))
	return key
}

// answer answers a question with yes or no.
func (w *Walk) answer() {
	q := w.Asked
	if q == nil {
		return
	}
	w.Asked = nil
	if w.IntN(3) > 0 {
		w.Run(q.Yes())
	}
}

// Deliver sends a message and runs the resulting command.
func (w *Walk) Deliver(msg tea.Msg) { w.Run(w.Send(msg)) }

// Run runs a command, sends its message to the screen, and does the same with the command that the screen
// returns. Omitted commands do not run.
func (w *Walk) Run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if w.omits(cmd) {
		return
	}
	msg := cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, c := range batch {
			w.Run(c)
		}
	} else if msg != nil {
		w.Run(w.Send(msg))
	}
}

// omits reports whether a command is not run.
func (w *Walk) omits(cmd tea.Cmd) bool {
	name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	for _, part := range append(w.Omits, "Tick.func") {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
