//go:build !amd64 || noasm

package instructions

// Supported returns None alone: there is no assembly for this machine, or it is
// not wanted.
func Supported() []Set { return []Set{None} }
