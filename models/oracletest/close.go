package oracletest

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// CheckIdentity checks that an identity case contains the same numbers as the case that it names.
// Code that passes both cases then satisfies the identity.
func CheckIdentity(t *testing.T, raw []byte, cases []Case) {
	t.Helper()
	var head struct {
		EqualsCase string   `json:"equals_case"`
		EqualsKeys []string `json:"equals_keys"`
	}
	Decode(t, raw, &head)
	if head.EqualsCase == "" {
		return
	}
	i := slices.IndexFunc(cases, func(c Case) bool { return c.Name == head.EqualsCase })
	if i < 0 {
		t.Logf("the equal case %s does not exist", head.EqualsCase)
		return
	}
	for _, key := range head.EqualsKeys {
		Close(t, key, Flatten(lookup(t, raw, key)), Flatten(lookup(t, cases[i].Text, key)), ValueTolerance)
	}
}

// lookup returns the entry at a dot-separated key.
func lookup(t *testing.T, raw []byte, key string) any {
	t.Helper()
	var node any
	Decode(t, raw, &node)
	for _, part := range strings.Split(key, ".") {
		object, ok := node.(map[string]any)
		if !ok {
			t.Fatalf("no key %q", key)
		}
		node = object[part]
	}
	return node
}

// Flatten returns the numbers of nested lists and objects in one list, objects in the order of
// their keys.
func Flatten(node any) []float64 {
	switch v := node.(type) {
	case float64:
		return []float64{v}
	case []any:
		var out []float64
		for _, item := range v {
			out = append(out, Flatten(item)...)
		}
		return out
	case map[string]any:
		var out []float64
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = append(out, Flatten(v[key])...)
		}
		return out
	}
	return nil
}

// Tolerances, relative to the largest of 1 and the absolute entries of an array.
const (
	ValueTolerance    = 1e-9
	GradientTolerance = 1e-8
)

// Close fails the test unless got and want agree entry by entry.
func Close(t *testing.T, what string, got, want []float64, tolerance float64) {
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
			t.Errorf("%s[%d] = %.17g, want %.17g (off by %.2g of %.3g)",
				what, i, got[i], w, diff/scale, scale)
			return
		}
	}
}
