package columns

// Cells is what a reader of a table found in one column.
type Cells struct {
	// Numbers, Dates and Missing count cells; a cell that is none of these is a text.
	Numbers, Dates, Missing int
	// Texts are the different texts, in the order in which they come, with the cells of
	// each. Of a column that has too Many, there are the first ones only.
	Texts  []string
	Counts []int
	Many   bool
	// Seen is what its dates have shown.
	Seen DatesSeen
}

// DatesSeen is what the dates of a column show, all together.
type DatesSeen struct {
	// Clock says that there is a time of day; FirstLarge and SecondLarge that the first or the
	// second number of one such as 03/04/2021 is more than 12.
	Clock, FirstLarge, SecondLarge bool
}

// Add takes over what others have shown.
func (s *DatesSeen) Add(o DatesSeen) {
	s.Clock = s.Clock || o.Clock
	s.FirstLarge = s.FirstLarge || o.FirstLarge
	s.SecondLarge = s.SecondLarge || o.SecondLarge
}

// Kind returns what the column is. A category is one by force, whatever its cells are.
func (c *Cells) Kind(force bool) Kind {
	switch _, pair := booleanPair(c.Texts); {
	case force:
		return Category
	case c.Dates > 0 && c.Numbers == 0 && len(c.Texts) == 0:
		return Date
	case c.Numbers > 0 || len(c.Texts) == 0:
		return Number
	case pair:
		return Boolean
	case c.unique():
		return Text
	}
	return Category
}

// unique says whether no text comes twice, as far as they were kept.
func (c *Cells) unique() bool {
	for _, n := range c.Counts {
		if n > 1 {
			return false
		}
	}
	return len(c.Texts) > 1
}

// Layout returns how the dates are written if all texts are dates of one form; the zero
// value if not. It tells apart orders of day and month by what a person said, else by what
// the texts show; where that is nothing, they stay undecided.
func (c *Cells) Layout(said string) DateLayout {
	if c.Numbers > 0 || len(c.Texts) == 0 {
		return DateLayout{}
	}
	form, seen := noDate, DatesSeen{}
	for _, text := range c.Texts {
		d, ok := readDate(text)
		if !ok || form != noDate && d.form != form {
			return DateLayout{}
		}
		form = d.form
		seen.note(d)
	}
	return DateLayout{form}.Settled(seen, said)
}

// note adds what one date shows.
func (s *DatesSeen) note(d date) {
	s.Clock = s.Clock || d.clock
	if d.form == numeric {
		s.FirstLarge = s.FirstLarge || d.first > 12
		s.SecondLarge = s.SecondLarge || d.second > 12
	}
}

// Settled returns the layout with the order of day and month that a person said or the
// dates show, the zero value if they contradict each other.
func (l DateLayout) Settled(seen DatesSeen, said string) DateLayout {
	switch {
	case l.form != numeric:
		return l
	case said == DayFirst:
		return DateLayout{dayFirst}
	case said == MonthFirst:
		return DateLayout{monthFirst}
	case seen.FirstLarge && seen.SecondLarge:
		return DateLayout{}
	case seen.FirstLarge:
		return DateLayout{dayFirst}
	case seen.SecondLarge:
		return DateLayout{monthFirst}
	}
	return l
}

// Known says whether the column has dates at all.
func (l DateLayout) Known() bool { return l.form != noDate }

// Unsure says that the order of day and month is not known.
func (l DateLayout) Unsure() bool { return l.form == numeric }

// Parse returns the seconds since the beginning of 1970, UTC, of a text in the layout, and
// adds to what its dates show.
func (l DateLayout) Parse(text string, seen *DatesSeen) (seconds float64, ok bool) {
	d, ok := readDate(text)
	if !ok {
		return 0, false
	}
	seconds, ok = d.in(l.form)
	if ok {
		seen.note(d)
	}
	return seconds, ok
}
