package table

import "strings"

// Note is a note on a file with possible remedies, which are flags on a command line and keys on a
// screen.
type Note struct {
	Text string
	// Remedies are choices that resolve the problem. Each label describes the effect, for example
	// "leaves such rows out".
	Remedies []Answer
}

// String returns the note with its remedies as flags: "the cell is missing; --missing drop leaves
// such rows out".
func (n Note) String() string {
	if len(n.Remedies) == 0 {
		return n.Text
	}
	var flags []string
	for _, r := range n.Remedies {
		flags = append(flags, r.Flag()+" "+r.Label)
	}
	return n.Text + "; " + strings.Join(flags, ", ")
}

// MarshalText implements encoding.TextMarshaler.
func (n Note) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// Texts returns the notes without their remedies.
func Texts(notes []Note) (texts []string) {
	for _, n := range notes {
		texts = append(texts, n.Text)
	}
	return texts
}
