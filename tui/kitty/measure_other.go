//go:build !unix

package kitty

import "os"

// measure returns zeros, because bitmaps are not supported.
func measure(*os.File) (width, height int) { return 0, 0 }
