package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"dgplab/viz/golden"
)

// TestRandomSets downloads random small sets in all formats of the catalogue from a server that sometimes
// fails, loads them, and damages their files. All requests, pauses, errors and data must be as recorded.
func TestRandomSets(t *testing.T) {
	var sums golden.Sums
	for i, format := range []string{formatTable, formatCSV, formatPlain, "train and test", "classes"} {
		r := &tables{Rand: rand.New(rand.NewPCG(uint64(i), 32))}
		for range 16 {
			s, texts := r.upstream(format)
			useSet(t, sums.Group(format), r, s, texts)
		}
	}
	w := sums.Group("catalogue")
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	for _, info := range Catalogue() {
		text, err := info.Kind.MarshalText()
		fmt.Fprintf(w, "%+v %s %v %v\n", info, text, err, info.DefaultSplit())
	}
	for _, name := range []string{"bostn", "", "./x", "nothing at all", "Steps"} {
		_, err := Lookup(name)
		fmt.Fprintln(w, err, Fetch(t.Context(), name, nil))
	}
	sums.Check(t, "sets")
}

// upstream draws a set of the catalogue and the texts of its files, most of which are valid.
func (r *tables) upstream(format string) (s upstreamSet, texts map[string]string) {
	s = upstreamSet{Name: "set", Title: "A set", Collection: "someone", Format: format,
		Repository: "some/body", Commit: "abcdefghij", Folder: of(r, "", "in/here"), Rows: 3 + r.IntN(5)}
	if format == formatTable || format == formatCSV {
		s.Splits = r.IntN(3)
	}
	for k := range 1 + r.IntN(3) {
		s.Inputs = append(s.Inputs, "x"+strconv.Itoa(k))
	}
	for k := range 1 + r.IntN(2) {
		s.Targets = append(s.Targets, "y"+strconv.Itoa(k))
	}
	if r.IntN(4) == 0 {
		s.Warnings = []string{"take care"}
		s.Usual = 1
	}
	if format == "classes" {
		s.Targets = s.Targets[:1]
		s.Classes = []upstreamClass{{"a", "first"}, {"b", "second"}, {"7", "third"}}[:2+r.IntN(2)]
		s.Format = formatPlain
	}
	width := len(s.Inputs) + len(s.Targets)
	if s.Format != formatTable && r.IntN(3) == 0 {
		s.Columns = r.Perm(width + 1)[:width]
		width++
	}
	label := -1
	if s.Classes != nil {
		label = len(s.Inputs)
	}
	if label > 0 && s.Columns != nil {
		label = s.Columns[label]
	}
	texts = map[string]string{}
	add := func(name, role string, split int, text string) {
		if r.IntN(40) == 0 {
			return
		}
		if r.IntN(40) == 0 {
			text = of(r, "", "x", text+text, "1.5", "-1", "99", text+"\n1")
		}
		texts[name] = text
		sum := sha256.Sum256([]byte(text))
		s.Files = append(s.Files, upstreamFile{Name: name, Role: role, Split: split, Bytes: int64(len(text)),
			SHA256: hex.EncodeToString(sum[:])})
	}
	row := func(separator string, cells int, cell func(k int) string) string {
		var list []string
		for k := range cells {
			list = append(list, cell(k))
		}
		return strings.Join(list, separator) + "\n"
	}
	cell := func(k int) string {
		if k == label {
			return of(r, "a", "b", "a", "b", s.Classes[len(s.Classes)-1].Label)
		}
		if r.IntN(60) == 0 {
			return of(r, "?", "", "NA", "c", "1,5")
		}
		return strconv.Itoa(r.IntN(90)) + of(r, "", ".5", "e-1")
	}
	rows := func(separator string, n int) (text string) {
		for range n {
			text += row(separator, width, cell)
		}
		return text
	}
	indices := func(from, n int) string {
		return row(of(r, "\n", " "), n, func(k int) string { return strconv.Itoa(from+k) + of(r, "", ".0") })
	}
	switch format {
	case formatTable:
		add("data.txt", roleData, 0, rows(" ", s.Rows))
		add("features.txt", roleFeatures, 0, indices(0, len(s.Inputs)))
		add("target.txt", roleTarget, 0, indices(len(s.Inputs), len(s.Targets)))
		add("splits.txt", roleSplits, 0, strconv.Itoa(s.Splits)+"\n")
		for k := range s.Splits {
			add(fmt.Sprintf("test%d.txt", k), roleTestIndex, k, indices(r.IntN(s.Rows-1), 2))
		}
	case formatCSV:
		add("data.csv", roleData, 0, rows(",", s.Rows))
		mask := ""
		for range s.Rows {
			mask += row(",", max(1, s.Splits), func(int) string { return of(r, "0", "1", "0.0") })
		}
		add("mask.csv", roleTestMask, 0, mask)
	case "train and test":
		s.Format, s.Splits = formatPlain, 1
		first := 1 + r.IntN(s.Rows-1)
		header := row(",", width, func(k int) string { return "c" + strconv.Itoa(k) })
		add("train.csv", roleTrain, 0, header+rows(",", first))
		add("test.csv", roleTest, 0, header+rows(",", s.Rows-first))
	default:
		add("data.csv", roleData, 0, rows(",", s.Rows))
	}
	return s, texts
}

// sender answers requests without a network.
type sender func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (s sender) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

// useSet downloads, loads and damages a set and writes what happens.
func useSet(t *testing.T, w io.Writer, r *tables, s upstreamSet, texts map[string]string) {
	t.Helper()
	cache := t.TempDir()
	t.Setenv("DGPLAB_CACHE", cache)
	folder := filepath.Join(cache, s.Name)
	f, err := newFetcher(of(r, "http://mirror/a/", "https://mirror"))
	if err != nil {
		t.Fatal(err)
	}
	f.client.Transport = sender(func(request *http.Request) (*http.Response, error) {
		text := texts[filepath.Base(request.URL.Path)]
		fmt.Fprintln(w, request.Method, request.URL, request.Header)
		answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}}
		body := io.Reader(strings.NewReader(text))
		switch r.IntN(60) {
		case 0:
			answer.StatusCode = []int{404, 500, 429, 408, 503}[r.IntN(5)]
			answer.Header.Set("Retry-After", of(r, "", "3", "100", "-1", "soon"))
		case 1:
			return nil, errors.New("no connection")
		case 2:
			body = strings.NewReader(text[:r.IntN(len(text)+1)])
		case 3:
			body = io.MultiReader(strings.NewReader(text), strings.NewReader("1"))
		case 4:
			body = iotest.ErrReader(errors.New("a broken connection"))
		case 5:
			body = strings.NewReader(strings.ToUpper(text))
		}
		answer.Body = io.NopCloser(body)
		return answer, nil
	})
	f.pause = func(_ context.Context, d time.Duration) error {
		fmt.Fprintln(w, "pause", d)
		return nil
	}
	f.report = func(p Progress) { fmt.Fprintf(w, "%+v\n", p) }
	fmt.Fprintln(w, f.install(t.Context(), s, folder))
	fmt.Fprintf(w, "%v %+v\n", s.intact(folder), s.info())
	writeSet(t, w, s)
	if len(s.Files) == 0 {
		return
	}
	path := filepath.Join(folder, s.Files[r.IntN(len(s.Files))].Name)
	switch r.IntN(4) {
	case 0:
		os.Remove(path)
	case 1:
		os.WriteFile(path, []byte("1"), 0o600)
	case 2:
		text, _ := os.ReadFile(path)
		os.WriteFile(path, []byte(strings.ToUpper(string(text))), 0o600)
	case 3:
		os.RemoveAll(folder)
	}
	fmt.Fprintln(w, s.intact(folder), s.cached(), s.cached())
	writeSet(t, w, s)
	fmt.Fprintln(w, f.install(t.Context(), s, folder), s.cached())
}

// writeSet writes the data of a set in the cache.
func writeSet(t *testing.T, w io.Writer, s upstreamSet) {
	t.Helper()
	ds, err := s.load(t.Context())
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	writeDataset(w, ds)
	fmt.Fprintln(w, ds.TestRows)
}
