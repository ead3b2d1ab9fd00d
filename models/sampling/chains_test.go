package sampling

import (
	"math"
	"testing"

	"dgplab/models/oracletest"
)

func TestOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "rhat_ess") {
		var g struct {
			Data struct {
				Names []string
				Draws [][][]float64
			}
			Expect struct {
				Quantities []struct {
					Rhat       float64
					RhatBulk   float64 `json:"rhat_bulk"`
					RhatFolded float64 `json:"rhat_folded"`
					RhatSplit  float64 `json:"rhat_split"`
					ESSBulk    float64 `json:"ess_bulk"`
					ESSTail    float64 `json:"ess_tail"`
					ESSQ05     float64 `json:"ess_q05"`
					ESSQ95     float64 `json:"ess_q95"`
					ESSMean    float64 `json:"ess_mean"`
					Mean, SD   float64
					MCSEMean   float64 `json:"mcse_mean"`
				}
			}
		}
		oracletest.Decode(t, file.Text, &g)
		for k, name := range g.Data.Names {
			t.Run(file.Name+"/"+name, func(t *testing.T) {
				s, want := Diagnose(g.Data.Draws[k]), g.Expect.Quantities[k]
				for _, c := range []struct {
					what      string
					got, want float64
				}{
					{"R-hat", s.Rhat, want.Rhat}, {"bulk R-hat", s.RhatBulk, want.RhatBulk},
					{"folded R-hat", s.RhatFolded, want.RhatFolded},
					{"split R-hat", s.RhatSplit, want.RhatSplit}, {"bulk ESS", s.ESSBulk, want.ESSBulk},
					{"tail ESS", s.ESSTail, want.ESSTail},
					{"ESS of 5 %", s.ESSQ05, want.ESSQ05}, {"ESS of 95 %", s.ESSQ95, want.ESSQ95},
					{"ESS of the mean", s.ESSMean, want.ESSMean},
					{"mean", s.Mean, want.Mean}, {"standard deviation", s.SD, want.SD},
					{"Monte Carlo error", s.MCSEMean, want.MCSEMean},
				} {
					oracletest.Close(t, c.what, []float64{c.got}, []float64{c.want},
						oracletest.ValueTolerance)
				}
			})
		}
	}
}

// Undefined statistics are NaN.
func TestUndefined(t *testing.T) {
	constant := Diagnose([][]float64{{2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 2}})
	if constant.Mean != 2 || constant.SD != 0 || !math.IsNaN(constant.Rhat) || !math.IsNaN(constant.ESSTail) {
		t.Errorf("constant draws: %+v", constant)
	}
	for _, draws := range [][][]float64{{{1, 2, 3}}, {{1, 2, 3, 4, math.Inf(1), 5}},
		{{1, 2, 3, 4, math.NaN(), 5}}} {
		if s := Diagnose(draws); !math.IsNaN(s.Mean) || !math.IsNaN(s.ESSBulk) {
			t.Errorf("%v: %+v", draws, s)
		}
	}
}
