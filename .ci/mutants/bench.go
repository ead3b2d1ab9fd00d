package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// patience is the time limit for the tests of a package whose duration without changes is unknown.
const patience = 15 * time.Minute

// tries is the maximum number of attempts at a test run without changes. Tests may fail spuriously
// on a busy machine.
const tries = 3

// bench tests mutants.
type bench struct {
	graph graph
	work  string   // a folder for changed files and binaries
	env   []string // environment of the tests
	all   *build   // with all switched mutants
	own   bool     // run only the tests of the changed package
}

// build is a build of the tests with some changed files.
type build struct {
	*bench
	folder  string
	overlay string
	files   map[string]string // test binaries by package
	known   map[tests]*trace  // nil if the build has a single mutant
}

// tests identifies the tests of a package.
type tests struct {
	pkg  string
	slow bool // without -short
}

// trace is the result of tests that run without changes.
type trace struct {
	reached map[int]bool // mutants
	took    time.Duration
}

// newBench returns a bench for mutants. Tests run with a separate home directory, because a mutant
// may write to unexpected places. The directory for temporary files is not changed, because screens
// show its path.
func newBench(p *program, mutants []*mutant, own bool) (*bench, error) {
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		return nil, err
	}
	var caches map[string]string
	if err := json.Unmarshal(out, &caches); err != nil {
		return nil, err
	}
	texts, err := p.switches(mutants)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "mutants-*")
	if err != nil {
		return nil, err
	}
	b := &bench{graph: p.graph, work: work, env: os.Environ(), own: own}
	for name, path := range caches {
		b.env = append(b.env, name+"="+path)
	}
	home := filepath.Join(work, "home")
	b.env = append(b.env, "HOME="+home)
	err = os.Mkdir(home, 0o700)
	if err == nil {
		b.all, err = b.newBuild(texts)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(work))
	}
	b.all.known = map[tests]*trace{}
	return b, nil
}

// newBuild returns a build of the tests with the changed files in texts.
func (b *bench) newBuild(texts map[string]string) (*build, error) {
	folder, err := os.MkdirTemp(b.work, "build-*")
	if err != nil {
		return nil, err
	}
	replace := map[string]string{}
	for name, text := range texts {
		replace[name] = filepath.Join(folder, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(replace[name], []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return nil, err
	}
	overlay := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return nil, err
	}
	return &build{bench: b, folder: folder, overlay: overlay, files: map[string]string{}}, nil
}

// errBuild is the error for a mutant that does not compile.
var errBuild = errors.New("does not compile")

// failedTest matches the first failed test.
var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// try returns the result of a mutant: SURVIVED, or caught or timeout with the package that detected
// it.
func (b *bench) try(m *mutant) (string, error) {
	if m.switched {
		return b.all.try(m)
	}
	alone, err := b.newBuild(map[string]string{m.edit.file.name: string(m.text)})
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(alone.folder)
	return alone.try(m)
}

// try returns the result of a mutant of the build.
func (b *build) try(m *mutant) (string, error) {
	tried := 0
	for _, t := range b.stages(m.edit.pack.path) {
		known, err := b.trace(t)
		if err != nil {
			return "", err
		}
		if known != nil && !m.always && !known.reached[m.number] {
			continue
		}
		tried++
		fate, err := b.fate(t, m.number, known)
		if err != nil || fate != "" {
			return fate, err
		}
	}
	if tried == 0 {
		return "SURVIVED without a test", nil
	}
	return "SURVIVED", nil
}

// stages returns the tests that may detect a change of a package, in the order in which they run.
func (b *build) stages(pkg string) (out []tests) {
	quick := []string{pkg}
	if !b.own {
		quick = slices.Concat(quick, b.graph.importers(pkg), b.graph.dependents(pkg))
	}
	for _, path := range quick {
		if t := (tests{path, false}); b.graph[path].tested() && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	if b.own {
		return out
	}
	for _, path := range append([]string{pkg}, b.graph.importers(runner)...) {
		if t := (tests{path, true}); b.graph[path].slow && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// trace returns the result of tests that run without changes. It returns nil if the build has a
// single mutant.
func (b *build) trace(t tests) (*trace, error) {
	if b.known == nil || b.known[t] != nil {
		return b.known[t], nil
	}
	name := filepath.Join(b.folder, "trace")
	for try := 1; ; try++ {
		start := time.Now()
		out, err := b.run(t, -1, patience, "", switchTrace+"="+name)
		if err == nil {
			b.known[t] = &trace{map[int]bool{}, time.Since(start)}
			break
		}
		if try == tries {
			return nil, fmt.Errorf("tests fail without changes: %w\n%s", err, out)
		}
	}
	lines, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, line := range strings.Fields(string(lines)) {
		number, err := strconv.Atoi(line)
		if err != nil {
			return nil, err
		}
		b.known[t].reached[number] = true
	}
	return b.known[t], os.RemoveAll(name)
}

// fate returns the result of a mutant in tests, or "" if it survives. A mutant is caught only if a
// test fails twice, because tests may fail spuriously on a busy machine.
func (b *build) fate(t tests, number int, known *trace) (string, error) {
	limit := patience
	if known != nil {
		limit = min(limit, 30*time.Second+10*known.took)
	}
	out, err := b.run(t, number, limit, "")
	if err == nil || errors.Is(err, errBuild) {
		return "", err
	}
	if strings.Contains(out, "panic: test timed out") {
		return "timeout in " + t.pkg, nil
	}
	again := "."
	if name := failedTest.FindStringSubmatch(out); name != nil {
		again = "^" + name[1] + "$"
	}
	if _, err := b.run(t, number, limit, again); err != nil {
		return fmt.Sprintf("caught by %s, %s", t.pkg, again), nil
	}
	return "", nil
}

// run runs tests until one fails and returns their output. If match is not empty, it runs only the
// matching tests. It switches a mutant on unless its number is -1.
func (b *build) run(t tests, number int, limit time.Duration, match string, env ...string) (string, error) {
	file, err := b.binary(t.pkg)
	if err != nil {
		return "", err
	}
	args := []string{"-test.paniconexit0", "-test.failfast", "-test.timeout=" + limit.String()}
	if !t.slow {
		args = append(args, "-test.short")
	}
	cmd := exec.Command(file, append(args, "-test.run="+match)...)
	cmd.Dir = b.graph[t.pkg].Dir
	// Tests that build the program use the overlay.
	cmd.Env = slices.Concat(b.environment(), env, []string{switchNumber + "=" + strconv.Itoa(number)})
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // do not pass Ctrl-C on to the tests
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// environment returns the environment of go commands.
func (b *build) environment() []string {
	return slices.Concat(b.env, []string{"GOFLAGS=" + os.Getenv("GOFLAGS") + " -overlay=" + b.overlay})
}

// binary returns the file of the tests of a package after building it.
func (b *build) binary(pkg string) (string, error) {
	if b.files[pkg] != "" {
		return b.files[pkg], nil
	}
	file := filepath.Join(b.folder, strings.ReplaceAll(pkg, "/", "-")+".test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-o", file, pkg)
	cmd.Env = b.environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.CombinedOutput()
	if err != nil && b.known == nil {
		return "", errBuild
	}
	if err != nil {
		return "", fmt.Errorf("go test: %w\n%s", err, out)
	}
	b.files[pkg] = file
	return file, nil
}
