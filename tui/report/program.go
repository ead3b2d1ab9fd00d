package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Program returns the words that start this program in a shell: dgplab, or go run . if go run built it.
func Program() string {
	path, err := os.Executable()
	if err != nil {
		return "dgplab"
	}
	return programOf(path)
}

// programOf returns the words for an executable.
func programOf(path string) string {
	if goRun.MatchString(filepath.ToSlash(path)) && !strings.HasSuffix(path, ".test") {
		return "go run ."
	}
	return "dgplab"
}

// goRun matches executables in the temporary folder or in the cache of the go command.
var goRun = regexp.MustCompile(`/go-build(\d+/|/[0-9a-f]{2}/)`)
