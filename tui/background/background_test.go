package background

import (
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// fakeTerminal sends its answer in pieces, each after a pause.
type fakeTerminal struct {
	*io.PipeReader
	asked strings.Builder
}

func (t *fakeTerminal) Write(p []byte) (int, error) { return t.asked.Write(p) }
func (t *fakeTerminal) Fd() uintptr                 { return 0 }

func TestTimeout(t *testing.T) {
	const white, cursor = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b[1;1R"
	for _, c := range []struct {
		name    string
		answer  []string
		pause   time.Duration
		colours string // COLORFGBG
		dark    bool
		took    time.Duration
	}{
		{name: "nothing", dark: true, took: timeout},
		{name: "no answer, but COLORFGBG is set", colours: "0;15", took: timeout},
		{name: "a white background", answer: []string{white + cursor}},
		{name: "a black background", answer: []string{strings.ReplaceAll(white, "f", "0") + cursor},
			dark: true},
		{name: "the cursor alone", answer: []string{cursor}, dark: true},
		{name: "the colour alone", answer: []string{white}, dark: true, took: timeout},
		{name: "byte by byte", answer: strings.Split(white+cursor, ""), pause: timeout * 3 / 4, dark: true,
			took: timeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TERM", "xterm-256color")
			t.Setenv("COLORFGBG", c.colours)
			synctest.Test(t, func(t *testing.T) {
				r, w := io.Pipe()
				sent := make(chan struct{})
				go func() {
					defer close(sent)
					for _, piece := range c.answer {
						time.Sleep(c.pause)
						io.WriteString(w, piece)
					}
				}()
				tty := &fakeTerminal{PipeReader: r}
				begin := time.Now()
				if dark := ask(tty, func() { r.Close() }); dark != c.dark {
					t.Errorf("dark: %v", dark)
				}
				if took := time.Since(begin); took != c.took { // synctest controls the clock.
					t.Errorf("the query took %v, want %v", took, c.took)
				}
				if asked := tty.asked.String(); !strings.Contains(asked, "\x1b]11;?") {
					t.Errorf("the terminal received %q", asked)
				}
				r.Close()
				<-sent
			})
		})
	}
}

// A conversation needs an open terminal.
func TestNoConversation(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	_, pipe := Talk(r)
	r.Close()
	_, closed := Talk(r)
	if pipe == nil || closed == nil {
		t.Errorf("a conversation with a pipe (%v) or a closed file (%v)", pipe, closed)
	}
}
