package models_test

import (
	"testing"

	"dgplab/models/oracletest"
)

// checked maps each kind of golden case to the package that checks it in TestOracles or in a test
// whose name ends in Oracles.
var checked = map[string]string{
	"svgp": "models/dgp", "mf": "models/dgp", "star": "models/dgp", "fc": "models/dgp", "mask": "models/dgp",
	"fc_sampled": "models/dgp", "natgrad_per_gp": "models/dgp", "natgrad_joint": "models/dgp",
	"marginal_likelihood": "models/gp", "linear": "models/linear",
	"avdgp": "models/deep", "idsgp": "models/deep", "dspp": "models/deep", "ppgpr": "models/deep",
	"solve_gp": "models/deep", "iw": "models/deep",
	"gprn_mf": "models/gprn", "gprn_npv": "models/gprn",
	"kernel": "models/kernel", "kernel_gp": "models/gp", "loo": "models/gp",
	"psi": "models/kernel", "aep": "models/ep", "aep_fitc": "models/ep", "sep": "models/ep",
	"bnn_vi": "models/bnn", "bnn_dropout": "models/bnn", "bnn_pbp": "models/bnn", "bnn_sgld": "models/bnn",
	"bnn_hmc": "models/bnn", "rhat_ess": "models/sampling",
	"sghmc": "models/dgp", "sghmc_trajectory": "models/sampling and models/dgp",
	"adam":    "models/infer",
	"metrics": "models/predictive", "predictive_full_cov": "models/predictive",
	"likelihood": "models/likelihood", "multiclass_argmax": "models/likelihood",
	"multiclass_softmax": "models/likelihood",
	"ranks":              "session/compare",
}

// TestUnknownOracles skips each case of a kind that no package checks, so a run of all Oracles
// tests reports every file.
func TestUnknownOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t) {
		if checked[c.Kind] != "" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Skipf("no package checks %q", c.Kind)
		})
	}
}
