package slurm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Array is a job array of a submission.
type Array struct {
	// Job is the ID of the job, or "" before it is submitted.
	Job string `json:"job,omitempty"`
	// Offset is the number of tasks in the arrays before this one, and Tasks the number of its own.
	Offset int `json:"offset"`
	Tasks  int `json:"tasks"`
	// Throttle is the maximum number of tasks that run at the same time.
	Throttle int `json:"throttle"`
	// After is the index of the array that must end first, or -1.
	After int `json:"after"`
}

// Split divides tasks among arrays of at most limit tasks. Together the arrays run at most parallel
// tasks at the same time. If there are more arrays than that, some wait for the end of others.
func Split(tasks, limit, parallel int) []Array {
	number := (tasks + limit - 1) / limit
	var list []Array
	for i := range number {
		a := Array{Offset: i * limit, Tasks: min(limit, tasks-i*limit), After: -1}
		if number > parallel {
			a.Throttle = 1
			a.After = max(-1, i-parallel)
		} else {
			a.Throttle = share(parallel, number, i)
		}
		list = append(list, a)
	}
	return list
}

// share returns the i-th of n shares of a total.
func share(total, n, i int) int {
	part := total / n
	if i < total%n {
		part++
	}
	return part
}

// Submit submits an array of a script and returns the ID of its job. after is the job that must end
// first, or "". The error is the message of sbatch.
func Submit(ctx context.Context, script string, a Array, after string) (job string, err error) {
	out, err := call(ctx, submitPatience, "sbatch", a.arguments(script, after)...)
	if err != nil {
		return "", err
	}
	job, _, _ = strings.Cut(strings.TrimSpace(out), ";") // The name of the cluster can follow.
	if _, err := strconv.ParseUint(job, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch: unexpected answer %q", out)
	}
	return job, nil
}

// arguments returns the arguments of sbatch.
func (a Array) arguments(script, after string) []string {
	args := []string{"--parsable", fmt.Sprintf("--array=0-%d%%%d", a.Tasks-1, a.Throttle)}
	if after != "" {
		args = append(args, "--dependency=afterany:"+after)
	}
	return append(args, script, strconv.Itoa(a.Offset))
}

// CommandLine returns the command line that submits an array, for people.
func (a Array) CommandLine(script string) string {
	after := ""
	if a.After >= 0 {
		after = fmt.Sprintf("JOB%d", a.After+1)
	}
	return Quoted(append([]string{"sbatch"}, a.arguments(script, after)...)...)
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

// cancelAtOnce is the number of jobs in a call of scancel, which bounds the length of its command
// line.
const cancelAtOnce = 500

// Cancel cancels jobs or tasks (JOB_INDEX). Tasks that have ended are ignored.
func Cancel(ctx context.Context, ids []string) error {
	for some := range slices.Chunk(ids, cancelAtOnce) {
		if _, err := call(ctx, submitPatience, "scancel", some...); err != nil {
			return err
		}
	}
	return nil
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

// SetThrottle changes the maximum number of tasks of an array that run at the same time.
func SetThrottle(ctx context.Context, job string, n int) error {
	_, err := call(ctx, patience, "scontrol", "update", "JobId="+job, fmt.Sprintf("ArrayTaskThrottle=%d", n))
	refused, ok := err.(*RefusedError)
	if ok && strings.Contains(refused.Text, "already finished") {
		return nil // Slurm changes the other tasks of the array.
	}
	return err
}

// Throttles returns the maximum number of tasks of some jobs that run at the same time. It is 0 if no task
// of theirs is pending.
func Throttles(ctx context.Context, jobs []string) (sum int, err error) {
	for _, job := range jobs {
		text, err := call(ctx, patience, "scontrol", "-o", "show", "job", job)
		if err != nil {
			return 0, err
		}
		sum += throttleIn(text)
	}
	return sum, nil
}

// throttleIn returns the throttle in the text of scontrol show job, or 0.
func throttleIn(text string) int {
	for word := range strings.FieldsSeq(text) {
		value, ok := strings.CutPrefix(word, "ArrayTaskThrottle=")
		n, err := strconv.Atoi(value)
		if ok && err == nil {
			return n
		}
	}
	return 0
}

// SetThrottles divides a new maximum among the jobs of a submission that have not ended.
func SetThrottles(ctx context.Context, jobs []string, parallel int) error {
	for i, job := range jobs {
		if err := SetThrottle(ctx, job, max(1, share(parallel, len(jobs), i))); err != nil {
			return err
		}
	}
	return nil
}
