package datasets

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestCachedLooksAtWhatHasChanged damages a file without changing its size.
func TestCachedLooksAtWhatHasChanged(t *testing.T) {
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
	sound := func(want bool, when string) {
		t.Helper()
		for range 2 {
			if got := tiny().cached(); got != want {
				t.Errorf("%s: here is %v, want %v", when, got, want)
			}
		}
	}
	now := time.Now()
	sound(true, "fetched")
	if known := readVerified(folder); len(known) != len(tiny().Files) {
		t.Errorf("%d files are known to be sound, want %d", len(known), len(tiny().Files))
	}
	damaged := append([]byte{text[0] ^ 1}, text[1:]...)
	put(damaged, now.Add(time.Second))
	sound(false, "damaged")
	put(text, now.Add(2*time.Second))
	sound(true, "mended")
	put(text[:len(text)-1], now)
	sound(false, "cut short")
	put(text, now)
	if err := os.WriteFile(filepath.Join(folder, verifiedName), []byte("[]"), 0o644); err != nil {
		t.Fatal(err)
	}
	sound(true, "with notes that cannot be read")
}
