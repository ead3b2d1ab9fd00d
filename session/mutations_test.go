package session

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// mutation changes the bytes of a file.
type mutation struct {
	name  string
	apply func(r *rand.Rand, text []byte) []byte
}

// span returns a random span of text.
func span(r *rand.Rand, text []byte) (from, to int) {
	from = r.IntN(len(text) + 1)
	return from, from + r.IntN(min(len(text)-from, 64)+1)
}

var mutations = []mutation{
	{"a bit flipped", func(r *rand.Rand, text []byte) []byte {
		text[r.IntN(len(text))] ^= 1 << r.IntN(8)
		return text
	}},
	{"a byte changed", func(r *rand.Rand, text []byte) []byte {
		text[r.IntN(len(text))] = byte(r.IntN(256))
		return text
	}},
	{"a digit changed", func(r *rand.Rand, text []byte) []byte {
		at := r.IntN(len(text))
		for k := range text {
			if b := &text[(at+k)%len(text)]; *b >= '0' && *b <= '9' {
				*b = byte('0' + r.IntN(10))
				break
			}
		}
		return text
	}},
	{"truncated", func(r *rand.Rand, text []byte) []byte { return text[:r.IntN(len(text))] }},
	{"emptied", func(*rand.Rand, []byte) []byte { return nil }},
	{"a part removed", func(r *rand.Rand, text []byte) []byte {
		from, to := span(r, text)
		return slices.Delete(text, from, to)
	}},
	{"a part doubled", func(r *rand.Rand, text []byte) []byte {
		from, to := span(r, text)
		return slices.Insert(text, to, slices.Clone(text[from:to])...)
	}},
	{"a part zeroed", func(r *rand.Rand, text []byte) []byte {
		from, to := span(r, text)
		clear(text[from:to])
		return text
	}},
	{"noise inserted", func(r *rand.Rand, text []byte) []byte {
		noise := make([]byte, r.IntN(32))
		for i := range noise {
			noise[i] = byte(r.IntN(256))
		}
		return slices.Insert(text, r.IntN(len(text)+1), noise...)
	}},
	{"a line moved", func(r *rand.Rand, text []byte) []byte {
		lines := bytes.SplitAfter(text, []byte("\n"))
		from := r.IntN(len(lines))
		to := r.IntN(len(lines))
		lines[from], lines[to] = lines[to], lines[from]
		return bytes.Join(lines, nil)
	}},
	{"a huge number", func(r *rand.Rand, text []byte) []byte {
		at := bytes.IndexAny(text[r.IntN(len(text)):], "0123456789")
		return slices.Insert(text, max(at, 0), []byte(strings.Repeat("9", 1+r.IntN(400)))...)
	}},
}

// mutate changes or replaces a random file of a run and describes the change.
func mutate(t *testing.T, r *rand.Rand, dir string) (file, what string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.Name() == "lock" })
	file = entries[r.IntN(len(entries))].Name()
	path := filepath.Join(dir, file)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	k := r.IntN(len(mutations) + 2)
	switch {
	case k == len(mutations):
		what, err = "removed", os.Remove(path)
	case k == len(mutations)+1:
		what, err = "a folder in its place", os.Remove(path)
		if err == nil {
			err = os.Mkdir(path, 0o777)
		}
	case len(text) == 0:
		what, err = "filled", os.WriteFile(path, []byte("{}"), 0o666)
	default:
		what, err = mutations[k].name, os.WriteFile(path, mutations[k].apply(r, text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file, what
}

// mutationRange returns the range of mutations to try. It is FIRST:COUNT in $DGPLAB_MUTATIONS, which
// .ci/campaign sets, or a small default range.
func mutationRange(t *testing.T) (first, count int) {
	t.Helper()
	text := os.Getenv("DGPLAB_MUTATIONS")
	if text == "" {
		return 0, 60
	}
	a, b, _ := strings.Cut(text, ":")
	first, err := strconv.Atoi(a)
	if err == nil {
		count, err = strconv.Atoi(b)
	}
	if err != nil {
		t.Fatalf("DGPLAB_MUTATIONS=%s: %v; want FIRST:COUNT", text, err)
	}
	return first, count
}

// A run with a mutated file, whether it was killed or has ended, can be listed and opened. When resumed, it
// has the same results bit for bit as an intact run, or it is refused with a one-line error. After a repair,
// or if the configuration was mutated, the results may differ.
func TestMutations(t *testing.T) {
	w := newWorld(t)
	root := t.TempDir()
	t.Setenv("DGPLAB_RUNS", root)
	half := t.TempDir()
	started := make(chan struct{})
	w.onStep = func(step int) error {
		<-started
		if step == 8 {
			copyDir(t, root, half)
		}
		return nil
	}
	r := w.start(t, fakeConfig(small...))
	close(started)
	wait(t, r, rundir.StopSteps)
	w.onStep = nil
	want := outcomeOf(t, r.Dir(), rundir.StopSteps)
	first, count := mutationRange(t)
	counts := map[string]int{}
	for k := first; k < first+count; k++ {
		from := half
		if k%2 == 1 {
			from = root
		}
		counts[tryMutation(t, w, uint64(k), from, r.ID(), want)]++
	}
	t.Logf("%d mutations: %v", count, counts)
}

// tryMutation applies mutation k to a folder with one run and returns the outcome.
func tryMutation(t *testing.T, w *fakeWorld, k uint64, from, id string, want outcome) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "mutation")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	t.Setenv("DGPLAB_RUNS", folder)
	copyDir(t, from, folder)
	dir := filepath.Join(folder, id)
	file, what := mutate(t, rand.New(rand.NewPCG(k, 0)), dir)
	name := fmt.Sprintf("mutation %d, %s: %s", k, file, what)
	if list, err := rundir.List(); err != nil || len(list) != 1 {
		t.Errorf("%s: %d runs, %v", name, len(list), err)
	}
	record, err := rundir.FindReadOnly(id)
	if err != nil {
		t.Errorf("%s: finding: %v", name, err)
	}
	opened := Open(record)
	if opened.State == rundir.Broken && !isOneLineError(opened.Err) {
		t.Errorf("%s: opening: %v", name, opened.Err)
	}
	came := "resumed"
	run, err := Resume(context.Background(), id, withEnvironment(w.environment()))
	if over := err != nil && strings.Contains(err.Error(), "has done all of its"); err != nil &&
		!over {
		if !isOneLineError(err) {
			t.Errorf("%s: refused: %v", name, err)
		}
		came = "repaired"
		run, err = Resume(context.Background(), id, WithRepair(), withEnvironment(w.environment()))
		if err != nil {
			if !isOneLineError(err) {
				t.Errorf("%s: a repair is refused: %v", name, err)
			}
			return "refused"
		}
	} else if over {
		return "ended"
	}
	s := run.Wait()
	switch {
	case s.Err != nil && !isOneLineError(s.Err):
		t.Errorf("%s: ended by %s, %v", name, s.Stop, s.Err)
	case s.Err != nil:
		return "failed with a reason"
	case came == "resumed" && file != "config.json" && s.Stop == rundir.StopSteps:
		got := outcomeOf(t, dir, rundir.StopSteps)
		got.lines = want.lines
		if got.differs(want) != "" { // A changed digit in a report line cannot be detected.
			t.Errorf("%s: %s", name, got.differs(want))
		}
	}
	return came
}
