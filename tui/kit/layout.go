package kit

// Rect is a region of the screen in cells.
type Rect struct{ X, Y, W, H int }

// Contains reports whether the cell (x, y) is inside.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Empty reports whether the region has no cell.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Beside cuts r into two beside each other.
func (r Rect) Beside() (left, right Rect) {
	half := r.W / 2
	return Rect{r.X, r.Y, half, r.H}, Rect{r.X + half, r.Y, r.W - half, r.H}
}

// Stacked cuts r into two on top of each other.
func (r Rect) Stacked() (top, bottom Rect) {
	half := (r.H + 1) / 2
	return Rect{r.X, r.Y, r.W, half}, Rect{r.X, r.Y + half, r.W, r.H - half}
}

// Area returns the region of w x h cells whose first cell is (x, y).
func Area(x, y, w, h int) Rect { return Rect{x, y, w, h} }

// Inner returns what is inside the border and its blanks.
func (r Rect) Inner() Rect { return Rect{r.X + 2, r.Y + 1, max(r.W-4, 0), max(r.H-2, 0)} }

// Below this a panel has no border, and below BareWidth columns there is no panel
// at all, but lines of state.
const (
	FrameWidth, FrameHeight = 16, 5
	BareWidth               = 12
)

// Placed is a panel and where it is. A bare one has no border.
type Placed[ID any] struct {
	ID   ID
	Rect Rect
	Bare bool
}

// Place returns a panel, without a border where there is no room for one.
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

// Edges cuts a screen of w x h cells into a line of header, a line of footer from
// five lines on, and the body between them. Below BareWidth and where nothing is
// left the body is empty, and the header has it all.
func Edges(w, h int) (header, footer, body Rect) {
	if w <= 0 || h <= 0 {
		return header, footer, body
	}
	header, body = Area(0, 0, w, 1), Area(0, 1, w, h-1)
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

// planLines is how many lines a plan has inside its border.
const planLines = 4

// CutPlan cuts a plan, which says what enter would start, off the foot of a body. As
// there is less room it loses its border and a line, then all lines but one; below
// least lines of body there is none.
func CutPlan(body Rect, least int) (plan Rect, bare bool, rest Rect) {
	var lines int
	switch {
	case body.H >= 18:
		lines = planLines + 2
	case body.H >= 12:
		lines, bare = 3, true
	case body.H >= least:
		lines, bare = 1, true
	default:
		return Rect{}, false, body
	}
	rest = body
	rest.H -= lines
	plan = Rect{body.X, body.Y + rest.H, body.W, lines}
	if bare {
		plan.X, plan.W = plan.X+1, plan.W-1
	}
	return plan, bare, rest
}
