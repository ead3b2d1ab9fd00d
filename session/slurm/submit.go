package slurm

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// submission returns the arguments of sbatch for an array of a script.
func submission(script string, tasks int) []string {
	return []string{"--parsable", fmt.Sprintf("--array=0-%d", tasks-1), script}
}

// CommandLine returns the command line that submits an array of a script, for people.
func CommandLine(script string, tasks int) string {
	return Quoted(append([]string{"sbatch"}, submission(script, tasks)...)...)
}

// Submit submits an array of a script and returns the ID of its job. The error is the message of sbatch.
func Submit(ctx context.Context, script string, tasks int) (job string, err error) {
	out, err := call(ctx, submitPatience, "sbatch", submission(script, tasks)...)
	if err != nil {
		return "", err
	}
	job, _, _ = strings.Cut(strings.TrimSpace(out), ";") // The name of the cluster can follow.
	if _, err := strconv.ParseUint(job, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch: unexpected answer %q", out)
	}
	return job, nil
}

// usualArraySize is the limit of a site that has not changed MaxArraySize.
const usualArraySize = 1001

// ArrayLimit returns the maximum number of tasks in an array.
func ArrayLimit(ctx context.Context) (int, error) {
	text, err := call(ctx, patience, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	return arrayLimit(text), nil
}

// arrayLimit returns the limit from the text of scontrol show config.
func arrayLimit(config string) int {
	limit := usualArraySize
	for line := range strings.Lines(config) {
		name, value, _ := strings.Cut(line, "=")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(name) {
		case "MaxArraySize":
			if n, err := strconv.Atoi(value); err == nil && n > 0 {
				limit = n
			}
		case "SchedulerParameters":
			for part := range strings.SplitSeq(value, ",") {
				text, found := strings.CutPrefix(part, "max_array_tasks=")
				if n, err := strconv.Atoi(text); found && err == nil && n > 0 {
					limit = min(limit, n)
				}
			}
		}
	}
	return limit
}

// Cancel cancels jobs. Jobs that have ended are ignored.
func Cancel(ctx context.Context, jobs []string) error {
	_, err := call(ctx, submitPatience, "scancel", jobs...)
	return err
}

// Requeue queues a running task again. Slurm then ends its processes, among them scontrol if the task itself
// calls Requeue: a signal to scontrol means that Slurm has accepted the request.
func Requeue(ctx context.Context, id string) error {
	_, err := call(ctx, submitPatience, "scontrol", "requeue", id)
	if errors.Is(err, errSignal) {
		return nil
	}
	return err
}
