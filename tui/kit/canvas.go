package kit

import "strings"

// Canvas is a screen of w x h cells under construction. It joins styled lines and has no cells of its own;
// pictures are drawn in the cells of a canvas.Canvas. Regions must be put from top to bottom and from left to
// right, and must not overlap.
type Canvas struct {
	w    int
	rows []string
	ends []int // columns after the rows
}

// NewCanvas returns an empty screen of w x h cells.
func NewCanvas(w, h int) *Canvas {
	return &Canvas{w: w, rows: make([]string, max(h, 0)), ends: make([]int, max(h, 0))}
}

// Put places lines in r; each must be exactly r.W cells wide.
func (c *Canvas) Put(r Rect, lines []string) {
	for i, line := range lines {
		if y := r.Y + i; i < r.H && y >= 0 && y < len(c.rows) {
			c.rows[y] += strings.Repeat(" ", r.X-c.ends[y]) + line
			c.ends[y] = r.X + r.W
		}
	}
}

// PutHead draws the header of a screen. If the screen has no footer, a note replaces the first line
// of the header.
func (c *Canvas) PutHead(th *Theme, header, footer Rect, lines []string, note string) {
	if note != "" && footer.Empty() {
		lines[0] = note
	}
	c.Put(header, th.Box(lines, header.W, header.H))
}

// PutFoot draws the footer of a screen: the note if there is one, otherwise the keys.
func (c *Canvas) PutFoot(th *Theme, footer Rect, keys, note string) {
	if note != "" {
		keys = note
	}
	c.Put(footer, th.Box([]string{" " + keys}, footer.W, footer.H))
}

// PutParts draws the tabs and the parts of a screen. The part with index focus has the focus. draw returns
// the content of a part.
func (c *Canvas) PutParts(
	th *Theme, l Layout, names Tabs, focus int, draw func(p Placed[int]) Content,
) {
	if !l.Tabs.Empty() {
		c.Put(l.Tabs, []string{names.Line(th, focus, l.Tabs.W, nil)})
	}
	for _, p := range l.Parts {
		c.Put(p.Rect, th.Panel(p.Rect, p.Bare, draw(p), p.ID == focus))
	}
}

// PutPlan draws the plan in the region that CutPlan reserved. rows returns the lines of the plan, w
// cells wide.
func (c *Canvas) PutPlan(th *Theme, l Layout, title string, rows func(w int) []string) {
	if l.Foot.Empty() {
		return
	}
	inner := Placed[int]{Rect: l.Foot, Bare: l.FootBare}.Inner()
	c.Put(l.Foot, th.Panel(l.Foot, l.FootBare, Content{Title: title, Lines: rows(inner.W)}, false))
}

// String returns the frame: h lines of exactly w cells.
func (c *Canvas) String(th *Theme) string {
	return strings.Join(th.Box(c.rows, c.w, len(c.rows)), "\n")
}
