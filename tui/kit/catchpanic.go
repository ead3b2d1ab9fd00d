package kit

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// CatchPanic calls do and returns its panic as a one-line error, or nil if it does not panic. The error names
// the innermost source line of this program in the panic.
func CatchPanic(do func()) (err error) {
	defer func() {
		if value := recover(); value != nil {
			text, _, _ := strings.Cut(fmt.Sprint(value), "\n") // The rest may be a stack trace.
			err = fmt.Errorf("internal error: %s%s", text, panicPlace())
		}
	}()
	do()
	return nil
}

// Try calls do and returns its error, or its panic as an error of CatchPanic.
func Try(do func() error) (err error) {
	if panicked := CatchPanic(func() { err = do() }); panicked != nil {
		return panicked
	}
	return err
}

// panicPlace returns the innermost source line of this program in the panic from which the deferred caller
// recovers, as " (file.go:12)". It returns "" if there is none.
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
