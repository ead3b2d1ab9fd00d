//go:build unix

package cli

import (
	"os"
	"syscall"
)

// timeLimitSignal is the signal that announces the time limit of a task.
var timeLimitSignal os.Signal = syscall.SIGUSR2
