package datasets

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"dgplab/datasets/files"
	"dgplab/datasets/table"
)

// defaultBase is the base address of the files in the catalogue.
const defaultBase = "https://raw.githubusercontent.com"

const (
	maxAttempts = 5
	// firstPause is the pause after the first failed attempt. It doubles with each further attempt.
	firstPause = 500 * time.Millisecond
	// maxPause is the longest pause that a server can request.
	maxPause = 30 * time.Second
	// A connection that delivers less than leastBytes within stallLimit is aborted: 1 KB per
	// second.
	stallLimit = 30 * time.Second
	leastBytes = 30 << 10
)

// fetcher downloads files from a base address.
type fetcher struct {
	base   string // may have a user, a password and a query
	client *http.Client
	pause  func(context.Context, time.Duration) error
	stall  time.Duration
	least  int64 // minimum number of bytes per stall, except at the end of the file
	report func(Progress)
}

// newFetcher returns a fetcher for a mirror, or for the default base if mirror is empty.
func newFetcher(mirror string) (*fetcher, error) {
	base := cmp.Or(mirror, defaultBase)
	if !strings.HasPrefix(base, fileScheme) {
		address, err := url.Parse(base)
		if err != nil || !isHTTP(base) || address.Host == "" {
			// The value is not shown: it may hold a password.
			return nil, errors.New("DGPLAB_MIRROR: want an address that starts with http://, https:// " +
				"or file://")
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true // the hashes are of the uncompressed files
	return &fetcher{
		base:   base,
		client: &http.Client{Transport: transport},
		pause:  sleep,
		stall:  stallLimit,
		least:  leastBytes,
	}, nil
}

const fileScheme = "file://"

func isHTTP(base string) bool {
	return strings.HasPrefix(base, "http://") || strings.HasPrefix(base, "https://")
}

// address returns the address of a file. A query of the base, which may hold a token, comes after the path.
func (f *fetcher) address(s upstreamSet, file upstreamFile) string {
	path := strings.Join([]string{s.Repository, s.Commit, s.repositoryPath(file)}, "/")
	base, query, _ := strings.Cut(f.base, "?")
	if strings.HasPrefix(f.base, fileScheme) {
		base, query = f.base, ""
	}
	address := strings.TrimRight(base, "/") + "/" + path
	if query != "" {
		address += "?" + query
	}
	return address
}

// Secrets in the texts of errors: the user and the password in an address, and its query.
var (
	userInAddress  = regexp.MustCompile(`(https?://)[^"]*@`)
	queryInAddress = regexp.MustCompile(`(https?://[^\s"?]*\?)[^\s"]*?(:?(?:[\s"]|$))`)
)

// discreet returns an error with the text of err, but without the passwords and tokens of its addresses.
// Errors of net/http show these for the mirror, a proxy and the target of a redirection.
func discreet(err error) error {
	if err == nil {
		return nil
	}
	text := userInAddress.ReplaceAllString(err.Error(), "${1}xxxxx@")
	text = queryInAddress.ReplaceAllString(text, "${1}xxxxx$2")
	return &discreetError{text, err}
}

// discreetError replaces the text of an error.
type discreetError struct {
	text string
	err  error
}

func (e *discreetError) Error() string { return e.text }
func (e *discreetError) Unwrap() error { return e.err }

// StatusError reports that a server refused a file.
type StatusError struct {
	URL string
	// Code is the HTTP status.
	Code int
	// RetryAfter is the pause requested by the server, or 0.
	RetryAfter time.Duration
}

// Error includes the status and the address.
func (e *StatusError) Error() string {
	return fmt.Sprintf("%s: the server returned %d %s", e.URL, e.Code, http.StatusText(e.Code))
}

// MismatchError reports that a file differs from the catalogue.
type MismatchError struct {
	File string
	// What is "size" or "SHA-256".
	What, Want, Got string
}

// Error includes the file and the expected and actual values.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s: %s is %s, want %s", e.File, e.What, e.Got, e.Want)
}

// transientError wraps a failure that may be temporary.
type transientError struct{ error }

func (e transientError) Unwrap() error { return e.error }

// download downloads one file to path, which must not exist. It retries after temporary failures.
func (f *fetcher) download(
	ctx context.Context, s upstreamSet, file upstreamFile, path string, progress Progress,
) error {
	address := f.address(s, file)
	wait := firstPause
	for attempt := 1; ; attempt++ {
		progress.Attempt = attempt
		f.reportProgress(progress)
		err := f.attempt(ctx, address, file, path, progress)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var transient transientError
		if !errors.As(err, &transient) {
			return err
		}
		if attempt == maxAttempts {
			return fmt.Errorf("%w (after %d attempts)", transient.error, attempt)
		}
		var status *StatusError
		pause := wait
		if errors.As(err, &status) {
			pause = max(pause, min(status.RetryAfter, maxPause))
		}
		if err := f.pause(ctx, pause); err != nil {
			return err
		}
		wait *= 2
	}
}

// attempt downloads and verifies one file once.
func (f *fetcher) attempt(
	ctx context.Context, address string, file upstreamFile, path string, progress Progress,
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := f.watch(address, cancel)
	defer watch.timer.Stop()

	err := func() error {
		body, err := f.open(ctx, address)
		if err != nil {
			return err
		}
		defer body.Close()
		received := func(n int64) {
			watch.received(n)
			p := progress
			p.BytesDone += n
			f.reportProgress(p)
		}
		return save(&countingReader{ctx: ctx, reader: body, received: received}, file, path, isHTTP(address))
	}()
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// watch aborts a download that has stalled or is too slow.
type watch struct {
	*fetcher
	timer *time.Timer
	mark  int64        // bytes received when the timer was set
	now   atomic.Int64 // bytes received
}

// watch starts watching a download.
func (f *fetcher) watch(address string, cancel context.CancelCauseFunc) *watch {
	w := &watch{fetcher: f}
	w.timer = time.AfterFunc(f.stall, func() {
		what := "received nothing"
		if w.now.Load() > 0 {
			what = fmt.Sprintf("received less than %s", sizeText(f.least))
		}
		cancel(transientError{fmt.Errorf("%s: %s in %v", address, what, f.stall)})
	})
	return w
}

// received records the number of bytes received so far.
func (w *watch) received(n int64) {
	w.now.Store(n)
	if n-w.mark >= w.least {
		w.mark = n
		w.timer.Reset(w.stall)
	}
}

// open returns the content at an address.
func (f *fetcher) open(ctx context.Context, address string) (io.ReadCloser, error) {
	if path, ok := strings.CutPrefix(address, fileScheme); ok {
		return files.OpenLinked(filePath(path))
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "dgplab")
	response, err := f.client.Do(request)
	if err != nil {
		return nil, transientError{err}
	}
	if response.StatusCode == http.StatusOK {
		return response.Body, nil
	}
	_ = response.Body.Close()
	status := &StatusError{URL: address, Code: response.StatusCode}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil &&
		seconds > 0 && seconds < 1e6 {
		status.RetryAfter = time.Duration(seconds) * time.Second
	}
	if status.Code >= 500 || status.Code == http.StatusTooManyRequests ||
		status.Code == http.StatusRequestTimeout {
		return nil, transientError{status}
	}
	return nil, status
}

// filePath returns the path of a file address without its scheme. It returns relative paths, which
// the standard does not define, unchanged.
func filePath(path string) string {
	path = strings.TrimPrefix(path, "localhost")
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	return filepath.FromSlash(path)
}

// save writes the body to a new file at path and syncs it, unless it differs from the catalogue. A
// network body that is too short is a transient error.
func save(body io.Reader, file upstreamFile, path string, network bool) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	digest := sha256.New()
	// One extra byte suffices to detect excess data.
	n, err := io.Copy(io.MultiWriter(out, digest), io.LimitReader(body, file.Bytes+1))
	var write *os.PathError
	switch {
	case err != nil && (errors.As(err, &write) || !network):
		return err
	case err != nil:
		return transientError{fmt.Errorf("%s: %w", file.Name, err)}
	case n > file.Bytes:
		return &MismatchError{File: file.Name, What: "size", Want: sizeText(file.Bytes), Got: "larger"}
	case n < file.Bytes:
		short := &MismatchError{File: file.Name, What: "size", Want: sizeText(file.Bytes), Got: sizeText(n)}
		if network {
			return transientError{short}
		}
		return short
	}
	if sum := hex.EncodeToString(digest.Sum(nil)); sum != file.SHA256 {
		return &MismatchError{File: file.Name, What: "SHA-256", Want: file.SHA256, Got: sum}
	}
	if err := out.Sync(); err != nil {
		return err
	}
	return out.Close()
}

func sizeText(n int64) string { return table.Plural(int(n), "byte") }

// countingReader reports the number of bytes read and stops when ctx is cancelled.
type countingReader struct {
	ctx      context.Context
	reader   io.Reader
	received func(n int64)
	n        int64
}

func (r *countingReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.reader.Read(p)
	if n > 0 {
		r.n += int64(n)
		r.received(r.n)
	}
	return n, err
}

// reportProgress reports progress if a callback is set.
func (f *fetcher) reportProgress(p Progress) {
	if f.report != nil {
		f.report(p)
	}
}

// sleep waits for d. It returns the error of ctx if ctx is cancelled first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
