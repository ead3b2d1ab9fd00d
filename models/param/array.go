package param

// Array is a named array of numbers in a checkpoint.
type Array struct {
	Name string
	Data []float64
}
