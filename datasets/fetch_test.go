package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// tinyFiles holds the files of a made-up set, by name.
var tinyFiles = map[string]string{
	"data.txt": "1 2 3\n4 5 6\n7 8 9\n", "index_features.txt": "0.0\n1\n", "index_target.txt": "2\n",
	"n_splits.txt": "1\n", "index_test_0.txt": "2.0\n",
}

// tiny returns the made-up set, which is not in the catalogue.
func tiny() upstreamSet {
	s := upstreamSet{
		Name: "tiny", Format: formatTable, Repository: "some/body", Commit: "abc", Folder: "in/here",
		Rows: 3, Inputs: []string{"a", "b"}, Targets: []string{"c"}, Splits: 1,
	}
	for _, f := range []upstreamFile{
		{Name: "data.txt", Role: roleData}, {Name: "index_features.txt", Role: roleFeatures},
		{Name: "index_target.txt", Role: roleTarget}, {Name: "n_splits.txt", Role: roleSplits},
		{Name: "index_test_0.txt",
			Role: roleTestIndex},
	} {
		sum := sha256.Sum256([]byte(tinyFiles[f.Name]))
		f.Bytes = int64(len(tinyFiles[f.Name]))
		f.SHA256 = hex.EncodeToString(sum[:])
		s.Files = append(s.Files, f)
	}
	return s
}

// serveTiny serves the files of tiny.
func serveTiny(w http.ResponseWriter, r *http.Request) {
	content, ok := tinyFiles[strings.TrimPrefix(r.URL.Path, "/some/body/abc/in/here/")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write([]byte(content))
}

// fetchTiny fetches tiny from a handler into an empty cache. It skips the pauses and returns them.
func fetchTiny(
	t *testing.T, ctx context.Context, handler http.HandlerFunc, report func(Progress),
) (cache string, pauses []time.Duration, err error) {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	f, err := newFetcher(server.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	f.report = report
	f.pause = func(ctx context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		if len(pauses) == 2 {
			f.stall = time.Minute // a slow machine must not count as a stalled server
		}
		return ctx.Err()
	}
	if strings.HasSuffix(t.Name(), "/stalled") || strings.HasSuffix(t.Name(), "/dripping") {
		f.stall = 400 * time.Millisecond
	}
	cache = t.TempDir()
	t.Setenv("DGPLAB_CACHE", cache)
	err = f.install(ctx, tiny(), filepath.Join(cache, "tiny"))
	if err == nil && !tiny().intact(filepath.Join(cache, "tiny")) {
		t.Error("no error, but the set is missing")
	}
	if err != nil {
		checkEmpty(t, cache)
	}
	return cache, pauses, err
}

// checkEmpty fails the test if the cache contains anything other than lock files.
func checkEmpty(t *testing.T, cache string) {
	t.Helper()
	entries, _ := os.ReadDir(cache)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			t.Errorf("left behind: %s", e.Name())
		}
	}
}

func TestFetchReportsProgress(t *testing.T) {
	var all []Progress
	_, pauses, err := fetchTiny(t, context.Background(), serveTiny, func(p Progress) { all = append(all, p) })
	if err != nil || len(pauses) > 0 {
		t.Fatalf("%v, pauses %v", err, pauses)
	}
	for i := 1; i < len(all); i++ {
		if all[i].BytesDone < all[i-1].BytesDone || all[i].FilesDone < all[i-1].FilesDone {
			t.Errorf("progress goes back from %+v to %+v", all[i-1], all[i])
		}
	}
	s := tiny()
	want := Progress{
		Name:      "tiny",
		File:      "index_test_0.txt",
		FilesDone: 5,
		Files:     5,
		BytesDone: s.bytes(),
		Bytes:     s.bytes(),
	}
	if last := all[len(all)-1]; last != want {
		t.Errorf("last report %+v, want %+v", last, want)
	}
	ds, err := s.load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if ds.X.At(1, 1) != 5 || ds.Y.At(2, 0) != 9 || len(ds.TestRows) != 1 || ds.TestRows[0][0] != 2 {
		t.Errorf("wrong data: %+v", ds)
	}
}

// TestFetchRetries makes one file fail twice with temporary failures.
func TestFetchRetries(t *testing.T) {
	whole := tinyFiles["data.txt"]
	failures := map[string]http.HandlerFunc{
		"status 500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"status 429": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
		},
		"short body": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(whole[:5]))
		},
		"broken connection": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"broken in the body": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(whole)))
			_, _ = w.Write([]byte(whole[:5]))
		},
		"stalled": func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(whole[:5]))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"dripping": func(w http.ResponseWriter, r *http.Request) {
			for i := 0; r.Context().Err() == nil; i++ {
				_, _ = w.Write([]byte(whole[i%5 : i%5+1]))
				w.(http.Flusher).Flush()
				time.Sleep(100 * time.Millisecond)
			}
		},
	}
	for name, fail := range failures {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			handler := func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "data.txt") && asked.Add(1) <= 2 {
					fail(w, r)
					return
				}
				serveTiny(w, r)
			}
			attempts := 0
			_, pauses, err := fetchTiny(t, context.Background(), handler, func(p Progress) {
				attempts = max(attempts, p.Attempt)
			})
			if err != nil {
				t.Fatal(err)
			}
			want := []time.Duration{firstPause, 2 * firstPause}
			if name == "status 429" {
				want = []time.Duration{7 * time.Second, 7 * time.Second}
			}
			if len(pauses) != 2 || pauses[0] != want[0] || pauses[1] != want[1] || attempts != 3 {
				t.Errorf("pauses %v, want %v; %d attempts", pauses, want, attempts)
			}
		})
	}
}

func TestFetchGivesUp(t *testing.T) {
	content := tinyFiles["data.txt"]
	sum := sha256.Sum256([]byte(strings.ToUpper("x") + content[1:]))
	cases := []struct {
		name     string
		answer   http.HandlerFunc
		attempts int32
		want     []string
	}{
		{"permanent status 500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) },
			maxAttempts,
			[]string{"data.txt", "503 Service Unavailable", "after 5 attempts"}},
		{"permanently short", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(content[:1]))
		}, maxAttempts,
			[]string{"data.txt: size is 1 byte, want 18 bytes", "after 5 attempts"}},
		{"missing file", http.NotFound, 1, []string{"data.txt", "404 Not Found"}},
		{"wrong content", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("X" + content[1:]))
		}, 1,
			[]string{"data.txt: SHA-256 is " + hex.EncodeToString(sum[:]), "want " + tiny().Files[0].SHA256}},
		{"too long", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(content + "1")) },
			1,
			[]string{"data.txt: size is larger, want 18 bytes"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var asked atomic.Int32
			_, _, err := fetchTiny(t, context.Background(), func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				c.answer(w, r)
			}, nil)
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not contain %q", err, part)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error is not one line: %q", err)
			}
			if asked.Load() != c.attempts {
				t.Errorf("%d requests, want %d", asked.Load(), c.attempts)
			}
		})
	}
}

// The time limit starts again once the minimum number of bytes has arrived since its last start.
func TestSlowDownloads(t *testing.T) {
	f := &fetcher{stall: time.Hour, least: 10}
	w := f.watch("address", nil)
	defer w.timer.Stop()
	for _, c := range [][2]int64{{4, 0}, {9, 0}, {10, 10}, {19, 10}, {20, 20}, {45, 45}, {54, 45}} {
		w.received(c[0])
		if w.mark != c[1] {
			t.Errorf("after %d bytes, the limit began at %d, want %d", c[0], w.mark, c[1])
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("1"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	f.client, f.stall = server.Client(), 400*time.Millisecond
	for _, least := range []int64{1, 10} {
		f.least = least
		path := filepath.Join(t.TempDir(), "file")
		err := f.attempt(t.Context(), server.URL, tiny().Files[0], path, Progress{})
		if want := server.URL + ": received less than"; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("a byte of %d: %v", least, err)
		}
	}
}

// TestFetchStopsWhenCancelled cancels during an endless body, before a request and during a pause.
func TestFetchStopsWhenCancelled(t *testing.T) {
	endless := func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("1"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	failing := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		when    func(Progress) bool
	}{
		"in a body":         {endless, func(p Progress) bool { return p.BytesDone > 0 }},
		"before a request":  {endless, func(Progress) bool { return true }},
		"between two tries": {failing, func(p Progress) bool { return p.Attempt == 2 }},
		"at the last file":  {serveTiny, func(p Progress) bool { return p.FilesDone == 4 }},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			_, _, err := fetchTiny(t, ctx, c.handler, func(p Progress) {
				if c.when(p) {
					cancel()
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestSleepHonoursContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestConcurrentFetches runs several fetches of one set at once, with and without the lock.
func TestConcurrentFetches(t *testing.T) {
	for _, locked := range []bool{true, false} {
		t.Run(fmt.Sprintf("locked=%v", locked), func(t *testing.T) {
			var asked atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				serveTiny(w, r)
			}))
			defer server.Close()
			f, err := newFetcher(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			cache := t.TempDir()
			folder := filepath.Join(cache, "tiny")
			const fetches = 4
			errs := make([]error, fetches)
			var wg sync.WaitGroup
			for i := range fetches {
				wg.Go(func() {
					if locked {
						errs[i] = f.install(context.Background(), tiny(), folder)
						return
					}
					temporary := filepath.Join(cache, fmt.Sprint(temporaryPrefix("tiny"), i))
					errs[i] = errors.Join(os.Mkdir(temporary, 0o700),
						f.downloadAll(context.Background(), tiny(), temporary),
						publish(tiny(), temporary, folder), os.RemoveAll(temporary))
				})
			}
			wg.Wait()
			if err := errors.Join(errs...); err != nil {
				t.Error(err)
			}
			if !tiny().intact(folder) {
				t.Error("the set is missing")
			}
			if _, err := tryLock(filepath.Join(cache, "probe")); locked && err == nil &&
				int(asked.Load()) != len(tinyFiles) {
				t.Errorf("%d requests for %d files: the set was downloaded more than once",
					asked.Load(), len(tinyFiles))
			}
			left, _ := filepath.Glob(filepath.Join(cache, ".tiny.partial-*"))
			if len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestLockWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	release, err := lock(context.Background(), path)
	if errors.Is(err, errNoLocks) {
		t.Skip("locks are not supported")
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	waiting := make(chan error)
	go func() { _, err := lock(ctx, path); waiting <- err }()
	cancel()
	if err := <-waiting; !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for a held lock: %v", err)
	}
	release()
	release, err = lock(context.Background(), path)
	if err != nil {
		t.Fatalf("after release: %v", err)
	}
	release()
}

// TestFetchRepairs checks that leftovers of killed fetches are removed, that a damaged set is
// replaced and that a complete set is left alone.
func TestFetchRepairs(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		serveTiny(w, r)
	}))
	defer server.Close()
	f, err := newFetcher(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	t.Setenv("DGPLAB_CACHE", cache)
	folder := filepath.Join(cache, "tiny")
	leftover := filepath.Join(cache, temporaryPrefix("tiny")+"123")
	other := filepath.Join(cache, temporaryPrefix("other")+"123")
	write := func(dir, name, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(dir, 0o755),
			os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write(leftover, "data.txt", "1 2")
	write(other, "data.txt", "1 2")
	write(folder, "data.txt", strings.Replace(tinyFiles["data.txt"], "9", "8", 1))

	var damaged *NotFetchedError
	if _, err := tiny().load(context.Background()); !errors.As(err, &damaged) ||
		!strings.Contains(err.Error(), "data.txt in the cache is damaged; run: dgplab datasets fetch tiny") {
		t.Errorf("loading a damaged set: %v", err)
	}
	for range 2 {
		if err := f.install(context.Background(), tiny(), folder); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tiny().load(context.Background()); err != nil || !tiny().cached() {
		t.Errorf("after the repair: %v", err)
	}
	if int(asked.Load()) != len(tinyFiles) {
		t.Errorf("%d requests, want %d: a complete set was fetched again", asked.Load(), len(tinyFiles))
	}
	left, _ := filepath.Glob(filepath.Join(cache, ".*.partial-*"))
	if len(left) != 1 || left[0] != other {
		t.Errorf("unfinished folders: %v, want only that of the other set", left)
	}
}

func TestFetchFromFiles(t *testing.T) {
	mirror := filepath.Join(t.TempDir(), "a mirror")
	folder := filepath.Join(mirror, "some/body/abc/in/here")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range tinyFiles {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	slashed := filepath.ToSlash(mirror)
	for _, base := range []string{"file://" + slashed, "file://localhost" + slashed + "/",
		"file://" + strings.ReplaceAll(slashed, " ", "%20")} {
		f, err := newFetcher(base)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.install(context.Background(), tiny(), filepath.Join(t.TempDir(), "tiny")); err != nil {
			t.Errorf("%s: %v", base, err)
		}
	}
	f, err := newFetcher("file://" + slashed)
	if err != nil {
		t.Fatal(err)
	}
	f.pause = func(context.Context, time.Duration) error { t.Error("a file was tried again"); return nil }
	if err := os.WriteFile(filepath.Join(folder, "n_splits.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var mismatch *MismatchError
	if err := f.install(context.Background(), tiny(),
		filepath.Join(t.TempDir(), "tiny")); !errors.As(err, &mismatch) || mismatch.File != "n_splits.txt" {
		t.Errorf("short file: %v", err)
	}
	if err := os.Remove(filepath.Join(folder, "data.txt")); err != nil {
		t.Fatal(err)
	}
	if err := f.install(context.Background(), tiny(),
		filepath.Join(t.TempDir(), "tiny")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func TestFetchRefuses(t *testing.T) {
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	for name, want := range map[string]string{
		"nosuch": `unknown data set "nosuch"; the downloadable ones are boston,`,
		"steps":  "built in; there is nothing to fetch",
	} {
		if err := Fetch(context.Background(), name, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, mirror := range []string{"ftp://example.org", "/some/folder", "example.org", "https://",
		"http://ann:secret@example org", "http://ann:sec/ret@host", "ann:secret@example.org/?token=secret"} {
		t.Setenv("DGPLAB_MIRROR", mirror)
		if err := Fetch(context.Background(), "boston", nil); err == nil || err.Error() !=
			"DGPLAB_MIRROR: want an address that starts with http://, https:// or file://" {
			t.Errorf("%s: %v", mirror, err)
		}
	}
}

// The user, the password and the query of a mirror reach the mirror, but no error shows them.
func TestSecretsOfMirror(t *testing.T) {
	const secret = "secret"
	asked := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		asked = strings.Join([]string{r.URL.Path, user, password, r.URL.RawQuery}, " ")
		switch r.FormValue("do") {
		case "fail":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "redirect":
			http.Redirect(w, r, "http://secret:secret@127.0.0.1:1/x?signature=secret", http.StatusFound)
		case "nowhere":
			w.Header().Set("Location", "http://secret:secret@[::1/x?signature=secret")
			w.WriteHeader(http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	for mirror, want := range map[string]string{
		"http://secret:secret@" + host + "/base/?do=none&token=secret":    "http://xxxxx@" + host + "/base/",
		"http://secret:secret@" + host + "/base?do=fail&token=secret":     "?xxxxx: the server returned 503",
		"http://secret:secret@" + host + "/base?do=redirect&token=secret": "refused",
		"http://secret:secret@" + host + "/base?do=nowhere&token=secret":  "failed to parse Location",
		"http://secret:secret@127.0.0.1:1/base?token=secret":              "http://xxxxx@127.0.0.1:1/base/",
		"http://secret@127.0.0.1:1/base?secret":                           "refused",
	} {
		asked = ""
		t.Setenv("DGPLAB_CACHE", t.TempDir())
		f, err := newFetcher(mirror)
		if err != nil {
			t.Fatal(err)
		}
		f.pause = func(context.Context, time.Duration) error { return nil }
		err = f.fetch(t.Context(), "boston")
		if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), want) {
			t.Errorf("the mirror %s: %v, want %q without secrets", mirror, err, want)
		}
		if asked != "" && (!strings.HasPrefix(asked, "/base/") ||
			!strings.Contains(asked, " secret secret do=") ||
			!strings.HasSuffix(asked, "token=secret")) {
			t.Errorf("the mirror %s was asked for %s", mirror, asked)
		}
	}
}

func TestCacheDir(t *testing.T) {
	t.Setenv("HOME", "/home/someone")
	for _, c := range []struct{ own, xdg, want string }{
		{"", "", "/home/someone/.cache/dgplab/datasets"},
		{"", "/x", "/x/dgplab/datasets"},
		{"", "relative", "/home/someone/.cache/dgplab/datasets"},
		{"/own", "/x", "/own"},
	} {
		t.Setenv("DGPLAB_CACHE", c.own)
		t.Setenv("XDG_CACHE_HOME", c.xdg)
		if got, err := CacheDir(); err != nil || filepath.ToSlash(got) != c.want {
			t.Errorf("%+v: %s, %v", c, got, err)
		}
	}
}
