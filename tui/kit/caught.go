package kit

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// Caught calls do and returns its panic as an error of one line, nil if there is none. The line
// names the innermost place of this program in which it happened.
func Caught(do func()) (err error) {
	defer func() {
		if value := recover(); value != nil {
			text, _, _ := strings.Cut(fmt.Sprint(value), "\n") // The rest may be a stack.
			err = fmt.Errorf("the program failed on it: %s%s", text, panicPlace())
		}
	}()
	do()
	return nil
}

// panicPlace returns " (file.go:12)", the innermost place of this program in the panic that the
// deferred caller recovers from, "" if there is none.
func panicPlace() string {
	const most = 64
	pc := make([]uintptr, most)
	frames := runtime.CallersFrames(pc[:runtime.Callers(1, pc)])
	panicked := false
	for {
		frame, more := frames.Next()
		if panicked && strings.HasPrefix(frame.Function, "dgplab/") {
			return fmt.Sprintf(" (%s:%d)", filepath.Base(frame.File), frame.Line)
		}
		panicked = panicked || frame.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
