package slurm

import (
	"context"
	"strings"
)

// Task is a task of a job array that is pending or running.
type Task struct {
	// Job is the ID of the job array.
	Job string
	// State is the state in Slurm's words, such as PENDING, RUNNING or COMPLETING, and Reason why it
	// is pending.
	State, Reason string
	// Node is the node of a running task.
	Node string
}

// Pending reports whether the task waits to be started.
func (t Task) Pending() bool { return t.State == "PENDING" || strings.HasPrefix(t.State, "REQUEUE") }

// queueFormat selects the columns of squeue: ID, state, nodes and reason. The reason is last because
// it can hold any character.
const queueFormat = "%i|%T|%N|%r"

// Queue returns all tasks of the jobs of a name that are pending or running.
func Queue(ctx context.Context, name string) ([]Task, error) {
	out, err := call(ctx, patience, "squeue", "-h", "-r", "-n", name, "-o", queueFormat)
	if err != nil {
		return nil, err
	}
	return parseQueue(out), nil
}

// parseQueue parses the output of squeue. Lines that are not tasks of arrays are skipped.
func parseQueue(out string) []Task {
	var list []Task
	for line := range strings.Lines(out) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), "|", 4)
		job, _, ok := strings.Cut(strings.TrimSpace(fields[0]), "_")
		if ok && len(fields) == 4 {
			list = append(list, Task{Job: job, State: fields[1], Node: fields[2], Reason: fields[3]})
		}
	}
	return list
}
