// Package oracletest finds the golden cases: files of inputs and of the numbers that
// the mathematics must give for them. Only tests import it, those of any package.
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
	Name string // of its file, without .json
	Kind string // what it is a case of: its entry "family", or "method" of those without
	Text []byte // JSON
}

// Cases returns the golden cases of the given kinds, of all kinds if none is given,
// sorted by name. Where there is none of these kinds the test is skipped.
//
// They are the files models/testdata/oracles/*.json, or those of the folder that
// $DGPLAB_ORACLES names, relative to the root of the repository.
func Cases(t *testing.T, kinds ...string) []Case {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder(t), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("there is no golden case in %s", folder(t))
	}
	var cases []Case
	for _, file := range files {
		c := read(t, file)
		if len(kinds) == 0 || slices.Contains(kinds, c.Kind) {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		t.Skipf("there is no golden case of %s in %s", strings.Join(kinds, ", "), folder(t))
	}
	return cases
}

// read returns the case of a file.
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

// Decode reads JSON into what v points to.
func Decode(t *testing.T, text []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
}

// folder returns where the cases are.
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

// root returns the root of the repository, which has a go.mod.
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
