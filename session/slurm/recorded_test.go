package slurm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/viz/golden"
)

// TestRecordedOptions compares the checks and the scripts of random options with recorded ones.
func TestRecordedOptions(t *testing.T) {
	r := golden.NewTypicalFiller(7)
	golden.Draw(r, func() int { return r.IntN(12) - r.IntN(8)/7 })
	for name, values := range map[string][]string{
		"Time": {"", "30", "1-02:00:00"}, "Mem": {"", "4G"}, "Partition": {"", "gpu,long"}, "QOS": {"",
			"high"},
		"Constraint": {"", "", "", "[rack1|rack2]&avx512", "a b", "x\ny", `a"b`},
	} {
		golden.Field(r, name, values...)
	}
	golden.Field(r, "Sbatch", nil, nil, []string{"nice=5", "exclusive"}, []string{"Az-09=a b"},
		[]string{"array=1"}, []string{"--x=1"}, []string{"=3"}, []string{"a_b=1"}, []string{"wrap"})
	golden.Field(r, "Setup", nil, nil, []string{"module load go"}, []string{"a", "b\rc"}, []string{"a\x00"})
	golden.Field(r, "Environment", nil, []string{"DGPLAB_RUNS=/my runs", "A=it's"}, []string{"X=", "Y=a=b%"})
	var sums golden.Sums
	for range 600 {
		s := golden.Of[Script](r)
		s.Options = s.Over(golden.Of[Options](r))
		if r.IntN(2) == 0 {
			s.Options = s.Completed()
		}
		timeouts := -7
		if s.Timeouts != nil {
			timeouts = *s.Timeouts
		}
		sums.Add("numbers", fmt.Sprint(s.CPUs, s.Parallel, s.Pack, timeouts))
		sums.Add("checks", fmt.Sprint(s.Check()))
		sums.Add("scripts", s.Text())
		a := golden.Of[Array](r)
		sums.Add("command lines", a.CommandLine(r.Word()), Quoted(r.Word(), r.Word()))
		sums.Add("arrays", fmt.Sprint(Split(r.IntN(60), 1+r.IntN(12), 1+r.IntN(12))))
	}
	sums.Check(t, "options")
}

// TestRecordedAnswers compares the results of parsing random answers of Slurm with recorded ones.
func TestRecordedAnswers(t *testing.T) {
	r := golden.NewTypicalFiller(8)
	words := append([]string{"Nodes required for job are DOWN, DRAINED", "(Priority)", "SomethingNew", ""},
		slices.Sorted(maps.Keys(reasons))...)
	id := func() string {
		return golden.Pick(r, "1_0", "7_3", "7_3", "12_10", " 8_1 ", "9", "7_[2-9]", "7_x", "_1",
			"error: no job")
	}
	limit := func() string {
		return golden.Pick(r, "5:00", "1:02:03", "1-02:03:04", "59", "UNLIMITED", "x-5:00", "2-x", "5:y", "",
			"0:00")
	}
	state := func() string {
		return golden.Pick(r, "PENDING", "RUNNING", "COMPLETING", "REQUEUE_HOLD", "CANCELLED by 1000",
			"TIMEOUT",
			"COMPLETED", "FAILED")
	}
	start := time.Date(2026, 11, 23, 20, 22, 16, 5e8, time.Local)
	var sums golden.Sums
	for range 500 {
		var queue, accounted, job, config, errors strings.Builder
		var log []string
		for range r.IntN(5) {
			fmt.Fprintf(&queue, "%s|%s|%s|%s|%s", id(), state(), golden.Pick(r, "", "n1"), limit(),
				golden.Pick(r, words...))
			queue.WriteString(golden.Pick(r, "\n", "\n", "|x\n", "\r\n"))
			fmt.Fprintf(&accounted, "%s%s%s\n", id(), golden.Pick(r, "|", "|", "|", " "), state())
			fmt.Fprintf(&job, "%s=%s ", golden.Pick(r, "JobState", "Reason", "Restarts", "PreemptTime",
				"ArrayTaskThrottle"), golden.Pick(r, "None", "TIMEOUT", "TimeLimit", "0", "1", "3", "7",
				"2026-11-23", ""))
			fmt.Fprintf(&config, "%s%s%s\n", golden.Pick(r, "MaxArraySize", " MaxArraySize ",
				"SchedulerParameters", "x"),
				golden.Pick(r, "=", " = "), golden.Pick(r, "5000", "0", "-3", "(null)",
					"a=1,max_array_tasks=200,b",
					"max_array_tasks=0", "max_array_tasks=3000", "200"))
			errors.WriteString(golden.Pick(r, "", " ", "sbatch: error: ", "x: ") + r.Word() + "\n")
			log = append(log, "slurmstepd-n1: error: *** JOB "+golden.Pick(r, "8", "8",
				"9")+" ON n1 CANCELLED AT "+
				start.Add(time.Duration(r.IntN(5)-2)*time.Second).Format("2006-01-02T15:04:05")+
				golden.Pick(r, "", " DUE TO PREEMPTION", " DUE TO JOB REQUEUE", " DUE TO TIME LIMIT",
					" DUE TO X")+
				golden.Pick(r, " ***", " ***", " ***", ""))
		}
		tasks := parseQueue(queue.String())
		sums.Add("queue", fmt.Sprint(tasks))
		for _, task := range tasks {
			sums.Add("tasks", fmt.Sprint(task.ID(), task.Pending(), Words(task.Reason),
				EndingWords(task.State)))
		}
		sums.Add("accounting", fmt.Sprint(parseAccounted(accounted.String())))
		sums.Add("endings", fmt.Sprint(ending(job.String(), r.IntN(3)), throttleIn(job.String())))
		sums.Add("array limits", fmt.Sprint(arrayLimit(config.String())))
		sums.Add("messages", message(errors.String()))
		sums.Add("logs", string(EndingInLog(log, "8", start)))
		for _, line := range log {
			sums.Add("logs", fmt.Sprint(Cancels(line)))
		}
		sums.Add("shares", fmt.Sprint(share(r.IntN(30), 1+r.IntN(7), r.IntN(7))))
	}
	sums.Check(t, "answers")
}
