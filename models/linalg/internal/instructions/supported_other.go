//go:build !amd64 || noasm

package instructions

// Supported returns only None: there is no assembly for this machine, or the build tag noasm
// excludes it.
func Supported() []Set { return []Set{None} }
