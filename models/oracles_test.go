package models_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"dgplab/models/oracletest"
)

// oracleFamilies are the families claimed to exist, by their names in the case
// files. A case of one of these must be understood; others are skipped.
var oracleFamilies = map[string]func(t *testing.T, raw []byte){
	"svgp":                deepGPCase,
	"mf":                  deepGPCase,
	"star":                deepGPCase,
	"fc":                  deepGPCase,
	"mask":                deepGPCase,
	"fc_sampled":          deepGPCase,
	"natgrad_per_gp":      natgradCase,
	"natgrad_joint":       natgradCase,
	"metrics":             metricsCase,
	"predictive_full_cov": predictiveCase,
	"adam":                adamCase,
}

// oracleElsewhere are kinds of cases that another package checks, in a test of its own.
var oracleElsewhere = []string{
	"ranks",               // session/compare
	"marginal_likelihood", // models/gp
}

// TestOracles compares every golden case of a family that exists: one subtest
// per file.
func TestOracles(t *testing.T) {
	cases := oracletest.Cases(t)
	for _, c := range cases {
		if slices.Contains(oracleElsewhere, c.Kind) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			check, ok := oracleFamilies[c.Kind]
			if !ok {
				t.Skipf("%s: no code understands %q yet", c.Name, c.Kind)
			}
			check(t, c.Text)
			checkIdentity(t, c.Text, cases)
		})
	}
}

// checkIdentity verifies that an identity case really repeats the numbers of
// the case it names, so that passing both is the identity.
func checkIdentity(t *testing.T, raw []byte, cases []oracletest.Case) {
	t.Helper()
	var head struct {
		EqualsCase string   `json:"equals_case"`
		EqualsKeys []string `json:"equals_keys"`
	}
	oracletest.Decode(t, raw, &head)
	if head.EqualsCase == "" {
		return
	}
	i := slices.IndexFunc(cases, func(c oracletest.Case) bool { return c.Name == head.EqualsCase })
	if i < 0 {
		t.Logf("the case it equals, %s, is not there", head.EqualsCase)
		return
	}
	for _, key := range head.EqualsKeys {
		closeTo(t, key, flatten(lookup(t, raw, key)), flatten(lookup(t, cases[i].Text, key)), valueTolerance)
	}
}

// lookup returns the entry at a dot-separated key.
func lookup(t *testing.T, raw []byte, key string) any {
	t.Helper()
	var node any
	oracletest.Decode(t, raw, &node)
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
		var out []float64
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = append(out, flatten(v[key])...)
		}
		return out
	}
	return nil
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
