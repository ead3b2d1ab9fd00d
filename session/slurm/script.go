package slurm

import (
	"fmt"
	"strings"
)

// SignalSeconds is the time before the limit of a task at which Slurm sends it SIGUSR2. Slurm
// checks once a minute, so the signal can come a minute earlier.
const SignalSeconds = 120

// Script describes a job script.
type Script struct {
	Options
	// Name is the name of the job.
	Name string
	// Comment holds lines about the script without the leading #.
	Comment []string
	// Logs is the folder of the logs of tasks.
	Logs string
	// Environment holds variables of the tasks as NAME=VALUE.
	Environment []string
	// Command is the command line of a task.
	Command string
}

// Check returns an error if a value cannot be written into the script. Slurm reads the lines of options
// without a shell, so that quotes and line breaks in them cannot be escaped.
func (s Script) Check() error {
	if strings.ContainsFunc(s.Logs, unwritable) {
		return fmt.Errorf("the folder of the logs %q cannot be written into a job script; set "+
			"DGPLAB_RUNS to a path without double quotes, backslashes and control characters", s.Logs)
	}
	for _, line := range append([]string{s.Name}, s.Comment...) {
		if strings.ContainsFunc(line, unwritable) {
			return fmt.Errorf("%q cannot be written into a job script", line)
		}
	}
	return s.Options.Check()
}

// Text returns the script, which Check must accept.
func (s Script) Text() string {
	var b strings.Builder
	b.WriteString("#!/bin/bash\n")
	for _, line := range s.Comment {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	pattern := strings.ReplaceAll(s.Logs, "%", "%%") + "/%A_%a.log"
	for _, d := range append([]directive{
		{"job-name", s.Name},
		{"output", pattern},
		{"open-mode", "append"},
		{"requeue", ""},
		{"signal", fmt.Sprintf("B:USR2@%d", SignalSeconds)},
	}, s.directives()...) {
		fmt.Fprintln(&b, d)
	}
	b.WriteString("\n")
	for _, variable := range s.Environment {
		name, value, _ := strings.Cut(variable, "=")
		fmt.Fprintf(&b, "export %s=%s\n", name, quoted(value))
	}
	for _, line := range s.Setup {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintf(&b, "exec %s\n", s.Command)
	return b.String()
}

// Quoted returns words as a command line for a shell.
func Quoted(words ...string) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = quoted(word)
	}
	return strings.Join(list, " ")
}

// quoted returns a word for a shell.
func quoted(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plainRune(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
