package columns

import "fmt"

// Kind is what the cells of a column are.
type Kind int

const (
	// Number is a real number.
	Number Kind = iota
	// Boolean is one of a pair such as yes and no: 1 or 0.
	Boolean
	// Category is one of a few levels: 1 for the level it is and 0 for all others, or a single
	// input where there are two.
	Category
	// Date is a day or a time: days or seconds since the beginning of 1970, UTC.
	Date
	// Text names rows, each by another text: nothing to learn from.
	Text
)

var kindNames = [...]string{
	Number:   "number",
	Boolean:  "boolean",
	Category: "category",
	Date:     "date",
	Text:     "text",
}

// String returns "number", "boolean", "category", "date" or "text".
func (k Kind) String() string { return kindNames[k] }

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Role is what a column is used for.
type Role int

const (
	Input Role = iota
	Target
	Ignored
)

var roleNames = [...]string{Input: "input", Target: "target", Ignored: "ignored"}

// String returns "input", "target" or "ignored".
func (r Role) String() string { return roleNames[r] }

// MarshalText implements encoding.TextMarshaler.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// plural returns "1 number", "2 numbers", "2 categories".
func plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun[len(noun)-1] == 'y':
		return fmt.Sprintf("%d %sies", n, noun[:len(noun)-1])
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
