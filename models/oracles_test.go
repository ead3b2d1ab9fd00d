package models_test

import (
	"slices"
	"testing"

	"dgplab/models/oracletest"
)

// oracleFamilies are the families claimed to exist, by their names in the case
// files. A case of one of these must be understood; others are skipped.
var oracleFamilies = map[string]func(t *testing.T, raw []byte){
	"metrics":             metricsCase,
	"predictive_full_cov": predictiveCase,
	"adam":                adamCase,
}

// oracleElsewhere are kinds of cases that another package checks, in a test of its own.
var oracleElsewhere = []string{
	"svgp", "mf", "star", "fc", "mask", "fc_sampled", "natgrad_per_gp", "natgrad_joint", // models/dgp
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
		})
	}
}
