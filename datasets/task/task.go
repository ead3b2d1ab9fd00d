// Package task says what the targets of data are. It is the one word that data sets,
// models and run directories have in common, and knows none of them.
package task

import "fmt"

// Task is what the targets of a data set are.
type Task int

const (
	// Regression has real targets.
	Regression Task = iota
	// Binary has targets in {-1, +1}.
	Binary
)

// names are how tasks are written.
var names = [...]string{Regression: "regression", Binary: "binary"}

// String returns "regression" or "binary".
func (t Task) String() string { return names[t] }

// MarshalText implements encoding.TextMarshaler: it is String.
func (t Task) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (t *Task) UnmarshalText(text []byte) error {
	for i, name := range names {
		if name == string(text) {
			*t = Task(i)
			return nil
		}
	}
	return fmt.Errorf("unknown task %q", text)
}
