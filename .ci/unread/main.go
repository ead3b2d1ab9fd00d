//go:build linux

// Unread runs every command whose output nobody reads, on a terminal and on a pipe, and sends it each signal
// once and twice. Every process must end soon, with the documented status, a lock that others can take, and a
// checkpoint that predictions can use. It prints counts.
//
//	go run ./.ci/unread [-seed S] [-only REGEXP] [-limit TIME] PROGRAM ROUNDS
//
// In a round, each command gets each signal on each kind of stream. The streams are already full at the start
// of the first round and every second one after it, and become full in the others.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// ready is the time in which a process must block or end by itself.
	ready = 30 * time.Second
	// interrupted and atOnce are the statuses after one signal and after two.
	interrupted, atOnce = 130, 131
)

// command is a command line. Its arguments may name RUN, a finished run, and TABLE, a table of its inputs.
type command struct {
	name string
	args string
	// watches says that the command catches signals. Others are killed by them.
	watches bool
	// trains says that the command trains runs.
	trains bool
	// screen says that the command needs a terminal.
	screen bool
}

const (
	one     = "--dataset steps --family svgp --inducing 8 "
	endless = "--steps 100000000 --set early_stopping=off --set checkpoint_every=20 --set metrics_every=1"
)

var commands = []command{
	{name: "train", args: "train " + one + endless, watches: true, trains: true},
	{name: "train --json", args: "train --json " + one + endless, watches: true, trains: true},
	{name: "sweep", args: "sweep --seed 0..3 --jobs 2 " + one + endless, watches: true, trains: true},
	{name: "sweep --json", args: "sweep --json --seed 0..3 --jobs 2 " + one + endless, watches: true,
		trains: true},
	{name: "sweep task", args: "sweep task unread --cells 0..1", watches: true, trains: true},
	{name: "reproduce", args: "reproduce --file EXPERIMENT", watches: true, trains: true},
	{name: "reproduce --json", args: "reproduce --file EXPERIMENT --json", watches: true, trains: true},
	{name: "predict", args: "predict RUN TABLE", watches: true},
	{name: "predict --json", args: "predict RUN TABLE --json", watches: true},
	{name: "suggest", args: "suggest RUN --candidates lhs:500 --json", watches: true},
	{name: "bench", args: "bench --family svgp --inducing 8,16 --seconds 60", watches: true},
	{name: "export", args: "export RUN --out OUT --format svg,png", watches: true},
	{name: "datasets fetch", args: "datasets fetch boston", watches: true},
	{name: "compare", args: "compare RUN --json"},
	{name: "runs", args: "runs --json"},
	{name: "runs show", args: "runs show RUN"},
	{name: "families", args: "families --json"},
	{name: "workbench", args: one + "--set steps=100000000 --set early_stopping=off " +
		"--set checkpoint_every=20 --start", watches: true, trains: true, screen: true},
}

// experiment is a published table for dgplab reproduce.
const experiment = `
title = "Runs that do not end"
source = "A paper"
place = "Table 1"
metric = "log_lik"
repetitions = 2
splits = "interpolation:0..1"

[set]
steps = "100000000"
inducing = "8"
early_stopping = "off"
checkpoint_every = "20"

[[method]]
name = "sparse GP"
family = "svgp"

[[data]]
name = "steps"
[data.published]
"sparse GP" = [1.0, 0.1]
`

func main() {
	runtime.LockOSThread() // Processes of this thread die with it.
	// A process inherits ignored signals, as with nohup or in the background of a script, but not
	// caught ones.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGHUP)
	go func() {
		for s := range caught {
			if s == syscall.SIGINT {
				os.Exit(interrupted)
			}
		}
	}()
	seed := flag.Uint64("seed", 1, "seed of the delays")
	only := flag.String("only", "", "regular expression of the commands to run")
	// The limit is generous, because a checkpoint must be saved on a machine that may be busy.
	limit := flag.Duration("limit", 20*time.Second, "time in which a process must end after its last signal")
	flag.Parse()
	rounds, err := strconv.Atoi(flag.Arg(1))
	wanted, badPattern := regexp.Compile(*only)
	if err != nil || badPattern != nil || flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	c := &campaign{program: flag.Arg(0), limit: *limit, random: rand.New(rand.NewPCG(*seed, 0)),
		counts: map[string]int{}}
	if err := c.prepare(); err != nil {
		fmt.Fprintln(os.Stderr, "unread:", err)
		os.Exit(1)
	}
	for round := range rounds {
		for _, command := range commands {
			if wanted.MatchString(command.name) {
				c.try(command, round%2 == 0)
			}
		}
	}
	os.RemoveAll(c.folder)
	if !c.print() {
		os.Exit(1)
	}
}

// campaign holds the counts.
type campaign struct {
	program string
	limit   time.Duration
	random  *rand.Rand
	folder  string
	run     string // the ID of a finished run
	mirror  string
	counts  map[string]int
	times   []time.Duration
	faults  int
}

// prepare trains a run and writes a table, an experiment and a sweep. It starts a mirror that never answers.
func (c *campaign) prepare() (err error) {
	c.folder, err = os.MkdirTemp("", "dgplab-unread-*")
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.mirror = "http://" + listener.Addr().String()
	go http.Serve(listener, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
	}))
	var table strings.Builder
	table.WriteString("x\n")
	for i := range 300_000 {
		fmt.Fprintf(&table, "%d\n", i%100)
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(c.folder, "table.csv"), []byte(table.String()), 0o600),
		os.WriteFile(filepath.Join(c.folder, "row.csv"), []byte("x\n1\n"), 0o600),
		os.WriteFile(filepath.Join(c.folder, "experiment.toml"), []byte(experiment), 0o600))
	if err != nil {
		return err
	}
	text, err := c.plain(filepath.Join(c.folder, "finished"), "train --json --steps 60 "+one)
	if err != nil {
		return fmt.Errorf("train: %w\n%s", err, text)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var summary struct{ ID string }
	err = json.Unmarshal([]byte(lines[len(lines)-1]), &summary)
	c.run = summary.ID
	return err
}

// words returns the arguments of a command line.
func (c *campaign) words(line, runs string) []string {
	return strings.Fields(strings.NewReplacer(
		"RUN", c.run, "TABLE", filepath.Join(c.folder, "table.csv"), "OUT", filepath.Join(runs, "out"),
		"EXPERIMENT", filepath.Join(c.folder, "experiment.toml")).Replace(line))
}

// environment returns the environment of a process with its own folder of runs.
func (c *campaign) environment(runs string) []string {
	return append(os.Environ(), "DGPLAB_RUNS="+runs, "DGPLAB_MIRROR="+c.mirror, "CI=", "TERM=xterm-256color",
		"DGPLAB_CACHE="+filepath.Join(runs, "cache"), "XDG_STATE_HOME="+filepath.Join(runs, "state"),
		"XDG_CONFIG_HOME="+filepath.Join(runs, "config"), "TMPDIR="+c.folder)
}

// plain runs a command and returns its output.
func (c *campaign) plain(runs, line string) (string, error) {
	cmd := exec.Command(c.program, c.words(line, runs)...)
	cmd.Env = c.environment(runs)
	text, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return string(text), err
}

// try starts a command with each signal, once and twice, on a terminal and on a pipe.
func (c *campaign) try(command command, full bool) {
	for _, stream := range []string{"pipe", "terminal"} {
		if command.screen && stream == "pipe" {
			continue
		}
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			for _, times := range []int{1, 2} {
				what := fmt.Sprintf("%s on a %s, full %v, %v %d times", command.name, stream, full, s, times)
				fault := c.one(command, stream, full, s, times)
				c.counts["processes"]++
				if fault != "" {
					c.faults++
					fmt.Printf("FAILED: %s: %s\n", what, fault)
				}
			}
		}
	}
}

// one runs a process. It returns what is wrong, or "".
func (c *campaign) one(command command, stream string, full bool, s syscall.Signal, times int) string {
	runs, err := os.MkdirTemp(c.folder, "runs-*")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(runs)
	if strings.Contains(command.args, "RUN") || !command.watches {
		err = os.CopyFS(runs, os.DirFS(filepath.Join(c.folder, "finished")))
	}
	if strings.HasPrefix(command.args, "sweep task") {
		_, err = c.plain(runs, "sweep --on none --name unread --seed 0..3 "+one+endless)
	}
	if err != nil {
		return err.Error()
	}
	cmd := exec.Command(c.program, c.words(command.args, runs)...)
	cmd.Env = c.environment(runs)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	reader, writer, err := opened(stream, full)
	if err != nil {
		return err.Error()
	}
	defer reader.Close()
	if stream == "terminal" {
		cmd.Stdin = writer
		cmd.SysProcAttr.Setctty = true
	}
	cmd.Stdout, cmd.Stderr = writer, writer
	err = cmd.Start()
	writer.Close()
	if err != nil {
		return err.Error()
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait() // The status is read below.
		close(ended)
	}()
	defer cmd.Process.Kill()
	c.await(cmd.Process.Pid, ended, func() bool {
		return !command.trains || full || len(checkpoints(runs)) > 0
	})
	time.Sleep(time.Duration(c.random.IntN(300)) * time.Millisecond)
	if blocked(cmd.Process.Pid) {
		c.counts["blocked in a write"]++
	}
	select {
	case <-ended:
		c.counts["ended by themselves"]++
		return ""
	default:
	}
	for i := range times {
		if i > 0 {
			time.Sleep(time.Duration(1+c.random.IntN(30)) * time.Millisecond)
		}
		cmd.Process.Signal(s) // It may have ended.
	}
	signalled := time.Now()
	select {
	case <-ended:
	case <-time.After(c.limit):
		c.counts["did not end"]++
		return "did not end; checkpoints: " + fmt.Sprint(len(checkpoints(runs)))
	}
	c.times = append(c.times, time.Since(signalled))
	if command.trains {
		if fault := c.checkRuns(runs); fault != "" {
			return fault
		}
	}
	return c.checkStatus(command, cmd.ProcessState.Sys().(syscall.WaitStatus), s, times)
}

// await waits until a process is blocked in a write and ready, or has ended.
func (c *campaign) await(pid int, ended <-chan struct{}, isReady func() bool) {
	for deadline := time.Now().Add(ready); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		select {
		case <-ended:
			return
		default:
		}
		if blocked(pid) && isReady() {
			return
		}
		if time.Until(deadline) < ready-5*time.Second && isReady() {
			return // This command writes little, or only at its end.
		}
	}
}

// checkStatus returns what is wrong with a status, or "".
func (c *campaign) checkStatus(
	command command, status syscall.WaitStatus, s syscall.Signal, times int,
) string {
	got := strconv.Itoa(status.ExitStatus())
	if status.Signaled() {
		got = "killed by " + status.Signal().String()
	}
	c.counts["status "+got]++
	good := []string{strconv.Itoa(interrupted)}
	if times == 2 && s != syscall.SIGHUP {
		good = append(good, strconv.Itoa(atOnce))
	}
	if !command.watches {
		good = append(good, "killed by "+s.String())
	}
	if !slices.Contains(good, got) {
		return "status " + got
	}
	return ""
}

// checkpoints returns the run directories that have a checkpoint.
func checkpoints(runs string) []string {
	list, _ := filepath.Glob(filepath.Join(runs, "*", "checkpoint")) // The pattern is valid.
	return list
}

// checkRuns returns what is wrong with the runs of a process that has ended, or "": their locks must be free,
// and their checkpoints must predict.
func (c *campaign) checkRuns(runs string) string {
	locks, _ := filepath.Glob(filepath.Join(runs, "*", "lock"))
	for _, path := range locks {
		file, err := os.Open(path)
		if err != nil {
			return err.Error()
		}
		err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		file.Close()
		if err != nil {
			return "the lock is held: " + err.Error()
		}
		c.counts["free locks"]++
	}
	for _, path := range checkpoints(runs) {
		id := filepath.Base(filepath.Dir(path))
		if text, err := c.plain(runs, "predict "+id+" "+filepath.Join(c.folder, "row.csv")); err != nil {
			return fmt.Sprintf("the checkpoint of %s: %v\n%s", id, err, text)
		}
		c.counts["intact checkpoints"]++
	}
	return ""
}

// opened returns a terminal or a pipe, which are full on request.
func opened(stream string, full bool) (reader, writer *os.File, err error) {
	if stream == "pipe" {
		reader, writer, err = os.Pipe()
		if err == nil {
			_, err = unix.FcntlInt(writer.Fd(), unix.F_SETPIPE_SZ, 4096)
		}
	} else {
		reader, writer, err = pseudoTerminal()
	}
	if err == nil && full {
		err = fill(writer)
	}
	return reader, writer, err
}

// pseudoTerminal returns both ends of a terminal of 120 x 40 cells.
func pseudoTerminal() (master, terminal *os.File, err error) {
	master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		return nil, nil, err
	}
	err = errors.Join(unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0),
		unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 120, Row: 40}))
	if err != nil {
		return nil, nil, err
	}
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	return master, terminal, err
}

// fill writes to a file until it accepts no more.
func fill(file *os.File) error {
	descriptor := int(file.Fd())
	if err := unix.SetNonblock(descriptor, true); err != nil {
		return err
	}
	for _, size := range []int{4096, 1} {
		for {
			_, err := unix.Write(descriptor, make([]byte, size))
			if errors.Is(err, unix.EAGAIN) {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	return unix.SetNonblock(descriptor, false)
}

// blocked reports whether a thread of a process is in a write to standard output or standard error.
func blocked(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", pid))
	return slices.ContainsFunc(threads, func(path string) bool {
		file, err := os.Open(path)
		if err != nil {
			return false
		}
		defer file.Close()
		text, _ := io.ReadAll(file) // The thread may have ended.
		call := fmt.Sprintf("%d ", unix.SYS_WRITE)
		return strings.HasPrefix(string(text), call+"0x1 ") || strings.HasPrefix(string(text), call+"0x2 ")
	})
}

// print prints the counts and reports whether nothing failed.
func (c *campaign) print() bool {
	slices.Sort(c.times)
	fmt.Printf("unread: %d processes", c.counts["processes"])
	delete(c.counts, "processes")
	names := make([]string, 0, len(c.counts))
	for name := range c.counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Printf(", %d %s", c.counts[name], name)
	}
	if n := len(c.times); n > 0 {
		fmt.Printf("; ended after %.2f s (median), %.2f s (longest)",
			c.times[n/2].Seconds(), c.times[n-1].Seconds())
	}
	fmt.Printf("; %d failed\n", c.faults)
	return c.faults == 0
}
