package kit

import "github.com/charmbracelet/x/ansi"

// Bar is the scroll bar of a list or a text with All rows, of which Shown are visible, from row Top on. Head
// is the number of lines above them in the panel. The zero Bar is invisible.
type Bar struct{ Head, Top, Shown, All int }

// Bar returns the scroll bar of the last drawing. head is the number of lines above the list in its panel.
func (l *List) Bar(head int) Bar { return Bar{head, l.top, l.height, l.rows} }

// on replaces the right border of a frame of w cells beside the visible rows by the bar, unless all rows are
// visible.
func (b Bar) on(th *Theme, frame []string, w int, focused bool) []string {
	if b.Shown < 2 || b.All <= b.Shown || !Framed(w, len(frame)) {
		return frame
	}
	style := th.Border
	if focused {
		style = th.FocusBorder
	}
	size := max(b.Shown*b.Shown/b.All, 1)
	from := 1 + b.Head + (b.Shown-size)*b.Top/(b.All-b.Shown)
	for y := from; y < min(from+size, len(frame)-1); y++ {
		frame[y] = ansi.Truncate(frame[y], w-1, "") + style.Render(th.Glyphs.Thumb)
	}
	return frame
}
