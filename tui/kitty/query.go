package kitty

import (
	"io"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"

	"dgplab/tui/background"
)

// timeout is the time limit for the answer to each of two queries. All terminals answer the second part of a
// query, so the limit matters only for slow connections.
const timeout = 200 * time.Millisecond

// Ask returns an empty set for a terminal that shows bitmaps in placeholders. It returns nil if the terminal
// does not support them or does not answer in time, and inside tmux, which does not pass bitmaps on.
func Ask(tty cancelreader.File) *Images {
	if runtime.GOOS == "windows" || os.Getenv("CI") != "" || !term.IsTerminal(tty.Fd()) {
		return nil
	}
	c, err := background.Talk(tty)
	if err != nil {
		return nil
	}
	defer c.Close()
	width, height, ok := converse(c, c.Cancel)
	if !ok {
		return nil
	}
	m := newImages(width, height)
	m.tty = tty
	m.Measure()
	return m
}

const (
	// askName asks for name and version (XTVERSION). askImages transmits a bitmap of one pixel, which is not
	// stored, and asks for the size of a cell. Both end with a request for the attributes of the terminal
	// (DA1), which all terminals answer.
	askName   = "\x1b[>q\x1b[c"
	askImages = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[16t\x1b[c"
	// usualWidth and usualHeight are the size of a cell in pixels if the terminal does not report it.
	usualWidth, usualHeight = 10, 20
)

var (
	attributes = regexp.MustCompile(`\x1b\[\?[\d;]*c`)
	name       = regexp.MustCompile(`\x1bP>\|(\w+)[ (](\d+)\.(\d+)`)
	accepted   = regexp.MustCompile(`\x1b_Gi=31;OK\x1b\\`)
	cellSize   = regexp.MustCompile(`\x1b\[6;(\d+);(\d+)t`)
)

// converse reports whether a terminal shows bitmaps in placeholders, and returns the size of a cell
// in pixels. It calls giveUp after the timeout to cancel reads. Terminals that are not known to
// support placeholders are not asked about bitmaps.
func converse(tty io.ReadWriter, giveUp func()) (width, height int, ok bool) {
	timer := time.AfterFunc(timeout, giveUp)
	defer timer.Stop()
	answer, ok := ask(tty, askName)
	if !ok || !placeholders(answer) {
		return 0, 0, false
	}
	timer.Reset(timeout)
	answer, ok = ask(tty, askImages)
	if !ok || !accepted.MatchString(answer) {
		return 0, 0, false
	}
	width, height = usualWidth, usualHeight
	if found := cellSize.FindStringSubmatch(answer); found != nil {
		h, _ := strconv.Atoi(found[1]) // Too many digits give the largest number.
		w, _ := strconv.Atoi(found[2])
		if w > 0 && h > 0 && w < 1000 && h < 1000 {
			width, height = w, h
		}
	}
	return width, height, true
}

// ask sends a query and returns the answer up to the attributes of the terminal.
func ask(tty io.ReadWriter, query string) (answer string, ok bool) {
	if _, err := io.WriteString(tty, query); err != nil {
		return "", false
	}
	var read []byte
	buffer := make([]byte, 256)
	for !attributes.Match(read) {
		n, err := tty.Read(buffer)
		if err != nil || len(read) > 1<<16 {
			return "", false
		}
		read = append(read, buffer[:n]...)
	}
	return string(read), true
}

// placeholders reports whether a terminal supports placeholders, judging by its answer to askName. kitty
// supports them since version 0.28, and so does Ghostty. The protocol has no query for them.
func placeholders(answer string) bool {
	found := name.FindStringSubmatch(answer)
	if found == nil {
		return false
	}
	major, _ := strconv.Atoi(found[2])
	minor, _ := strconv.Atoi(found[3])
	return found[1] == "ghostty" || found[1] == "kitty" && (major > 0 || minor >= 28)
}
