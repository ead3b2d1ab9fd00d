// Package oracletest reads the golden cases, which are files with inputs and expected numerical
// results, and compares lists of numbers. It is for tests only.
package oracletest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Case is one golden case.
type Case struct {
	Name string // file name without .json
	Kind string // the entry "family", or "method" for cases without a family
	Text []byte // JSON
}

// Cases returns the golden cases of the given kinds, or all cases if no kind is given, sorted by
// name. It skips the test if there are none.
//
// The cases are the files models/testdata/oracles/*.json, or the JSON files in the folder named by
// $DGPLAB_ORACLES, relative to the root of the repository.
func Cases(t *testing.T, kinds ...string) []Case {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder(t), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no golden cases in %s", folder(t))
	}
	var cases []Case
	for _, file := range files {
		c := read(t, file)
		if len(kinds) == 0 || slices.Contains(kinds, c.Kind) {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		t.Skipf("no golden cases of kind %s in %s", strings.Join(kinds, ", "), folder(t))
	}
	return cases
}

// read reads a case from a file.
func read(t *testing.T, file string) Case {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var head struct{ Family, Method string }
	Decode(t, text, &head)
	if head.Family == "" {
		head.Family = head.Method
	}
	return Case{Name: strings.TrimSuffix(filepath.Base(file), ".json"), Kind: head.Family, Text: text}
}

// Decode decodes JSON into v.
func Decode(t *testing.T, text []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
}

// folder returns the path of the folder with the cases.
func folder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("DGPLAB_ORACLES")
	if dir == "" {
		dir = "models/testdata/oracles"
	}
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(root(t), dir)
}

// root returns the root of the repository, the nearest parent folder with a go.mod.
func root(t *testing.T) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatalf("no folder above %s has a go.mod", here)
		}
	}
}
