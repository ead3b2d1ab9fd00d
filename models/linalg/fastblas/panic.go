package fastblas

import "fmt"

// Panic is what work that was spread over goroutines panics with, in the goroutine
// that asked for it, when a part of it panicked.
type Panic struct {
	Value any    // of the part's panic
	Stack []byte // of the goroutine that ran the part
}

// Error returns the text of the value, and below it the stack.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns the value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
