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
	// Multiclass has the numbers of classes, from 0, of which there are more than two.
	Multiclass
)

// names are how tasks are written.
var names = [...]string{Regression: "regression", Binary: "binary", Multiclass: "multiclass"}

// String returns "regression", "binary" or "multiclass".
func (t Task) String() string { return names[t] }

// Classes says whether targets are classes, two or more.
func (t Task) Classes() bool { return t == Binary || t == Multiclass }

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
