package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Printable makes untrusted text from run directories, file names and error messages safe to print. It
// returns one line without characters that control the terminal or reorder the line.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case isControl(r):
			return -1
		}
		return r
	}, text)
}

// isControl reports whether a terminal interprets a character instead of showing it.
func isControl(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// PrintablePicture returns a picture drawn by the program without control characters. If colours is set, it
// keeps escape sequences for colours and weights. It removes other sequences as a whole, because layouts
// count them as having no width.
func PrintablePicture(text string, colours bool) string {
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
			if colours && isStyle(sequence) {
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

// shown returns a character of a picture, or -1 if it must be removed.
func shown(r rune) rune {
	if r != '\t' && isControl(r) {
		return -1
	}
	return r
}

// isStyle reports whether a sequence selects colours or weights (ECMA-48, SGR). Sequences that hide
// text or make it blink are rejected.
func isStyle(sequence string) bool {
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

// PrintableWriter writes each text as a picture without colours.
type PrintableWriter struct{ io.Writer }

func (w PrintableWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, PrintablePicture(string(text), false)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// PrintableJSON escapes the control characters that are valid in JSON strings.
func PrintableJSON(text string) string {
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

func escaped(r rune) bool { return r > ' ' && isControl(r) }
