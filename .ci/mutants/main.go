// Mutants measures how many small faults the tests detect. It draws seeded random changes of the
// program's code, such as a negated comparison or a dropped statement, and tests each of them
// separately with go test -overlay. It does not modify the working tree.
//
//	go run ./.ci/mutants [-seed S] [-from I] [-in REGEXP] [-own] N
//
// Mutant i of seed S does not depend on other mutants, so a long campaign can be split. For each
// mutant, the tests of its own package run first, then the tests of the packages that import it,
// then the tests of all dependent packages, all with -short. If the mutant survives, the slow tests
// of its own package and of the packages that run the binary follow. With -own only the first of
// these stages runs, which shows which faults a package leaves to the tests of other packages.
//
// The following are not changed: generated files, packages that only tests import, strings, panics
// and conditions that only guard a panic, sizes that affect only allocation (capacities, maps,
// channels, Grow), calls of Close, Grow and package runtime, and the equality of float comparisons
// (< to <=), which rarely matters.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// wanted is the minimum fraction of mutants that the tests must detect.
const wanted = 0.93

// patience is the time limit for the tests of a package with -short, and slowPatience is the limit
// without it. The slowest package needs half a minute and five minutes on a loaded machine.
const patience, slowPatience = 5 * time.Minute, 15 * time.Minute

func main() {
	seed := flag.Uint64("seed", 1, "seed of the changes")
	from := flag.Int("from", 0, "number of the first mutant")
	in := flag.String("in", "", "regular expression of the files to change, such as ^viz/")
	own := flag.Bool("own", false, "run only the tests of the changed package")
	dry := flag.Bool("dry", false, "print the changes without testing them")
	flag.Parse()
	count, err := strconv.Atoi(flag.Arg(0))
	files, bad := regexp.Compile(*in)
	if err != nil || bad != nil || flag.NArg() != 1 || count < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	good, err := campaign(ctx, count, *from, *seed, files, *own, *dry)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

// campaign makes and tests mutants, prints the result of each and the score, and reports whether
// the score is sufficient. When ctx is done it stops after the current mutant.
func campaign(
	ctx context.Context, count, from int, seed uint64, in *regexp.Regexp, own, dry bool,
) (bool, error) {
	program, err := load(in)
	if err != nil {
		return false, err
	}
	b, err := newBench(program.graph)
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(b.work)
	if !dry {
		all := slices.Sorted(maps.Keys(b.graph))
		if own {
			all = slices.Sorted(maps.Keys(program.changed))
		}
		if out, err := b.test("", []string{"-short"}, all); err != nil {
			out = passed.ReplaceAllString(out, "")
			return false, fmt.Errorf("tests fail without changes: %w\n%s", err, out)
		}
	}
	counts := map[string]int{}
	made := 0
	for i := from; i < from+count && ctx.Err() == nil; i++ {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		for {
			m, err := program.draw(random)
			if err != nil {
				return false, err
			}
			fate := "drawn"
			if !dry {
				fate, err = b.try(m, own)
			}
			if errors.Is(err, errBuild) {
				continue
			}
			if err != nil {
				return false, err
			}
			made++
			counts[strings.Fields(fate)[0]]++
			fmt.Printf("%d %s: %s\n", i, fate, m)
			break
		}
	}
	if made == 0 || dry {
		return true, ctx.Err()
	}
	caught := counts["caught"] + counts["timeout"]
	share := float64(caught) / float64(made)
	fmt.Printf("mutants: %d made from %d on with seed %d, %d caught (%.1f %%), ",
		made, from, seed, caught, 100*share)
	fmt.Printf("%d of them by a timeout, %d survivors\n", counts["timeout"], counts["SURVIVED"])
	return share >= wanted, nil
}

// bench tests mutants.
type bench struct {
	graph graph
	work  string   // a folder for the changed file
	env   []string // environment of the tests
}

// newBench returns a bench that runs tests with a separate home directory, since a mutant may write
// to unexpected places. The directory of temporary files is unchanged, since screens show their
// paths.
func newBench(g graph) (*bench, error) {
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		return nil, err
	}
	var caches map[string]string
	if err := json.Unmarshal(out, &caches); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "mutants-*")
	if err != nil {
		return nil, err
	}
	b := &bench{graph: g, work: work, env: os.Environ()}
	for name, path := range caches {
		b.env = append(b.env, name+"="+path)
	}
	home := filepath.Join(work, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		return nil, errors.Join(err, os.RemoveAll(work))
	}
	b.env = append(b.env, "HOME="+home)
	return b, nil
}

// errBuild is the error for a mutant that does not compile.
var errBuild = errors.New("does not compile")

// passed matches the lines of successful packages. failure and failedTest match the failed package
// and its first failed test.
var (
	passed     = regexp.MustCompile(`(?m)^(ok  |\?   )\t.*\n`)
	failure    = regexp.MustCompile(`(?m)^FAIL\t(\S+)`)
	failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
)

// try returns the result of a mutant: SURVIVED, or caught or timeout with the package that detected
// it.
func (b *bench) try(m mutant, own bool) (string, error) {
	changed := filepath.Join(b.work, filepath.Base(m.file))
	if err := os.WriteFile(changed, m.text, 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(b.work, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return "", err
	}
	tried := map[string]bool{}
	slow := slices.DeleteFunc(append(b.graph.importers(runner), m.pkg), func(path string) bool {
		return !b.graph[path].slow
	})
	slices.Sort(slow)
	slow = slices.Compact(slow)
	type stage struct {
		flags    []string
		packages []string
		again    bool // repeat packages of earlier stages
	}
	stages := []stage{
		{[]string{"-short"}, []string{m.pkg}, false},
		{[]string{"-short"}, b.graph.importers(m.pkg), false},
		{[]string{"-short"}, b.graph.dependents(m.pkg), false},
		{nil, slow, true},
	}
	if own {
		stages = stages[:1]
	}
	for _, stage := range stages {
		var list []string
		for _, path := range stage.packages {
			if b.graph[path].tested() && (stage.again || !tried[path]) {
				tried[path] = true
				list = append(list, path)
			}
		}
		if len(list) == 0 {
			continue
		}
		fate, err := b.stage(overlay, stage.flags, list)
		if err != nil || fate != "" {
			return fate, err
		}
	}
	return "SURVIVED", nil
}

// stage tests packages and returns the result of the mutant, or "" if it survived. A test must fail
// twice, since tests may fail spuriously on a busy machine.
func (b *bench) stage(overlay string, flags, packages []string) (string, error) {
	for len(packages) > 0 {
		out, err := b.test(overlay, flags, packages)
		if err == nil {
			return "", nil
		}
		if strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]") {
			return "", errBuild
		}
		found := failure.FindStringSubmatchIndex(out)
		if found == nil {
			return "", fmt.Errorf("go test: %w\n%s", err, out)
		}
		by := out[found[2]:found[3]]
		if strings.Contains(out, "panic: test timed out") {
			return "timeout in " + by, nil
		}
		name := failedTest.FindStringSubmatch(out[:found[0]])
		again := []string{"-run", "."}
		if name != nil {
			again[1] = "^" + name[1] + "$"
		}
		if _, err := b.test(overlay, append(again, flags...), []string{by}); err != nil {
			return fmt.Sprintf("caught by %s, %s", by, again[1]), nil
		}
		packages = slices.DeleteFunc(slices.Clone(packages), func(path string) bool { return path == by })
	}
	return "", nil
}

// test runs the tests of packages until one fails and returns the output of go test. Cached results
// are used if there is no overlay.
func (b *bench) test(overlay string, flags, packages []string) (string, error) {
	timeout := slowPatience
	if slices.Contains(flags, "-short") {
		timeout = patience
	}
	args := slices.Concat([]string{"test", "-vet=off", "-failfast", "-timeout", timeout.String()}, flags)
	env := os.Environ()
	if overlay != "" {
		args = append(args, "-count=1") // Go does not detect changes of binaries run by tests.
		env = append(b.env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay)
	}
	cmd := exec.Command("go", append(args, packages...)...)
	cmd.Env = env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Do not pass Ctrl-C on to the tests.
	out, err := cmd.CombinedOutput()
	return string(out), err
}
