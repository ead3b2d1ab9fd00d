package kernel

// white is independent noise of every point.
type white struct{ constant }

// Describe implements Function.
func (white) Describe() Description {
	return Description{Name: "white", Formula: "v for a point and itself, else 0",
		Use: "noise that belongs to the function", Same: true}
}
