package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// patience is the deadline of a call. The programs of Slurm themselves give up after 9 s or more if
// the controller is down.
const patience = 5 * time.Second

// submitPatience is the deadline of a submission. The controller can be slow with large arrays.
const submitPatience = time.Minute

// The reasons why Slurm cannot be asked.
var (
	// ErrMissing is wrapped by errors about programs of Slurm that are not installed.
	ErrMissing = errors.New("not installed on this machine")
	// ErrSilent is wrapped by errors about a controller that does not answer.
	ErrSilent = errors.New("the Slurm controller does not answer")
	// errSignal is wrapped by errors about programs of Slurm that a signal has ended.
	errSignal = errors.New("ended by a signal")
)

// RefusedError is an error message of Slurm.
type RefusedError struct{ Text string }

func (e *RefusedError) Error() string { return e.Text }

// call runs a program of Slurm and returns its standard output.
func call(ctx context.Context, limit time.Duration, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, ErrSilent)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second // A child may hold the pipes open.
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	switch {
	case err == nil:
		return out.String(), nil
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s: %w", program, ErrMissing)
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s: %w", program, context.Cause(ctx))
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && !exit.Exited() {
		return "", fmt.Errorf("%s: %w: %w", program, errSignal, err)
	}
	text := message(errs.String())
	switch {
	case strings.Contains(text, "Unable to contact slurm controller"),
		strings.Contains(text, "Socket timed out"), strings.Contains(text, "Connection refused"):
		return "", fmt.Errorf("%s: %w", program, ErrSilent)
	case text == "":
		text = fmt.Sprintf("%s: %v", program, err)
	}
	return "", &RefusedError{text}
}

// message returns the text of an error output in one line, without repeated names of the program.
func message(text string) string {
	var parts []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if len(parts) > 0 {
			_, after, found := strings.Cut(line, "error: ")
			if found {
				line = after
			}
		}
		if line != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, "; ")
}
