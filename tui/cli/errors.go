package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dgplab/datasets/wording"
	"dgplab/session/interrupt"
	"dgplab/tui"
)

// Exit statuses.
const (
	statusOK          = 0
	statusFailed      = 1
	statusUsage       = 2
	statusQuit        = 2 // as in every Go program
	statusInterrupted = 130
	statusAtOnce      = 131 // the second signal does not wait for a checkpoint
)

// usageError reports an invalid command line.
type usageError struct {
	text string
	// hint is a command that gives more information, such as "dgplab train --help".
	hint string
}

func (e *usageError) Error() string {
	if e.hint == "" {
		return e.text
	}
	return e.text + " (see " + e.hint + ")"
}

// usage returns a usageError about cmd. There is no hint if cmd is nil.
func usage(cmd *cobra.Command, format string, args ...any) error {
	e := &usageError{text: fmt.Sprintf(format, args...)}
	if cmd != nil {
		e.hint = cmd.CommandPath() + " --help"
	}
	return e
}

// interruptedError reports an interruption.
type interruptedError struct{ text string }

func (e *interruptedError) Error() string { return e.text }

// report writes an error as one line and returns the exit status.
func (c *console) report(err error) int {
	var asked *interruptedError
	var wrong *usageError
	text, status := oneLine(err), statusFailed
	switch {
	case err == nil, closedPipe(err):
		return statusOK // The reader does not need further output.
	case errors.As(err, &wrong):
		status = statusUsage
	case errors.Is(err, tui.ErrQuit):
		status = statusQuit
	case errors.As(err, &asked), errors.Is(err, tui.ErrInterrupted), errors.Is(err, interrupt.ErrUnread):
		status = statusInterrupted
	case errors.Is(err, tui.ErrAtOnce):
		status = statusAtOnce
	case errors.Is(err, context.Canceled):
		text, status = "interrupted", statusInterrupted
	}
	c.say("%s", text)
	return status
}

// oneLine returns the text of an error without line breaks, or "" for nil.
func oneLine(err error) string {
	if err == nil {
		return ""
	}
	var parts []string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSpace(line)
		if line != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, "; ")
}

// closedPipe reports whether the reader closed the pipe.
func closedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// withoutReader says that standard output has no reader, or returns "" if err has another cause.
func withoutReader(err error) string {
	switch {
	case closedPipe(err):
		return "standard output was closed"
	case errors.Is(err, interrupt.ErrUnread):
		return "standard output was not read"
	}
	return ""
}

// flagError turns pflag errors into usage errors.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if len(name) == 1 {
			return usage(cmd, "unknown flag: -%s", name)
		}
		return usage(cmd, "unknown flag: --%s%s", name, wording.DidYouMean(name, flagNames(cmd), "--"))
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return usage(cmd, "bad value: --%s=%s; want %s", f.Name, invalid.GetValue(), wantedBy(f))
	case errors.As(err, &missing):
		return usage(cmd, "missing value: --%s", missing.GetSpecifiedName())
	}
	return usage(cmd, "%s", oneLine(err))
}

// wantedBy describes the values that a flag accepts.
func wantedBy(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number from 0"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "range":
		return "FIRST-LAST (column numbers from 0) or all"
	}
	return "text"
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// didYouMeanOr returns the suggestion of wording.DidYouMean, or a list of all names if none is close.
func didYouMeanOr(typed string, names []string) string {
	return wording.DidYouMeanOr(typed, names, "known ones are "+strings.Join(names, ", "))
}

// changedFlag returns the first flag on the command line that is not allowed, or "" if there is none.
func changedFlag(cmd *cobra.Command, allowed ...string) (name string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if name == "" && !slices.Contains(allowed, f.Name) {
			name = f.Name
		}
	})
	return name
}

// modelAndFile requires two positional arguments, a run or a packed model and a file.
func modelAndFile(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return usage(cmd, "want 2 arguments, a run and a file, not %s", plural(len(args), "argument"))
	}
	return nil
}

// noArguments rejects positional arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasAvailableSubCommands() {
		return usage(cmd, "unknown command: %q%s", args[0], wording.DidYouMean(args[0], subcommands(cmd), ""))
	}
	return usage(cmd, "unexpected argument: %q", args[0])
}

// exactlyOne requires exactly one argument, which what describes.
func exactlyOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage(cmd, "want one %s, not %d", what, len(args))
		}
		return nil
	}
}

// subcommands returns the names of the subcommands.
func subcommands(cmd *cobra.Command) []string {
	return eachOf(cmd.Commands(), (*cobra.Command).Name)
}
