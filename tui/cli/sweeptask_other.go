//go:build !unix

package cli

import "os"

// timeLimitSignal is nil, because the system has no signal for the time limit of a task.
var timeLimitSignal os.Signal
