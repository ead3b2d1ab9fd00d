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
		Values: config.Values, ObjectiveIs: elbo, Step: i, Dir: dir}
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
		switch kept := got[i].ID >= filepath.Base(dirs[8]); {
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
	cases := [][]byte{nil, []byte("\n"), []byte("{}\n"), whole[:len(whole)/2], whole[:60],
		bytes.Replace(whole, []byte(infoFields()), []byte("0000000000000000"), 1),
		bytes.Replace(whole, []byte(`"bytes":`), []byte(`"bytes":-`), 1),
		bytes.Replace(whole, []byte(`"bytes":`), []byte(`"bytes":9`), 1)}
	for at := 0; at < len(whole); at += 4999 {
		text := bytes.Clone(whole)
		text[at] ^= 0x10
		cases = append(cases, text)
	}
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

// The index keeps every field of a run.
func TestIndexFields(t *testing.T) {
	var info Info
	fill(t, reflect.ValueOf(&info).Elem(), 1, 0)
	info.State, info.Err, info.NotesErr, info.SoFar = Ended, nil, nil, nil
	for _, same := range []bool{true, false} {
		if same {
			s := info.Summary
			s.Config, s.Values, s.Data, s.ObjectiveIs = info.Config, info.Values, info.Data, info.ObjectiveIs
		}
		parent := t.TempDir()
		info.Dir = filepath.Join(parent, info.ID)
		e := &cacheEntry{info: info, stamp: stamp{Folder: 3, Files: [len(watched)]fileStamp{{4, 5}}}}
		e.info.Changed = e.stamp.written()
		writeIndex(parent, map[string]*cacheEntry{info.ID: e})
		got := readIndex(parent).find(info.ID)
		if got == nil || got.stamp != e.stamp || !reflect.DeepEqual(got.info, e.info) {
			t.Errorf("same %v: got\n%+v\nwant\n%+v", same, got, e)
		}
		fill(t, reflect.ValueOf(&info.Summary.Config).Elem(), 2, 0)
	}
}

// maxDepth bounds types that contain themselves.
const maxDepth = 9

// fill sets all fields of a value to values other than zero.
func fill(t *testing.T, v reflect.Value, n, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text", n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(0.1 * float64(n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Uint64, reflect.Uint8:
		v.SetUint(uint64(n))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n+1, depth+1)
	case reflect.Slice:
		if depth > maxDepth { // A type within itself.
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(0), n+1, depth+1)
		fill(t, v.Index(1), n+2, depth+1)
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), n+i, depth+1)
		}
	case reflect.Map:
		key := reflect.New(v.Type().Key()).Elem()
		value := reflect.New(v.Type().Elem()).Elem()
		fill(t, key, n+1, depth+1)
		fill(t, value, n+2, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(int64(n), 0).UTC()))
			return
		}
		for i := range v.NumField() {
			fill(t, v.Field(i), n+i+1, depth+1)
		}
	case reflect.Interface: // errors
	default:
		t.Fatalf("no value of type %s", v.Type())
	}
}
