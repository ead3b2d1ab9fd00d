package datasets

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
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
