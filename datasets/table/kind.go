package table

// Kind is the kind of the cells of a column.
type Kind int

const (
	// Number is a real number.
	Number Kind = iota
	// Boolean is one of a pair of words such as yes and no, encoded as 1 and 0.
	Boolean
	// Category is one of several levels. It is encoded by one input per level, which is 1 for the
	// level of the cell and 0 otherwise, or by a single input if there are two levels.
	Category
	// Date is a day or a time, as days or seconds since the beginning of 1970, UTC.
	Date
	// Text differs in each row, such as a row name, and carries no information.
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

// Role is the role of a column.
type Role int

const (
	Input Role = iota
	Target
	Ignored
	KnownNoise
	Weight
)

var roleNames = [...]string{Input: "input", Target: "target", Ignored: "ignored", KnownNoise: "known noise",
	Weight: "weight"}

// String returns "input", "target", "ignored", "known noise" or "weight".
func (r Role) String() string { return roleNames[r] }

// MarshalText implements encoding.TextMarshaler.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }
