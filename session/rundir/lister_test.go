package rundir

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"dgplab/models"
)

// age sets the same old modification time for all files of a run.
func age(t testing.TB, dir string, seconds int) {
	t.Helper()
	old := time.Unix(1_700_000_000-int64(seconds), 0)
	for _, name := range append(watched[:], ".") {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// A Lister notices every change and does not read unchanged directories.
func TestLister(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	dir := runDir(t, "20250101-a", nil)
	var l Lister
	list := func() Info {
		t.Helper()
		runs, err := l.Runs()
		if err != nil || len(runs) != 1 {
			t.Fatalf("%v, %v", runs, err)
		}
		return runs[0]
	}
	if got := list(); got.State != Interrupted || got.Step != 0 || got.Results != nil {
		t.Errorf("%+v", got)
	}
	age(t, dir, 1000)
	list()
	// A changed file is not read again if its size and time are the same.
	path := filepath.Join(dir, configName)
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append([]byte("x"), text[1:]...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	stat := stampOf(dir)
	age(t, dir, 1000)
	if stat == stampOf(dir) {
		t.Fatal("the time of the file was not set")
	}
	age(t, dir, 500)
	if got := list(); got.State != Broken {
		t.Errorf("a damaged file was not read: %+v", got)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	age(t, dir, 500)
	if got := list(); got.State != Broken {
		t.Errorf("an unchanged file was read: %+v", got)
	}
	age(t, dir, 400)
	if got := list(); got.State != Interrupted {
		t.Errorf("%+v", got)
	}

	if err := Annotate("20250101-a", func(n *Notes) { n.Name = "x" }); err != nil {
		t.Fatal(err)
	}
	if got := list(); got.Notes.Name != "x" {
		t.Errorf("notes %+v", got.Notes)
	}
	if err := os.WriteFile(filepath.Join(dir, metricsName),
		[]byte("{\"step\":1,\"objective\":-2}\n{\"step\":7,\"objective\":-1.5}\n{\"st"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := list(); got.Step != 7 || got.Results.Objective != -1.5 {
		t.Errorf("step %d, %+v", got.Step, got.Results)
	}
	lock, err := LockDir(folder(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	age(t, dir, 300)
	if got := list(); got.State != Running {
		t.Errorf("state %s of a running run", got.State)
	}
	lock.Close()
	if got := list(); got.State != Interrupted {
		t.Errorf("state %s of a run whose writer died", got.State)
	}
}

// BenchmarkLister lists 2,000 unchanged runs.
func BenchmarkLister(b *testing.B) {
	parent := b.TempDir()
	b.Setenv("DGPLAB_RUNS", parent)
	config, values := Config{Dataset: "steps", Family: "star"}, models.Values{}
	for k := range 25 {
		values[fmt.Sprintf("hyperparameter_%d", k)] = "0.123"
	}
	for i := range 2000 {
		dir := filepath.Join(parent, fmt.Sprintf("20250101-%06d", i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		for name, text := range map[string]string{lockName: "", metricsName: "{\"step\":7}\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
		}
		for name, value := range map[string]any{
			configName:  ConfigFile{Format: 1, Config: config, Values: values, ObjectiveIs: elbo},
			summaryName: Summary{Format: 1, Config: config, Values: values, ObjectiveIs: elbo},
		} {
			if err := WriteJSON(folder(b, dir), name, value); err != nil {
				b.Fatal(err)
			}
		}
		age(b, dir, 100)
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			if _, err := List(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		var l Lister
		for b.Loop() {
			if _, err := l.Runs(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// The newest runs are found by their IDs; the others are not read.
func TestNewest(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	for i := range 20 {
		runDir(t, fmt.Sprintf("202501%02d-a", i+1), func(c *ConfigFile) {
			c.Created = time.Unix(int64(i), 0)
		})
	}
	var l Lister
	runs, all, err := l.Newest(3)
	if err != nil || all || len(runs) != 3 || runs[0].ID != "20250120-a" || runs[2].ID != "20250118-a" {
		t.Errorf("%v, all %v, %v", runs, all, err)
	}
	runs, all, err = l.Newest(20)
	if err != nil || !all || len(runs) != 20 || runs[19].ID != "20250101-a" {
		t.Errorf("%d runs, all %v, %v", len(runs), all, err)
	}
	if err := Trash("20250120-a"); err != nil {
		t.Fatal(err)
	}
	runs, all, err = l.Newest(1)
	if err != nil || all || runs[0].ID != "20250119-a" {
		t.Errorf("%v, all %v, %v", runs, all, err)
	}
}

// The summary of a listed run shares its values with the configuration, and a Lister is safe for
// concurrent use.
func TestListedRunsShareData(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	for i := range 50 {
		id := fmt.Sprintf("20250101-%02d", i)
		dir := runDir(t, id, func(c *ConfigFile) { c.Data = DataFacts{N: 10, Classes: []string{"a", "b"}} })
		file, err := ReadConfig(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteJSON(folder(t, dir), summaryName, Summary{
			Format:      SummaryFormat,
			ID:          id,
			Config:      file.Config,
			Values:      file.Values,
			Data:        file.Data,
			ObjectiveIs: elbo,
		}); err != nil {
			t.Fatal(err)
		}
	}
	var l Lister
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			runs, err := l.Runs()
			if err != nil || len(runs) != 50 {
				t.Errorf("%d runs, %v", len(runs), err)
				return
			}
			for _, run := range runs {
				if &run.Results.Data.Classes[0] != &run.Data.Classes[0] ||
					reflect.ValueOf(run.Results.Values).Pointer() != reflect.ValueOf(run.Values).Pointer() {
					t.Errorf("%s has two copies of its values", run.ID)
				}
			}
		})
	}
	group.Wait()
}
