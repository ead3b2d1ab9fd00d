package table

// Cells holds statistics of the cells of one column.
type Cells struct {
	// Numbers, Dates and Missing count cells. All other cells are text.
	Numbers, Dates, Missing int
	// Texts holds the distinct strings in order of first occurrence, and Counts holds the number of
	// cells with each string. Many reports that the strings were too many and that only the first
	// were kept.
	Texts  []string
	Counts []int
	Many   bool
	// Seen summarises the dates.
	Seen DatesSeen
}

// DatesSeen summarises the dates of a column.
type DatesSeen struct {
	// Clock reports whether a date has a time of day. FirstLarge and SecondLarge report whether the
	// first or the second number of a date such as 03/04/2021 exceeds 12.
	Clock, FirstLarge, SecondLarge bool
}

// Add merges the properties of other dates.
func (s *DatesSeen) Add(o DatesSeen) {
	s.Clock = s.Clock || o.Clock
	s.FirstLarge = s.FirstLarge || o.FirstLarge
	s.SecondLarge = s.SecondLarge || o.SecondLarge
}

// Kind returns the kind of the column. If force is true, this is Category.
func (c *Cells) Kind(force bool) Kind {
	_, pair := booleanPair(c.Texts)
	switch {
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

// unique reports whether all recorded strings occur only once.
func (c *Cells) unique() bool {
	for _, n := range c.Counts {
		if n > 1 {
			return false
		}
	}
	return len(c.Texts) > 1
}

// Layout returns the layout of the dates if all strings are dates of one form, and the zero value
// otherwise. If said is not empty, it gives the order of day and month. Otherwise the strings
// determine the order; if they do not, the layout is ambiguous.
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
	return DateLayout{form}.Resolve(seen, said)
}

// note records the properties of one date.
func (s *DatesSeen) note(d date) {
	s.Clock = s.Clock || d.clock
	if d.form == numeric {
		s.FirstLarge = s.FirstLarge || d.first > 12
		s.SecondLarge = s.SecondLarge || d.second > 12
	}
}

// Resolve returns the layout with the order of day and month given by said or, if said is empty, by
// the dates. It returns the zero value if the dates contradict each other.
func (l DateLayout) Resolve(seen DatesSeen, said string) DateLayout {
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

// IsDate reports whether the column contains dates.
func (l DateLayout) IsDate() bool { return l.form != noDate }

// Ambiguous reports whether the order of day and month is unknown.
func (l DateLayout) Ambiguous() bool { return l.form == numeric }

// Parse parses a date in the layout, records its properties in seen and returns the seconds since
// the beginning of 1970, UTC.
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
