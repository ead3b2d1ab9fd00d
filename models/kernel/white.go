package kernel

// white is the kernel of noise that is independent between points.
type white struct{ constant }

// Describe implements Function.
func (white) Describe() Description {
	return Description{Name: "white", Formula: "v if x and x' are the same point, else 0",
		Use: "noise that belongs to the function", Same: true}
}
