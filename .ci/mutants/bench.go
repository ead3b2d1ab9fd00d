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
	known   map[tests][]trace // nil if the build has a single mutant
}

// tests identifies the tests of a package.
type tests struct {
	pkg  string
	slow bool // without -short
}

// trace is the result of a test that runs without changes.
type trace struct {
	name    string
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
	b.all.known = map[tests][]trace{}
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
		groups, err := b.groups(t, m)
		if err != nil {
			return "", err
		}
		for _, g := range groups {
			tried++
			fate, err := b.fate(t, m.number, g)
			if err != nil || fate != "" {
				return fate, err
			}
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

// group is a set of tests of a package that run in one process.
type group struct {
	match string // regular expression of their names
	limit time.Duration
}

// groups returns the tests of a package that reach a mutant. Those that take less than a second run
// first.
func (b *build) groups(t tests, m *mutant) (out []group, err error) {
	if b.known == nil {
		return []group{{"", patience}}, nil
	}
	traces, err := b.traces(t)
	if err != nil {
		return nil, err
	}
	var quick, slow []trace
	for _, one := range traces {
		switch {
		case !one.reached[m.number] && !m.always:
		case one.took < time.Second:
			quick = append(quick, one)
		default:
			slow = append(slow, one)
		}
	}
	for _, list := range [][]trace{quick, slow} {
		if len(list) == 0 {
			continue
		}
		var names []string
		limit := 30 * time.Second
		for _, one := range list {
			names = append(names, one.name)
			limit += 10 * one.took
		}
		out = append(out, group{"^(" + strings.Join(names, "|") + ")$", min(limit, patience)})
	}
	return out, nil
}

// traces returns the results of the tests of a package that run one by one without changes.
func (b *build) traces(t tests) ([]trace, error) {
	if known, ok := b.known[t]; ok {
		return known, nil
	}
	names, err := b.names(t)
	if err != nil {
		return nil, err
	}
	var out []trace
	for _, name := range names {
		one, err := b.trace(t, name)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	b.known[t] = out
	return out, nil
}

// names returns the names of the tests of a package.
func (b *build) names(t tests) (out []string, err error) {
	file, err := b.binary(t.pkg)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(file, "-test.list=.")
	cmd.Dir = b.graph[t.pkg].Dir
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("names of the tests of %s: %w", t.pkg, err)
	}
	for _, name := range strings.Fields(string(text)) {
		if !strings.HasPrefix(name, "Benchmark") {
			out = append(out, name)
		}
	}
	return out, nil
}

// trace returns the result of a test that runs without changes.
func (b *build) trace(t tests, name string) (trace, error) {
	file := filepath.Join(b.folder, "trace")
	one := trace{name: name, reached: map[int]bool{}}
	for try := 1; ; try++ {
		start := time.Now()
		out, err := b.run(t, -1, patience, "^"+name+"$", switchTrace+"="+file)
		if err == nil {
			one.took = time.Since(start)
			break
		}
		if try == tries {
			return trace{}, fmt.Errorf("%s fails without changes: %w\n%s", name, err, out)
		}
	}
	lines, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return trace{}, err
	}
	for _, line := range strings.Fields(string(lines)) {
		number, err := strconv.Atoi(line)
		if err != nil {
			return trace{}, err
		}
		one.reached[number] = true
	}
	return one, os.RemoveAll(file)
}

// fate returns the result of a mutant in a group of tests, or "" if it survives. A mutant is caught
// only if a test fails twice, because tests may fail spuriously on a busy machine.
func (b *build) fate(t tests, number int, g group) (string, error) {
	out, err := b.run(t, number, g.limit, g.match)
	if err == nil || errors.Is(err, errBuild) {
		return "", err
	}
	if strings.Contains(out, "panic: test timed out") {
		return "timeout in " + t.pkg, nil
	}
	again := g.match
	if name := failedTest.FindStringSubmatch(out); name != nil {
		again = "^" + name[1] + "$"
	}
	if _, err := b.run(t, number, g.limit, again); err != nil {
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
