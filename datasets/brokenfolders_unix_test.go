//go:build !windows

package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"
)

// Each step of a fetch returns an error if a folder is missing, or if there is a file instead of a
// folder or a folder instead of a file.
func TestFetchIntoBrokenFolders(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing")
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	fetch := func(cache string) error {
		t.Setenv("DGPLAB_CACHE", cache)
		t.Setenv("DGPLAB_MIRROR", "file://"+missing)
		return Fetch(context.Background(), "boston", nil)
	}
	if err := os.MkdirAll(filepath.Join(dir, "locked", ".boston.lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	f, err := newFetcher("file://" + missing)
	if err != nil {
		t.Fatal(err)
	}
	paused := errors.New("no pause")
	silent := *f
	silent.base = "http://127.0.0.1:1"
	silent.pause = func(context.Context, time.Duration) error { return paused }
	fetchAll := func(cache string) error {
		t.Setenv("DGPLAB_CACHE", cache)
		t.Setenv("DGPLAB_MIRROR", "file://"+missing)
		return Fetch(context.Background(), All, nil)
	}
	empty := upstreamFile{Name: "empty", SHA256: hex.EncodeToString(sha256.New().Sum(nil))}
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.MkdirAll(filepath.Join(outside, "tiny"), 0o700); err != nil {
		t.Fatal(err)
	}
	long := tiny()
	long.Name = strings.Repeat("x", 240)
	broken := iotest.ErrReader(syscall.EIO)
	_, read := tiny().read(file, tiny().Files[0])
	_, loaded := tiny().load(ctx)
	t.Setenv("DGPLAB_MIRROR", "nowhere")
	err = Fetch(ctx, "boston", nil)
	if err == nil || !strings.HasPrefix(err.Error(), "DGPLAB_MIRROR: want") {
		t.Errorf("a bad mirror: %v", err)
	}
	if _, err := f.open(ctx, "http://\x7f"); err == nil {
		t.Error("a bad address is opened")
	}
	var notFetched *NotFetchedError
	if !errors.As(loaded, &notFetched) {
		t.Errorf("loaded: %v", loaded)
	}
	for what, test := range map[string]struct{ got, want error }{
		"read":           {read, syscall.ENOTDIR},
		"save":           {save(strings.NewReader(""), tiny().Files[0], missing+"/a", false), fs.ErrNotExist},
		"save broken":    {save(broken, tiny().Files[0], filepath.Join(dir, "a"), false), syscall.EIO},
		"pause":          {silent.downloadAll(ctx, tiny(), dir), paused},
		"sync":           {syncFolder(missing), fs.ErrNotExist},
		"leftovers":      {clearLeftovers(missing, "tiny"), fs.ErrNotExist},
		"publish":        {publish(tiny(), missing, missing), fs.ErrNotExist},
		"publish empty":  {publish(tiny(), t.TempDir(), filepath.Join(missing, "tiny")), fs.ErrNotExist},
		"download":       {f.downloadAll(ctx, tiny(), missing), fs.ErrNotExist},
		"install":        {f.install(ctx, tiny(), filepath.Join(file, "tiny")), syscall.ENOTDIR},
		"cache a file":   {fetch(file), syscall.ENOTDIR},
		"lock a folder":  {fetch(filepath.Join(dir, "locked")), syscall.EISDIR},
		"sync a file":    {save(strings.NewReader(""), empty, os.DevNull, false), syscall.EINVAL},
		"publish inside": {publish(tiny(), outside, filepath.Join(outside, "tiny")), syscall.EINVAL},
		"a long name":    {f.install(ctx, long, filepath.Join(dir, "long")), syscall.ENAMETOOLONG},
		"fetch all":      {fetchAll(filepath.Join(dir, "cache")), fs.ErrNotExist},
		"mirror missing": {fetch(filepath.Join(dir, "cache")), fs.ErrNotExist},
	} {
		if !errors.Is(test.got, test.want) {
			t.Errorf("%s: %v, want %v", what, test.got, test.want)
		}
	}
	t.Setenv("DGPLAB_CACHE", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	for what, call := range map[string]func() error{
		"the folder": func() error { _, err := CacheDir(); return err },
		"a set":      func() error { _, err := tiny().folder(); return err },
		"loading":    func() error { _, err := tiny().load(ctx); return err },
		"fetch":      func() error { return Fetch(context.Background(), "boston", nil) },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), "set DGPLAB_CACHE") {
			t.Errorf("%s without a cache: %v", what, err)
		}
	}
}
