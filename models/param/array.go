package param

// Array is one named array of numbers that a checkpoint holds.
type Array struct {
	Name string
	Data []float64
}
