package slurm

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Task is a task that is pending or running.
type Task struct {
	Job   string
	Index int
	// State is the state in Slurm's words, such as PENDING, RUNNING or COMPLETING, and Reason why it
	// is pending.
	State, Reason string
	// Node is the node of a running task.
	Node string
	// Left is the time before the limit, or 0 if unknown.
	Left time.Duration
}

// ID returns the name of the task for Slurm.
func (t Task) ID() string { return fmt.Sprintf("%s_%d", t.Job, t.Index) }

// Pending reports whether the task waits to be started.
func (t Task) Pending() bool { return t.State == "PENDING" || strings.HasPrefix(t.State, "REQUEUE") }

// queueFormat selects the columns of squeue: ID, state, nodes, time left and reason. The reason is
// last because it can hold any character.
const queueFormat = "%i|%T|%N|%L|%r"

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
		fields := strings.SplitN(strings.TrimRight(line, "\n"), "|", 5)
		if len(fields) < 5 {
			continue
		}
		job, index, ok := strings.Cut(strings.TrimSpace(fields[0]), "_")
		n, err := strconv.Atoi(index)
		if !ok || err != nil {
			continue
		}
		list = append(list, Task{Job: job, Index: n, State: fields[1], Node: fields[2],
			Left: duration(fields[3]), Reason: fields[4]})
	}
	return list
}

// duration parses a time in the notation of Slurm, [DAYS-][HOURS:]MINUTES:SECONDS. It returns 0 for
// anything else, such as UNLIMITED.
func duration(text string) time.Duration {
	days := 0
	before, after, ok := strings.Cut(text, "-")
	if ok {
		n, err := strconv.Atoi(before)
		if err != nil {
			return 0
		}
		days, text = n, after
	}
	seconds := 0
	for part := range strings.SplitSeq(text, ":") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return 0
		}
		seconds = 60*seconds + n
	}
	return time.Duration(days)*24*time.Hour + time.Duration(seconds)*time.Second
}

// Accounted returns the states of the tasks of some jobs from the accounting of the site, in Slurm's
// words by the ID of the task. Many sites have no accounting, which is an error.
func Accounted(ctx context.Context, jobs []string) (map[string]string, error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	out, err := call(ctx, patience, "sacct", "-X", "-n", "-P", "-D", "-j", strings.Join(jobs, ","),
		"-o", "JobID,State")
	if err != nil {
		return nil, err
	}
	return parseAccounted(out), nil
}

// parseAccounted parses the output of sacct. The last line of a task that was requeued is its last
// start.
func parseAccounted(out string) map[string]string {
	states := map[string]string{}
	for line := range strings.Lines(out) {
		id, state, ok := strings.Cut(strings.TrimSpace(line), "|")
		if !ok || strings.Contains(id, "[") {
			continue
		}
		state, _, _ = strings.Cut(state, " ") // CANCELLED by UID
		states[id] = state
	}
	return states
}

// Cause is the reason why Slurm ends a task.
type Cause string

const (
	// Preempted means that a job of higher priority takes the node. The task is queued again.
	Preempted Cause = "preempted"
	// Requeued means that a person or the controller queues the task again.
	Requeued Cause = "requeued"
	// TimeLimit means that the task has reached its time limit.
	TimeLimit Cause = "time limit"
	// Cancelled means that the task is not started again.
	Cancelled Cause = "cancelled"
)

// Ending returns the reason why Slurm ends a running task. restarts is the number of earlier starts.
func Ending(ctx context.Context, id string, restarts int) (Cause, error) {
	out, err := call(ctx, patience, "scontrol", "-o", "show", "job", id)
	if err != nil {
		return "", err
	}
	return ending(out, restarts), nil
}

// ending returns the cause from the text of scontrol show job.
func ending(out string, restarts int) Cause {
	fields := map[string]string{}
	for word := range strings.FieldsSeq(out) {
		name, value, _ := strings.Cut(word, "=")
		if _, seen := fields[name]; !seen {
			fields[name] = value
		}
	}
	preempted := fields["PreemptTime"]
	n, err := strconv.Atoi(fields["Restarts"])
	switch {
	case preempted != "" && preempted != "None":
		return Preempted
	case err == nil && n > restarts:
		return Requeued
	case fields["JobState"] == "TIMEOUT" || fields["Reason"] == "TimeLimit":
		return TimeLimit
	}
	return Cancelled
}

// dueTo maps the words that slurmstepd writes after DUE TO in the log of a task to causes.
var dueTo = map[string]Cause{"PREEMPTION": Preempted, "JOB REQUEUE": Requeued, "TIME LIMIT": TimeLimit}

// stepLine is the line in a log about the end of a task: the job, the time and the cause, if there is
// one.
var stepLine = regexp.MustCompile(
	`\*\*\* JOB ([0-9]+) ON \S+ CANCELLED AT (\S+)(?: DUE TO ([A-Z ]+))? \*\*\*`)

// Cancels reports whether a line of a log states that Slurm ends the task.
func Cancels(line string) bool { return stepLine.MatchString(line) }

// EndingInLog returns the reason for the end of a task, at or after a given time, from the last
// lines of its log. It is "" if they give none. job is the ID of the task's own job (SLURM_JOB_ID).
func EndingInLog(lines []string, job string, since time.Time) Cause {
	for _, line := range slices.Backward(lines) {
		found := stepLine.FindStringSubmatch(line)
		if found == nil || found[1] != job {
			continue
		}
		at, err := time.ParseInLocation("2006-01-02T15:04:05", found[2], time.Local)
		if err != nil || at.Before(since.Truncate(time.Second)) {
			return ""
		}
		return dueTo[found[3]]
	}
	return ""
}
