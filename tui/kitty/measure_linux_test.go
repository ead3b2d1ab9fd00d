package kitty

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// The size of a cell follows from the size of the window if the terminal reports both. Otherwise the last
// size is kept.
func TestMeasure(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals:", err)
	}
	defer tty.Close()
	m := newImages(10, 20)
	m.tty = tty
	for _, c := range []struct {
		size unix.Winsize
		w, h int
	}{
		{unix.Winsize{}, 10, 20},
		{unix.Winsize{Col: 80, Row: 24}, 10, 20},
		{unix.Winsize{Col: 80, Row: 24, Xpixel: 725, Ypixel: 400}, 9, 16},
		{unix.Winsize{Col: 80, Xpixel: 800, Ypixel: 400}, 9, 16},
		{unix.Winsize{Row: 24, Xpixel: 800, Ypixel: 400}, 9, 16},
		{unix.Winsize{Col: 80, Row: 24, Xpixel: 79, Ypixel: 480}, 9, 16},
		{unix.Winsize{Col: 80, Row: 24, Xpixel: 800, Ypixel: 23}, 9, 16},
		{unix.Winsize{Col: 1, Row: 1, Xpixel: 1, Ypixel: 1}, 1, 1},
	} {
		err := unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &c.size)
		if err != nil {
			t.Fatal(err)
		}
		m.Measure()
		w, h := m.CellSize()
		if w != c.w || h != c.h {
			t.Errorf("%+v: cells of %d x %d pixels, want %d x %d", c.size, w, h, c.w, c.h)
		}
	}
	tty.Close()
	if w, h := measure(tty); w != 0 || h != 0 {
		t.Errorf("a closed terminal has cells of %d x %d pixels", w, h)
	}
}
