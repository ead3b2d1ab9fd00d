package models_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// The golden cases are JSON files; their README says every key. A case names
// its family by the key "family", or by "method" in the second group.
type oracle struct {
	Family string `json:"family"`
	Method string `json:"method"`
}

// oracleFamilies are the families claimed to exist, by their names in the case
// files. A case of one of these must be understood; others are skipped.
var oracleFamilies = map[string]func(t *testing.T, raw []byte){
	"svgp":           deepGPCase,
	"mf":             deepGPCase,
	"star":           deepGPCase,
	"fc":             deepGPCase,
	"mask":           deepGPCase,
	"fc_sampled":     deepGPCase,
	"natgrad_per_gp": natgradCase,
	"natgrad_joint":  natgradCase,
	"metrics":        metricsCase,
	"adam":           adamCase,
}

// oraclesDir is where the cases are, relative to this package unless it is given.
func oraclesDir() string {
	if dir := os.Getenv("DGPLAB_ORACLES"); dir != "" {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join("..", dir) // relative to the repository root
		}
		return dir
	}
	return filepath.Join("..", "..", "shared", "oracles")
}

// TestOracles compares every golden case of a family that exists: one subtest
// per file.
func TestOracles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(oraclesDir(), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("no golden cases in %s; set DGPLAB_ORACLES to their folder", oraclesDir())
	}
	sort.Strings(files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var head oracle
			if err := json.Unmarshal(raw, &head); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			check, ok := oracleFamilies[head.Family]
			if !ok {
				t.Skipf("family %q does not exist yet", head.Family+head.Method)
			}
			check(t, raw)
			checkIdentity(t, raw)
		})
	}
}

// checkIdentity verifies that an identity case really repeats the numbers of
// the case it names, so that passing both is the identity.
func checkIdentity(t *testing.T, raw []byte) {
	t.Helper()
	var head struct {
		EqualsCase string   `json:"equals_case"`
		EqualsKeys []string `json:"equals_keys"`
	}
	mustDecode(t, raw, &head)
	if head.EqualsCase == "" {
		return
	}
	other, err := os.ReadFile(filepath.Join(oraclesDir(), head.EqualsCase+".json"))
	if err != nil {
		t.Logf("the case it equals is not there: %v", err)
		return
	}
	for _, key := range head.EqualsKeys {
		closeTo(t, key, flatten(lookup(t, raw, key)), flatten(lookup(t, other, key)), valueTolerance)
	}
}

// lookup returns the entry at a dot-separated key.
func lookup(t *testing.T, raw []byte, key string) any {
	t.Helper()
	var node any
	mustDecode(t, raw, &node)
	for _, part := range strings.Split(key, ".") {
		object, ok := node.(map[string]any)
		if !ok {
			t.Fatalf("no key %q", key)
		}
		node = object[part]
	}
	return node
}

// flatten returns the numbers of nested lists and objects, in order of keys.
func flatten(node any) []float64 {
	switch v := node.(type) {
	case float64:
		return []float64{v}
	case []any:
		var out []float64
		for _, item := range v {
			out = append(out, flatten(item)...)
		}
		return out
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		var out []float64
		for _, key := range keys {
			out = append(out, flatten(v[key])...)
		}
		return out
	}
	return nil
}

func mustDecode(t *testing.T, raw []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

// Tolerances, relative to the largest entry of an array, or
// to 1 where that is smaller.
const (
	valueTolerance    = 1e-9
	gradientTolerance = 1e-8
)

// closeTo fails unless got and want agree entry by entry.
func closeTo(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	scale := 1.0
	for _, w := range want {
		scale = max(scale, w, -w)
	}
	for i, w := range want {
		if diff := got[i] - w; !(diff <= tolerance*scale && -diff <= tolerance*scale) {
			t.Errorf("%s[%d] = %.17g, want %.17g (off by %.2g of %.3g)", what, i, got[i], w, diff/scale, scale)
			return
		}
	}
}
