package kit

// Rect is a region of the screen in cells.
type Rect struct{ X, Y, W, H int }

// Contains reports whether the cell (x, y) is inside.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Empty reports whether the region has no cell.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Beside splits r into its left and right halves.
func (r Rect) Beside() (left, right Rect) {
	half := r.W / 2
	return Rect{r.X, r.Y, half, r.H}, Rect{r.X + half, r.Y, r.W - half, r.H}
}

// Stacked splits r into its top and bottom halves.
func (r Rect) Stacked() (top, bottom Rect) {
	half := (r.H + 1) / 2
	return Rect{r.X, r.Y, r.W, half}, Rect{r.X, r.Y + half, r.W, r.H - half}
}

// Shared splits r into a top and a bottom region that need the given heights, where 0 stands for any height.
// If one of them needs at most half of the height, it gets the height it needs, and the other gets the rest.
func (r Rect) Shared(top, bottom int) (a, b Rect) {
	a, b = r.Stacked()
	switch {
	case top > 0 && top <= a.H:
		a.H = top
	case bottom > 0 && bottom <= b.H:
		a.H = r.H - bottom
	}
	b.Y, b.H = r.Y+a.H, r.H-a.H
	return a, b
}

// FramedHeight returns the height of a panel with a border around the given number of lines, or 0 if there
// are none.
func FramedHeight(lines int) int {
	if lines <= 0 {
		return 0
	}
	return max(lines+2, FrameHeight)
}

// Area returns the region of w x h cells with the top left cell (x, y).
func Area(x, y, w, h int) Rect { return Rect{x, y, w, h} }

// Inner returns the region inside the border and its padding.
func (r Rect) Inner() Rect { return Rect{r.X + 2, r.Y + 1, max(r.W-4, 0), max(r.H-2, 0)} }

// A panel smaller than FrameWidth x FrameHeight has no border. A screen narrower than BareWidth has no panels
// and shows only its header.
const (
	FrameWidth, FrameHeight = 16, 5
	BareWidth               = 12
)

// Placed is a panel with its region. A bare panel has no border.
type Placed[ID any] struct {
	ID   ID
	Rect Rect
	Bare bool
}

// Place returns a panel in a region. The panel is bare if r is too small for a border.
func Place[ID any](id ID, r Rect) Placed[ID] {
	return Placed[ID]{id, r, r.W < FrameWidth || r.H < FrameHeight}
}

// Inner returns the region of a panel inside its border.
func (p Placed[ID]) Inner() Rect {
	if p.Bare {
		return p.Rect
	}
	return p.Rect.Inner()
}

// Edges splits a screen of w x h cells into a header of one line, a footer of one line if h is at
// least 5, and the body between them. If the screen is narrower than BareWidth or no line is left
// for the body, the body is empty and the header covers the screen.
func Edges(w, h int) (header, footer, body Rect) {
	if w <= 0 || h <= 0 {
		return header, footer, body
	}
	header = Area(0, 0, w, 1)
	body = Area(0, 1, w, h-1)
	if h >= 5 {
		footer = Area(0, h-1, w, 1)
		body.H--
	}
	if w < BareWidth || body.H <= 0 {
		header.H, footer.H = h, 0
		return header, footer, Rect{}
	}
	return header, footer, body
}

// Layout holds the regions of a screen whose parts are numbered. Empty regions are not drawn.
type Layout struct {
	Header, Tabs, Foot, Footer Rect
	Parts                      []Placed[int]
	// FootBare is set if the foot, such as a plan, has no border.
	FootBare bool
}

// NewLayout returns the layout of a screen of w x h cells, with only its header and footer, and the body
// between them.
func NewLayout(w, h int) (l Layout, body Rect) {
	l.Header, l.Footer, body = Edges(w, h)
	return l, body
}

// CutTabs reserves the first line of a body for tabs if the screen has at least 7 lines, and
// returns the rest.
func (l *Layout) CutTabs(body Rect, h int) Rect {
	if h >= 7 {
		l.Tabs = Area(0, body.Y, body.W, 1)
		body.Y, body.H = body.Y+1, body.H-1
	}
	return body
}

// planLines is the number of lines of a plan inside its border.
const planLines = 4

// CutPlan reserves the foot of a body for the plan of the run or sweep that enter would start, and returns
// the rest. If there is less room, the plan loses first its border and a line, then all lines except one. A
// body of fewer than least lines has no plan.
func (l *Layout) CutPlan(body Rect, least int) Rect {
	var lines int
	switch {
	case body.H >= 18:
		lines = planLines + 2
	case body.H >= 12:
		lines, l.FootBare = 3, true
	case body.H >= least:
		lines, l.FootBare = 1, true
	default:
		return body
	}
	body.H -= lines
	l.Foot = Rect{body.X, body.Y + body.H, body.W, lines}
	if l.FootBare {
		l.Foot.X, l.Foot.W = l.Foot.X+1, l.Foot.W-1
	}
	return body
}

// At returns the part at the cell (x, y), or the part whose tab is there. ok is false if the cell has
// neither.
func (l Layout) At(x, y int, names Tabs) (p Placed[int], isTab, ok bool) {
	for _, p := range l.Parts {
		if p.Rect.Contains(x, y) {
			return p, false, true
		}
	}
	tab, ok := names.At(x)
	return Placed[int]{ID: tab}, true, ok && l.Tabs.Contains(x, y)
}
