package rundir

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"dgplab/datasets/files"
)

// manyRuns makes ended runs, enough for an index, with old files.
func manyRuns(t *testing.T) (parent string, dirs []string) {
	t.Helper()
	parent = t.TempDir()
	t.Setenv("DGPLAB_RUNS", parent)
	for i := range 2 * unindexedRuns {
		dirs = append(dirs, endedRunAt(t, i))
	}
	return parent, dirs
}

// endedRunAt makes a run with old files.
func endedRunAt(t *testing.T, i int) string {
	t.Helper()
	id := fmt.Sprintf("20250101-%06d", i)
	var config ConfigFile
	dir := runDir(t, id, func(c *ConfigFile) {
		c.Seed = uint64(i)
		c.Created = time.Unix(int64(i), 0).UTC()
		config = *c
	})
	summary := &Summary{Format: SummaryFormat, ID: id, Stop: StopSteps, Config: config.Config,
		Values: config.Values, ObjectiveIs: elbo, Step: i, Dir: dir,
		Terms: []Reading{{"kl", float64(i)}}, Chains: &Chains{Gauges: map[string]Number{"step_size": 0}},
		Test: &Metrics{N: 3, RMSE: new(Number(0)), ErrorRate: new(Number(0.5)),
			Coverage: map[string]Number{"95": 0}}}
	if err := WriteJSON(folder(t, dir), summaryName, summary); err != nil {
		t.Fatal(err)
	}
	age(t, dir, 1000)
	return dir
}

// listed returns all runs, read by a new Lister.
func listed(t *testing.T) []Info {
	t.Helper()
	runs, err := List()
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// unindexed returns all runs, read without the index.
func unindexed(t *testing.T, parent string) []Info {
	t.Helper()
	runs, _, err := new(Lister).list(parent, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// spoil replaces the first byte of a summary and keeps its size and time, which shows whether the file is
// read.
func spoil(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, summaryName)
	text, err := os.ReadFile(path)
	if err == nil {
		text[0] = 'x'
		err = os.WriteFile(path, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	age(t, dir, 1000)
}

// A list takes unchanged runs from the index and notices every change.
func TestIndex(t *testing.T) {
	parent, dirs := manyRuns(t)
	want := unindexed(t, parent)
	if got := listed(t); !reflect.DeepEqual(got, want) {
		t.Fatal("the first list differs from the runs")
	}
	if got := listed(t); !reflect.DeepEqual(got, want) {
		t.Errorf("the index has\n%+v\nwant\n%+v", got[0], want[0])
	}
	for _, dir := range dirs[8:] {
		spoil(t, dir)
	}
	changes := []struct {
		name   string
		change func(dir string) error
	}{
		{"notes", func(dir string) error {
			return Annotate(filepath.Base(dir), func(n *Notes) { n.Name = "new" })
		}},
		{"summary edited in place", func(dir string) error {
			path := filepath.Join(dir, summaryName)
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, bytes.Replace(text, []byte("steps"), []byte("asked"), 1), 0o666)
		}},
		{"summary removed", func(dir string) error { return os.Remove(filepath.Join(dir, summaryName)) }},
		{"configuration replaced", func(dir string) error {
			return files.ReplaceAt(files.OS, filepath.Join(dir, configName), func(w io.Writer) error {
				_, err := io.WriteString(w, "{}")
				return err
			})
		}},
		{"running", func(dir string) error {
			lock, err := LockDir(folder(t, dir))
			t.Cleanup(func() { lock.Close() })
			return err
		}},
		{"removed", os.RemoveAll},
	}
	for i, c := range changes {
		if err := c.change(dirs[i]); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
	}
	fresh := unindexed(t, parent)
	got := listed(t)
	if len(got) != len(want)-1 {
		t.Fatalf("%d runs after one of %d was removed", len(got), len(want))
	}
	for i := range got {
		kept := got[i].ID >= filepath.Base(dirs[8])
		switch {
		case kept && got[i].State != Ended:
			t.Errorf("the summary of %s was read again", got[i].ID)
		case !kept && !reflect.DeepEqual(got[i], fresh[i]):
			t.Errorf("a change of %s was not noticed", got[i].ID)
		}
	}
}

// The index is written again when many runs are not in it, and only then.
func TestIndexGrows(t *testing.T) {
	parent, dirs := manyRuns(t)
	path := filepath.Join(parent, indexName)
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	sizes := []int64{0}
	for _, more := range []int{0, unindexedRuns / 2, unindexedRuns} {
		for range more {
			dirs = append(dirs, endedRunAt(t, len(dirs)))
		}
		listed(t)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, info.Size())
	}
	if sizes[1] == 0 || sizes[2] != sizes[1] || sizes[3] <= sizes[2] {
		t.Errorf("sizes %v", sizes)
	}
}

// A damaged index does not change the list.
func TestDamagedIndex(t *testing.T) {
	parent, _ := manyRuns(t)
	want := listed(t)
	path := filepath.Join(parent, indexName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cases := [][]byte{nil, []byte("\n"), []byte("{}\n"), []byte("null\n"), whole[:60], whole[:len(whole)/2],
		bytes.ReplaceAll(whole, []byte(`"values":{`), []byte(`"values":[`)),
		bytes.ReplaceAll(whole, []byte(`"format":1`), []byte(`"format":2`))}
	for _, text := range cases {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if got := listed(t); !reflect.DeepEqual(got, want) {
			t.Fatal("a damaged index changes the list")
		}
		if now, err := os.ReadFile(path); err != nil || len(now) < len(whole)/2 {
			t.Fatalf("the index was not written again: %d bytes, %v", len(now), err)
		}
	}
}

// An index that cannot be written, because the folder is read-only or the disk is full, does not change the
// list, and nothing is left behind.
func TestIndexNotWritten(t *testing.T) {
	parent, _ := manyRuns(t)
	want := unindexed(t, parent)
	whole := files.OS
	defer func() { files.OS = whole }()
	writing := 0
	for at := 1; ; at++ {
		disk := &readOnlyDisk{Disk: whole, at: at}
		files.OS = disk
		got, err := List()
		files.OS = whole
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("operation %d: %v", at, err)
		}
		left, err := filepath.Glob(filepath.Join(parent, files.TempPrefix+"*"))
		if err != nil || len(left) > 0 {
			t.Fatalf("operation %d: %q is left behind, %v", at, left, err)
		}
		if disk.count < at {
			break
		}
		writing++
		os.Remove(filepath.Join(parent, indexName))
	}
	if writing < 4 { // create, write, sync, rename
		t.Errorf("%d operations write the index", writing)
	}
}

// readOnlyDisk fails from the writing operation number at on, counted from 1.
type readOnlyDisk struct {
	files.Disk
	at, count int
}

func (d *readOnlyDisk) next() error {
	d.count++
	if d.count >= d.at {
		return errDisk
	}
	return nil
}

func (d *readOnlyDisk) OpenDir(path string) (files.Dir, error) {
	dir, err := d.Disk.OpenDir(path)
	return readOnlyDir{dir, d}, err
}

type readOnlyDir struct {
	files.Dir
	disk *readOnlyDisk
}

func (f readOnlyDir) OpenFile(name string, flag int, perm os.FileMode) (files.File, error) {
	if err := f.disk.next(); err != nil {
		return nil, err
	}
	file, err := f.Dir.OpenFile(name, flag, perm)
	return readOnlyFile{file, f.disk}, err
}

func (f readOnlyDir) Rename(from, to string) error {
	if err := f.disk.next(); err != nil {
		return err
	}
	return f.Dir.Rename(from, to)
}

type readOnlyFile struct {
	files.File
	disk *readOnlyDisk
}

func (f readOnlyFile) Write(p []byte) (int, error) {
	if err := f.disk.next(); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

func (f readOnlyFile) Sync() error {
	if err := f.disk.next(); err != nil {
		return err
	}
	return f.File.Sync()
}

// Processes that write the index at the same time leave a sound one.
func TestIndexWriters(t *testing.T) {
	parent, dirs := manyRuns(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 5 {
				runs, err := List()
				if err != nil || len(runs) != len(dirs) {
					t.Errorf("%d runs, %v", len(runs), err)
				}
				os.Remove(filepath.Join(parent, indexName))
			}
		})
	}
	group.Wait()
	want := listed(t)
	for _, dir := range dirs {
		spoil(t, dir)
	}
	if got := listed(t); !reflect.DeepEqual(got, want) {
		t.Error("the index differs from the runs")
	}
}
