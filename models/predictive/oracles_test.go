package predictive

import (
	"testing"

	"dgplab/models/oracletest"
)

// TestOracles compares the scores of predictions with golden files, one subtest per file.
func TestOracles(t *testing.T) {
	check := map[string]func(t *testing.T, raw []byte){
		"metrics": metricsCase, "predictive_full_cov": predictiveCase,
	}
	for _, c := range oracletest.Cases(t, "metrics", "predictive_full_cov") {
		t.Run(c.Name, func(t *testing.T) { check[c.Kind](t, c.Text) })
	}
}
