package linalg

// Fault, unless it is nil, is called before each operation that can fail numerically: a
// factorisation, a decomposition or the evaluation of a tape. The operation returns its error. Only
// tests set it.
var Fault func(operation string) error

// Failure returns the error of Fault for an operation.
func Failure(operation string) error {
	if Fault == nil {
		return nil
	}
	return Fault(operation)
}
