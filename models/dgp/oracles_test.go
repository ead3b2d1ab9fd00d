package dgp

import (
	"strings"
	"testing"

	"dgplab/models/oracletest"
)

// TestOracles checks the oracle cases of deep GPs, one subtest per file.
func TestOracles(t *testing.T) {
	cases := oracletest.Cases(t, "svgp", "mf", "star", "fc", "mask", "fc_sampled", "natgrad_per_gp",
		"natgrad_joint", "sghmc", "sghmc_trajectory")
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			switch c.Kind {
			case "natgrad_per_gp", "natgrad_joint":
				natgradCase(t, c.Text)
			case "sghmc":
				givenCase(t, c.Text)
			case "sghmc_trajectory":
				if strings.HasSuffix(c.Name, "_dgp") {
					givenPathCase(t, c.Text)
				}
			default:
				deepGPCase(t, c.Text)
				oracletest.CheckIdentity(t, c.Text, cases)
			}
		})
	}
}
