package slurm

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Options are the options of a submission. A zero value leaves the choice to Slurm, or to the caller
// for the numbers.
type Options struct {
	// Time is the limit of a task, Mem its memory, in the notation of sbatch.
	Time string `json:"time,omitempty"`
	Mem  string `json:"mem,omitempty"`
	// CPUs is the number of cores of a task.
	CPUs       int    `json:"cpus,omitempty"`
	Partition  string `json:"partition,omitempty"`
	Account    string `json:"account,omitempty"`
	QOS        string `json:"qos,omitempty"`
	Constraint string `json:"constraint,omitempty"`
	// Parallel is the maximum number of tasks.
	Parallel int `json:"parallel,omitempty"`
	// Pack is the number of runs for which there is one task.
	Pack int `json:"pack,omitempty"`
	// Setup holds lines of shell that run before the program, such as "module load go".
	Setup []string `json:"setup,omitempty"`
	// Sbatch holds further options of sbatch without the leading dashes, each KEY=VALUE or KEY. They
	// take precedence over the others.
	Sbatch []string `json:"sbatch,omitempty"`
}

// DefaultParallel is the default of Options.Parallel.
const DefaultParallel = 256

// Over returns o with missing values taken from base. Setup lines and further options of base come
// first.
func (o Options) Over(base Options) Options {
	for _, pair := range []struct{ own, other *string }{
		{&o.Time, &base.Time}, {&o.Mem, &base.Mem}, {&o.Partition, &base.Partition},
		{&o.Account, &base.Account}, {&o.QOS, &base.QOS}, {&o.Constraint, &base.Constraint},
	} {
		if *pair.own == "" {
			*pair.own = *pair.other
		}
	}
	for _, pair := range []struct{ own, other *int }{
		{&o.CPUs, &base.CPUs}, {&o.Parallel, &base.Parallel}, {&o.Pack, &base.Pack},
	} {
		if *pair.own == 0 {
			*pair.own = *pair.other
		}
	}
	o.Setup = slices.Concat(base.Setup, o.Setup)
	o.Sbatch = slices.Concat(base.Sbatch, o.Sbatch)
	return o
}

// Completed returns the options with defaults for the numbers.
func (o Options) Completed() Options {
	return o.Over(Options{CPUs: 1, Parallel: DefaultParallel, Pack: 1})
}

// Check returns an error if an option cannot be written into a script. Slurm itself checks the
// values.
func (o Options) Check() error {
	for _, number := range []struct {
		name  string
		value int
	}{{"cpus", o.CPUs}, {"parallel", o.Parallel}, {"pack", o.Pack}} {
		if number.value < 0 {
			return fmt.Errorf("%s=%d; want a whole number from 1", number.name, number.value)
		}
	}
	for _, d := range o.directives() {
		if strings.ContainsFunc(d.value, unwritable) {
			return fmt.Errorf("%s=%q; want text without quotes and control characters", d.key, d.value)
		}
	}
	for _, text := range o.Sbatch {
		key, _, _ := strings.Cut(text, "=")
		if key == "" || strings.ContainsFunc(key, func(r rune) bool { return !keyRune(r) }) ||
			strings.HasPrefix(key, "-") {
			return fmt.Errorf("sbatch=%q; want KEY=VALUE with a long option of sbatch", text)
		}
		if own := slices.Index(reserved, key); own >= 0 {
			return fmt.Errorf("sbatch=%q; the program sets %s itself", text, reserved[own])
		}
	}
	for _, line := range o.Setup {
		if strings.ContainsFunc(line, func(r rune) bool { return r == '\n' || r == '\r' || r == 0 }) {
			return fmt.Errorf("setup=%q; want one line", line)
		}
	}
	return nil
}

// reserved holds the options of sbatch on which tasks depend.
var reserved = []string{"array", "job-name", "comment", "output", "error", "open-mode", "parsable", "wrap"}

// unwritable reports whether a character cannot be part of a quoted value in a script.
func unwritable(r rune) bool { return r == '"' || r == '\\' || unicode.IsControl(r) }

func keyRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-'
}

// directive is an option of sbatch. Its value can be empty.
type directive struct{ key, value string }

// String returns the line of a script.
func (d directive) String() string {
	text := "#SBATCH --" + d.key
	if d.value == "" {
		return text
	}
	if strings.ContainsFunc(d.value, func(r rune) bool { return !plainRune(r) }) {
		return text + `="` + d.value + `"`
	}
	return text + "=" + d.value
}

// plainRune reports whether a character needs no quotes in a script.
func plainRune(r rune) bool { return keyRune(r) || strings.ContainsRune("_./:,@+%=", r) }

// directives returns the options that are written into a script.
func (o Options) directives() []directive {
	var list []directive
	add := func(key, value string) {
		if value != "" {
			list = append(list, directive{key, value})
		}
	}
	if o.CPUs > 0 {
		add("cpus-per-task", fmt.Sprint(o.CPUs))
	}
	add("mem", o.Mem)
	add("time", o.Time)
	add("partition", o.Partition)
	add("account", o.Account)
	add("qos", o.QOS)
	add("constraint", o.Constraint)
	for _, text := range o.Sbatch {
		key, value, _ := strings.Cut(text, "=")
		list = append(list, directive{key, value})
	}
	return list
}
