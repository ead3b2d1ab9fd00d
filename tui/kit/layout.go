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
