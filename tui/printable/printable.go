// Package printable makes text that may have come from anywhere (run directories,
// names of files, messages of errors) safe to print: nothing of it commands the
// terminal or reorders a line. All output of the program goes through it.
package printable

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Text returns a text as one line.
func Text(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case commands(r):
			return -1
		}
		return r
	}, text)
}

// commands says whether a terminal obeys a character rather than showing it.
func commands(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// Picture returns what the program drew, line by line. Of the escape sequences only
// colours and weights stay, and those only when colours is set. The others go as a
// whole: a layout took them for nothing wide.
func Picture(text string, colours bool) string {
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		line, ended := strings.CutSuffix(line, "\n")
		for line != "" {
			plain := strings.IndexByte(line, '\x1b')
			if plain < 0 {
				plain = len(line)
			}
			b.WriteString(strings.Map(shown, line[:plain]))
			line = line[plain:]
			sequence, _, n, _ := ansi.DecodeSequence(line, ansi.NormalState, nil)
			if colours && styles(sequence) {
				b.WriteString(sequence)
			}
			line = line[n:]
		}
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// shown keeps a character of a picture, or drops it.
func shown(r rune) rune {
	if r != '\t' && commands(r) {
		return -1
	}
	return r
}

// styles says whether a sequence selects how text looks (ECMA-48, SGR), and does not
// hide it or let it blink.
func styles(sequence string) bool {
	body, isCSI := strings.CutPrefix(sequence, "\x1b[")
	body, isSGR := strings.CutSuffix(body, "m")
	if !isCSI || !isSGR {
		return false
	}
	fields := strings.Split(body, ";")
	for i := 0; i < len(fields); i++ {
		n, err := strconv.Atoi(fields[i])
		switch {
		case fields[i] == "":
		case err != nil || n == 5 || n == 6 || n == 8:
			return false
		case n == 38 || n == 48: // A colour: 2;red;green;blue or 5;index.
			i += 2
			if i-1 < len(fields) && fields[i-1] == "2" {
				i += 2
			}
		}
	}
	return true
}

// Writer writes texts as pictures without colours, each as a whole.
type Writer struct{ io.Writer }

func (w Writer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, Picture(string(text), false)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// JSON returns a JSON text with the characters escaped that JSON would let through.
func JSON(text string) string {
	if strings.IndexFunc(text, escaped) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if escaped(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func escaped(r rune) bool { return r > ' ' && commands(r) }
