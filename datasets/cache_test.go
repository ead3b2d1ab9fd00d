package datasets

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dgplab/datasets/table"
)

// TestCachedDetectsChanges damages a file without changing its size.
func TestCachedDetectsChanges(t *testing.T) {
	cache, _, err := fetchTiny(t, context.Background(), http.HandlerFunc(serveTiny), nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(cache, "tiny")
	path := filepath.Join(folder, tiny().Files[0].Name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put := func(text []byte, changed time.Time) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	checkCached := func(want bool, when string) {
		t.Helper()
		for range 2 {
			if got := tiny().cached(); got != want {
				t.Errorf("%s: cached is %v, want %v", when, got, want)
			}
		}
	}
	now := time.Now()
	checkCached(true, "fetched")
	if known := readVerified(folder); len(known) != len(tiny().Files) {
		t.Errorf("%d files are verified, want %d", len(known), len(tiny().Files))
	}
	damaged := append([]byte{text[0] ^ 1}, text[1:]...)
	put(damaged, now.Add(time.Second))
	checkCached(false, "damaged")
	put(text, now.Add(2*time.Second))
	checkCached(true, "repaired")
	put(text[:len(text)-1], now)
	checkCached(false, "truncated")
	put(text, now)
	if err := os.WriteFile(filepath.Join(folder, verifiedName), []byte("[]"), 0o644); err != nil {
		t.Fatal(err)
	}
	checkCached(true, "with an unreadable list of verified files")
}

// TestDamagedCacheIsNotRead checks the errors for missing, damaged and irregular files.
func TestDamagedCacheIsNotRead(t *testing.T) {
	cache, _, err := fetchTiny(t, context.Background(), http.HandlerFunc(serveTiny), nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(cache, "tiny")
	file := tiny().Files[0]
	path := filepath.Join(folder, file.Name)
	text, err := tiny().read(folder, file)
	if err != nil || int64(len(text)) != file.Bytes {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	check := func(folder, want string) {
		t.Helper()
		var absent *NotFetchedError
		if text, err := tiny().read(folder, file); text != nil || !errors.As(err, &absent) ||
			absent.Name != "tiny" || absent.Problem != want {
			t.Errorf("%d bytes, error %v, want %q", len(text), err, want)
		}
	}
	for _, damaged := range [][]byte{append([]byte{text[0] ^ 1}, text[1:]...), text[1:], append(text, ' ')} {
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		check(folder, file.Name+" in the cache is damaged")
	}
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil {
		t.Fatal(err)
	}
	check(folder, file.Name+" in the cache is damaged")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	check(folder, file.Name+" is missing from the cache")
	check(filepath.Join(cache, "nothing"), "")
}

// Choices of columns and unknown targets are errors for named data sets.
func TestChoicesOfCatalogueSets(t *testing.T) {
	for want, s := range map[string]Source{
		"data set steps is not a file, so its columns cannot be chosen: missing=drop": {Name: "steps",
			Columns: table.Choices{Missing: table.MissingDrop}},
		"data set steps: ": {Name: "steps", Targets: []string{"nothing"}},
	} {
		if ds, err := Load(context.Background(), s); ds != nil || err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, error %v, want %s", ds != nil, err, want)
		}
	}
}
