package canvas

import "testing"

// A wide rune fills two cells, and drawing over either half erases the other.
func TestWideRunes(t *testing.T) {
	for name, c := range map[string]struct {
		draw func(cv *Canvas) int
		end  int
		want string
	}{
		"inside":            {func(cv *Canvas) int { return cv.Text(1, 0, "界x", Ink{}) }, 4, " 界x "},
		"in the corner":     {func(cv *Canvas) int { return cv.Text(3, 0, "界", Ink{}) }, 5, "   界"},
		"beyond the edge":   {func(cv *Canvas) int { return cv.Text(4, 0, "界", Ink{}) }, 6, "     "},
		"before the edge":   {func(cv *Canvas) int { return cv.Text(-1, 0, "界x", Ink{}) }, 2, " x   "},
		"below the picture": {func(cv *Canvas) int { return cv.Text(0, 1, "界", Ink{}) }, 2, "     "},
		"left half erased": {func(cv *Canvas) int {
			cv.Text(1, 0, "界", Ink{})
			return cv.Text(1, 0, "a", Ink{})
		}, 2, " a   "},
		"right half erased": {func(cv *Canvas) int {
			cv.Text(1, 0, "界", Ink{})
			return cv.Text(2, 0, "a", Ink{})
		}, 3, "  a  "},
		"wide over wide": {func(cv *Canvas) int {
			cv.Text(0, 0, "界界", Ink{})
			return cv.Text(1, 0, "世", Ink{})
		}, 3, " 世  "},
		"no width": {func(cv *Canvas) int { return cv.Text(0, 0, "a\u0301b", Ink{}) }, 2, "ab   "},
		"to the right": {func(cv *Canvas) int {
			cv.TextRight(5, 0, "界x", Ink{})
			return 0
		}, 0, "  界x"},
	} {
		cv := New(Style{}, 5, 1)
		end := c.draw(cv)
		if got := cv.String(); got != c.want || end != c.end {
			t.Errorf("%s: %q up to column %d, want %q up to %d", name, got, end, c.want, c.end)
		}
	}
}

// Both halves of a wide rune have the same ink and are not free.
func TestSecondHalfOfAWideRune(t *testing.T) {
	cv := New(Style{}, 4, 1)
	look := Ink{Bold: true}
	cv.Text(1, 0, "界", look)
	if cv.At(1, 0) != '界' || cv.At(2, 0) != 0 || cv.cells[1].ink != look || cv.cells[2].ink != look {
		t.Errorf("cells %+v", cv.cells)
	}
	for x, free := range []bool{true, false, false, true, false} {
		if cv.Free(x, 0, 1) != free {
			t.Errorf("column %d is free: %v", x, !free)
		}
	}
}

func TestMessagesAreCentred(t *testing.T) {
	for want, c := range map[string]struct {
		w, h int
		text string
	}{
		"     \n ab  \n     ":    {5, 3, "ab"},
		"    \n ab \n    \n    ": {4, 4, "ab"},
		"abc":                    {3, 1, "abc"},
	} {
		cv := New(Style{}, c.w, c.h)
		cv.Message(c.text)
		if got := cv.String(); got != want {
			t.Errorf("%q in %d x %d: %q, want %q", c.text, c.w, c.h, got, want)
		}
	}
}

// The part of a copied canvas that lies inside replaces the cells.
func TestBlit(t *testing.T) {
	from := New(Style{}, 2, 2)
	from.Text(0, 0, "ab", Ink{})
	from.Text(0, 1, "cd", Ink{})
	for want, at := range map[string][2]int{
		"...\n.ab\n.cd": {1, 1}, "d..\n...\n...": {-1, -1}, "...\n...\n..a": {2, 2},
		"...\n...\n...": {3, 0}, "ab.\ncd.\n...": {0, 0},
	} {
		cv := New(Style{}, 3, 3)
		for y := range 3 {
			cv.Text(0, y, "...", Ink{})
		}
		cv.Blit(at[0], at[1], from)
		if got := cv.String(); got != want {
			t.Errorf("at %v: %q, want %q", at, got, want)
		}
	}
}
