package fastblas

import "fmt"

// Panic is the panic value of parallel work in the goroutine that started it, if a part panicked.
type Panic struct {
	Value any    // panic value of the part
	Stack []byte // stack of the goroutine that ran the part
}

// Error returns the text of the value, followed by the stack.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns the value if it is an error, or nil.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
