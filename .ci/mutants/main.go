// Mutants measures how many small faults the tests notice. It draws seeded random changes of
// the program's code, such as a negated comparison or a dropped statement, and tests each of
// them by itself through go test -overlay: the working tree stays as it is.
//
//	go run ./.ci/mutants [-seed S] [-from I] [-in REGEXP] [-own] N
//
// Mutant i of seed S is the same whichever others are made, so that a long campaign may be done
// in pieces. Of each, the tests of its own package run first, then those of the packages that
// import it, then those of all that depend on it, all of them with -short; what survives meets
// the slow tests of its own package and those that run the binary. With -own only the first of
// these is done, which shows what a package leaves to others.
//
// Not changed are generated files, packages that only tests import, texts, panics and conditions
// that guard nothing else, sizes that allocate only (capacities, maps, channels, Grow), calls of
// Close, Grow and package runtime, and bounds between floats (< to <=), which numbers rarely meet.
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

// wanted is the least share of mutants that tests have to notice.
const wanted = 0.93

// patience is how long the tests of one package may take: the slowest need half a minute with
// -short and five without it, on a machine that does other things as well.
const patience, slowPatience = 5 * time.Minute, 15 * time.Minute

func main() {
	seed := flag.Uint64("seed", 1, "seed of the changes")
	from := flag.Int("from", 0, "the first mutant that is made")
	in := flag.String("in", "", "regular expression of the files that are changed, such as ^viz/")
	own := flag.Bool("own", false, "run the tests of the changed package only")
	dry := flag.Bool("dry", false, "print the changes, test nothing")
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

// campaign makes and tests mutants, prints each with its fate and then the score, and reports
// whether the score is good. Once ctx is done it ends after the mutant that is being tested.
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
			return false, fmt.Errorf("the tests fail without any change: %w\n%s", err, out)
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

// A bench tests mutants.
type bench struct {
	graph graph
	work  string   // a folder for the changed file
	env   []string // of the tests
}

// newBench returns a bench whose tests have a home of their own: a mutant may write where the
// program does not. Temporary files lie where they always do, since screens show their paths.
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

// errBuild is returned of a mutant that does not compile.
var errBuild = errors.New("does not compile")

// failure and failedTest find the package whose tests failed, and the first of these tests;
// passed are the lines of the others.
var (
	passed     = regexp.MustCompile(`(?m)^(ok  |\?   )\t.*\n`)
	failure    = regexp.MustCompile(`(?m)^FAIL\t(\S+)`)
	failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
)

// try returns the fate of a mutant: SURVIVED, or caught or timeout with the package whose tests
// noticed it.
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
		again    bool // also packages that an earlier stage tested
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

// stage tests packages, and returns the fate of the mutant, "" if it is not known yet. A test has
// to fail twice: on a busy machine some do without a reason.
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

// test runs the tests of packages until one fails, and returns what go test prints. Without an
// overlay, results of earlier runs count.
func (b *bench) test(overlay string, flags, packages []string) (string, error) {
	timeout := slowPatience
	if slices.Contains(flags, "-short") {
		timeout = patience
	}
	args := slices.Concat([]string{"test", "-vet=off", "-failfast", "-timeout", timeout.String()}, flags)
	env := os.Environ()
	if overlay != "" {
		args = append(args, "-count=1") // Go does not see that a binary which a test runs has changed.
		env = append(b.env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay)
	}
	cmd := exec.Command("go", append(args, packages...)...)
	cmd.Env = env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is not meant for the tests.
	out, err := cmd.CombinedOutput()
	return string(out), err
}
