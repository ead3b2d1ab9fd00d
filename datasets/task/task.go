// Package task defines the task of a data set, for use by data sets, models and run directories.
package task

import "fmt"

// Task is the type of the targets of a data set.
type Task int

const (
	// Regression has real targets.
	Regression Task = iota
	// Binary has targets in {-1, +1}.
	Binary
	// Multiclass has class numbers from 0 as targets, with more than two classes.
	Multiclass
	// Count has whole numbers from 0 as targets.
	Count
)

// All returns all tasks.
func All() []Task { return []Task{Regression, Binary, Multiclass, Count} }

// names holds the names of the tasks.

// names are the text forms of tasks.
var names = [...]string{Regression: "regression", Binary: "binary", Multiclass: "multiclass", Count: "count"}

// String returns "regression", "binary", "multiclass" or "count".
func (t Task) String() string { return names[t] }

// Targets describes the targets.
func (t Task) Targets() string {
	return [...]string{"real targets", "two classes", "more than two classes", "counts"}[t]
}

// Classes reports whether the targets are classes.
func (t Task) Classes() bool { return t == Binary || t == Multiclass }

// MarshalText implements encoding.TextMarshaler.
func (t Task) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Task) UnmarshalText(text []byte) error {
	for i, name := range names {
		if name == string(text) {
			*t = Task(i)
			return nil
		}
	}
	return fmt.Errorf("unknown task %q", text)
}
