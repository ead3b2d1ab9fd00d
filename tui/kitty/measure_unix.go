//go:build unix

package kitty

import (
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// measure returns the size of a cell in pixels, or zeros if the terminal does not report it.
func measure(tty term.File) (width, height int) {
	size, err := unix.IoctlGetWinsize(int(tty.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 || size.Row == 0 {
		return 0, 0
	}
	return int(size.Xpixel / size.Col), int(size.Ypixel / size.Row)
}
